import { rename, rm, writeFile } from 'node:fs/promises';

/**
 * Writes a file that is readable by this user alone. Another window reads the old text or the new one, never half of it. Throws where the
 * disk refuses it: the old file stays then.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const half = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(half, text, { mode: 0o600 });
    await rename(half, path);
  } catch (error) {
    await rm(half, { force: true });
    throw error;
  }
}
