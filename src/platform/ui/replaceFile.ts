import { rename, rm, writeFile } from 'node:fs/promises';

/** Replaces a file atomically, readable by this user only. If the disk refuses, throws and keeps the old file. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, text, { mode: 0o600 });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
