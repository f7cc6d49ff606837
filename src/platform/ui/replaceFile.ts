import { rename, rm, writeFile } from 'node:fs/promises';

/**
 * Writes a file that is readable by this user alone. Another window reads the old text or the new one, never half of it. Throws where the
 * disk refuses it: the old file stays then.
 */
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
