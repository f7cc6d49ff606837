import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** What is being written and nobody sees yet. */
export interface ExportDraft {
  /** Bytes so far. */
  readonly size: number;
  append(bytes: Uint8Array): Promise<void>;
  /** All bytes from the first on. Nothing is appended while they are read. */
  read(): AsyncIterable<Uint8Array>;
  /** Makes it the target's content. */
  publish(): Promise<void>;
  /** Leaves nothing behind. Never throws. */
  discard(): Promise<void>;
}

/** Makes drafts of one target. */
export type DraftFactory = () => Promise<ExportDraft>;

/** More than the target takes was written. */
export class TooLargeError extends Error {
  constructor(limit: number, advice: string) {
    super(
      `It is larger than ${Math.round(limit / 1024 / 1024)} MB, which is the most that can be written there. ${advice}`,
    );
    this.name = 'TooLargeError';
  }
}

/** What only its owner may read: people are in it. */
const OWNER_ONLY_MODE = 0o600;

/**
 * Drafts of a file: a hidden one beside it, which takes its place in one step. So there never is a half file under its name, and one that
 * was there before stays whole until then, and hands on who may read it. A new one is its owner's alone.
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
      // A full disk takes a part of it: what is kept ends where a page does.
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
    // A file system without such rights has none to hand on.
    if (before !== undefined) await this.#handle.chmod(before.mode & 0o777).catch(() => undefined);
    await this.#handle.close();
    await rename(this.#temporary, this.#path);
  }

  async discard(): Promise<void> {
    // It may be closed already, or gone.
    await this.#handle.close().catch(() => undefined);
    await rm(this.#temporary, { force: true }).catch(() => undefined);
  }
}

/**
 * Drafts of what can only be written as a whole (VS Code's file systems have no way to append; an editor's text).
 * @param limit bytes that are collected at most
 * @param advice what to do where that is not enough: a sentence
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
