import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Content that is not visible until it is published. */
export interface ExportDraft {
  readonly size: number;
  append(bytes: Uint8Array): Promise<void>;
  /** Reads all bytes. Nothing may be appended meanwhile. */
  read(): AsyncIterable<Uint8Array>;
  /** Replaces the target's content. */
  publish(): Promise<void>;
  /** Never throws. */
  discard(): Promise<void>;
}

export type DraftFactory = () => Promise<ExportDraft>;

export class TooLargeError extends Error {
  constructor(limit: number, advice: string) {
    super(
      `It is larger than ${Math.round(limit / 1024 / 1024)} MB, which is the most that can be written there. ${advice}`,
    );
    this.name = 'TooLargeError';
  }
}

/** Exports contain personal data. */
const OWNER_ONLY_MODE = 0o600;

/**
 * Creates drafts as a hidden file beside the target, which replaces it atomically. Keeps the permissions of an
 * existing target; a new file is readable by its owner only.
 */
export function createFileDrafts(path: string): DraftFactory {
  return async () => {
    const temporary = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomBytes(6).toString('hex')}.part`);
    return new FileDraft(await open(temporary, 'ax', OWNER_ONLY_MODE), temporary, path);
  };
}

class FileDraft implements ExportDraft {
  readonly #handle: FileHandle;
  readonly #temporary: string;
  readonly #path: string;
  #size = 0;

  constructor(handle: FileHandle, temporary: string, path: string) {
    this.#handle = handle;
    this.#temporary = temporary;
    this.#path = path;
  }

  get size(): number {
    return this.#size;
  }

  async append(bytes: Uint8Array): Promise<void> {
    try {
      await this.#handle.appendFile(bytes);
    } catch (error) {
      // A full disk may write a part: cut it off, so that the draft ends with a complete page.
      await this.#handle.truncate(this.#size).catch(() => undefined);
      throw error;
    }
    this.#size += bytes.length;
  }

  read(): AsyncIterable<Uint8Array> {
    return createReadStream(this.#temporary) as AsyncIterable<Uint8Array>;
  }

  async publish(): Promise<void> {
    const before = await stat(this.#path).catch(() => undefined);
    // Not all file systems support permissions.
    if (before !== undefined) await this.#handle.chmod(before.mode & 0o777).catch(() => undefined);
    await this.#handle.close();
    await rename(this.#temporary, this.#path);
  }

  async discard(): Promise<void> {
    // It may be closed or removed already.
    await this.#handle.close().catch(() => undefined);
    await rm(this.#temporary, { force: true }).catch(() => undefined);
  }
}

/**
 * Creates drafts in memory, for targets that must be written as a whole: VS Code's file systems and editors.
 *
 * @param limit maximum size in bytes
 *
 * @param advice what to do if the limit is exceeded, as a sentence
 */
export function createBufferedDrafts(
  limit: number,
  advice: string,
  deliver: (bytes: Uint8Array) => Promise<void>,
): DraftFactory {
  return async () => {
    let parts: Uint8Array[] = [];
    let size = 0;
    return {
      get size() {
        return size;
      },
      async append(bytes) {
        if (size + bytes.length > limit) throw new TooLargeError(limit, advice);
        size += bytes.length;
        parts.push(bytes);
      },
      async *read() {
        yield* parts;
      },
      publish: () => deliver(Buffer.concat(parts)),
      async discard() {
        parts = [];
      },
    };
  };
}
