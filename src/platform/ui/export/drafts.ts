import { randomBytes } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Content that is not visible until it is published. */
export interface ExportDraft {
  append(bytes: Uint8Array): Promise<void>;
  /** Replaces the target's content. */
  publish(): Promise<void>;
  /** Never throws. */
  discard(): Promise<void>;
}

/** Exports contain personal data. */
const OWNER_ONLY_MODE = 0o600;

/**
 * Creates a draft as a hidden file beside the target, which replaces it atomically. Keeps the permissions of an existing target; a new
 * file is readable by its owner only.
 */
export async function createFileDraft(path: string): Promise<ExportDraft> {
  const temporary = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomBytes(6).toString('hex')}.part`);
  const handle = await open(temporary, 'ax', OWNER_ONLY_MODE);
  return {
    append: (bytes) => handle.appendFile(bytes),
    publish: async () => {
      const before = await stat(path).catch(() => undefined);
      // Not all file systems support permissions.
      if (before !== undefined) await handle.chmod(before.mode & 0o777).catch(() => undefined);
      await handle.close();
      await rename(temporary, path);
    },
    discard: async () => {
      // It may be closed or removed already.
      await handle.close().catch(() => undefined);
      await rm(temporary, { force: true }).catch(() => undefined);
    },
  };
}

/**
 * Creates a draft in memory, for targets that must be written as a whole: VS Code's file systems and editors.
 *
 * @param limit maximum size in bytes
 *
 * @param advice what to do if the limit is exceeded, as a sentence
 */
export function createBufferedDraft(
  limit: number,
  advice: string,
  deliver: (bytes: Uint8Array) => Promise<void>,
): ExportDraft {
  let parts: Uint8Array[] = [];
  let size = 0;
  return {
    append: async (bytes) => {
      size += bytes.length;
      if (size > limit)
        throw new Error(`The export is larger than the limit of ${Math.round(limit / 1024 / 1024)} MB. ${advice}`);
      parts.push(bytes);
    },
    publish: () => deliver(Buffer.concat(parts)),
    discard: async () => {
      parts = [];
    },
  };
}
