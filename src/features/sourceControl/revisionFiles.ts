import { mkdir, readFile, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../platform/ui/replaceFile.ts';
import type { RevisionFiles } from './revisionStore.ts';

const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
/** Newer files are never deleted, because a push just promised that they can be restored. */
const PROTECTED_AGE_MS = 60 * 60 * 1000;

/**
 * Opens the files in a folder, which is created with the first file. Above `maxBytes`, deletes the files with the oldest changes. Reading a
 * missing or unreadable file returns undefined; errors on writing are ignored.
 */
export function openRevisionFiles(
  folder: string,
  maxBytes: number = MAX_TOTAL_BYTES,
  now: () => number = Date.now,
): RevisionFiles {
  // Other windows write too, so the size is counted with the first file and again after every eighth of the limit.
  let sinceCounted = Infinity;
  return {
    read: (name) => readFile(join(folder, name), 'utf8').catch(() => undefined),
    write: async (name, text) => {
      try {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await replaceFile(join(folder, name), text);
        sinceCounted += Buffer.byteLength(text);
        if (sinceCounted < maxBytes / 8) return;
        sinceCounted = 0;
        await removeOldest(folder, maxBytes, now() - PROTECTED_AGE_MS);
      } catch {
        // Only earlier versions are lost.
      }
    },
    list: (subfolder) => readdir(join(folder, subfolder)).catch(() => []),
    delete: (name) => rm(join(folder, name), { force: true }).catch(() => undefined),
  };
}

/** @param before ms since the epoch: newer files stay */
async function removeOldest(folder: string, maxBytes: number, before: number): Promise<void> {
  const names = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
  const files = await Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs } = await stat(join(folder, name));
      return { name, size, mtimeMs };
    }),
  );
  files.sort((one, other) => one.mtimeMs - other.mtimeMs);
  let total = files.reduce((sum, { size }) => sum + size, 0);
  for (const { name, size, mtimeMs } of files) {
    if (total <= maxBytes || mtimeMs > before) return;
    await rm(join(folder, name), { force: true });
    total -= size;
  }
}
