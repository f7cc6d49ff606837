import { mkdir, readFile, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../platform/ui/replaceFile.ts';
import type { RevisionFiles } from './revisionStore.ts';

/** Bytes of all files together, at most. */
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
/** What was written in the last hour stays: a push just said that it can be restored. In ms. */
const PROTECTED_AGE_MS = 60 * 60 * 1000;

/**
 * Files in a folder of the extension's own, which is made with the first. What can't be read is not there; what can't be written is lost.
 * Of more than `most` bytes, the files that nobody has written for the longest time go.
 */
export function openRevisionFiles(
  folder: string,
  most: number = MAX_TOTAL_BYTES,
  now: () => number = Date.now,
): RevisionFiles {
  // Other windows write too: what is there is counted with the first file, and again each time that some more was written.
  let sinceCounted = Infinity;
  return {
    read: (name) => readFile(join(folder, name), 'utf8').catch(() => undefined),
    write: async (name, text) => {
      try {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await replaceFile(join(folder, name), text);
        sinceCounted += Buffer.byteLength(text);
        if (sinceCounted < most / 8) return;
        sinceCounted = 0;
        await removeOldest(folder, most, now() - PROTECTED_AGE_MS);
      } catch {
        // The history is a convenience: without it nothing is lost but earlier states.
      }
    },
    list: (subfolder) => readdir(join(folder, subfolder)).catch(() => []),
    delete: (name) => rm(join(folder, name), { force: true }).catch(() => undefined),
  };
}

/** @param before ms since the epoch: newer files stay */
async function removeOldest(folder: string, most: number, before: number): Promise<void> {
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
    if (total <= most || mtimeMs > before) return;
    await rm(join(folder, name), { force: true });
    total -= size;
  }
}
