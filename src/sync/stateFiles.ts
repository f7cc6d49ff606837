import { lstat, open, readFile, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { t } from '../l10n.ts';
import { withFileLock, type LockedTask } from './exclusive.ts';
import { errorCode, replaceFile, withExplainedErrors } from './files.ts';

/**
 * Private files on this machine, shared by all windows and the command line. Names may contain slashes. No file is ever read, written or
 * deleted through a folder that is a link: a repository may contain one that points anywhere.
 */
export class StateFiles {
  readonly folder: string;

  /** @param folder is created with the first file */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** Returns undefined for a missing file. @throws if it can't be read */
  async read(name: string): Promise<string | undefined> {
    const path = await this.#resolve(name);
    return withExplainedErrors('read', path, () => undefinedIfMissing(readFile(path, 'utf8')));
  }

  /** Replaces a file. @throws as `replaceFile` */
  async write(name: string, text: string, isDurable?: boolean): Promise<void> {
    await replaceFile(await this.#resolve(name), text, isDurable);
  }

  /**
   * Replaces what follows the first `size` bytes of a file, durably. Changes no other file that replaces it meanwhile.
   * @throws if the file is missing or can't be written
   */
  async append(name: string, text: string, size: number): Promise<void> {
    const path = await this.#resolve(name);
    await withExplainedErrors('write', path, async () => {
      const handle = await open(path, 'r+');
      try {
        await handle.truncate(size);
        // A write may store only a part.
        const bytes = Buffer.from(text);
        for (let at = 0; at < bytes.length;)
          at += (await handle.write(bytes, at, bytes.length - at, size + at)).bytesWritten;
        await handle.sync();
      } finally {
        await handle.close();
      }
    });
  }

  /** Returns the names of the files in a folder. @throws if it can't be read */
  async list(folder: string): Promise<readonly string[]> {
    return (await undefinedIfMissing(readdir(dirname(await this.#resolve(join(folder, '*')))))) ?? [];
  }

  /** Deletes a file or folder. @throws if that fails */
  async delete(name: string): Promise<void> {
    await rm(await this.#resolve(name), { force: true, recursive: true });
  }

  /** Runs a short task while no other process runs one under this name. See `withFileLock`. */
  async withLock<T>(name: string, task: LockedTask<T>): Promise<T> {
    return withFileLock(await this.#resolve(name), task);
  }

  async #resolve(name: string) {
    const path = join(this.folder, name);
    for (const folder of new Set([this.folder, dirname(path)]))
      if (await isLink(folder)) throw new Error(t`${folder} is a link. Replace it with a folder.`);
    return path;
  }
}

/** Returns whether a path is a symbolic link, or a junction of Windows. */
async function isLink(path: string) {
  return (await lstat(path).catch(() => undefined))?.isSymbolicLink() === true;
}

async function undefinedIfMissing<T>(reading: Promise<T>) {
  try {
    return await reading;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}
