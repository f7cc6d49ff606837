import { randomUUID } from 'node:crypto';
import {
  access,
  constants,
  lstat,
  mkdir,
  open,
  realpath,
  rename,
  rm,
  type FileHandle,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { localized, t } from '../l10n.ts';
import { canonicalName, lockName, mappingName, pathProblem } from './paths.ts';

const MAX_TEXT_FILE_BYTES = 10 * 1024 * 1024;

/** The files below the folder of `mailing.json`. Paths are relative and have slashes. */
export interface Files {
  /** Returns the text of a file; undefined if there is none. @throws if it can't be read, or is outside of the folder */
  read(path: string): Promise<string | undefined>;
  /**
   * Writes a file and creates its folders.
   * @param expected the text that was last read; any other text is not overwritten
   * @throws `FileChangedError`; or if the file can't be written or is outside of the folder
   */
  write(path: string, text: string, expected?: ExpectedFile): Promise<void>;
}

/** The expected text of a file; undefined if the file must not exist. */
export interface ExpectedFile {
  readonly text: string | undefined;
}

/** A file changed after it was read. Nothing was written. */
export class FileChangedError extends Error {
  constructor(path: string) {
    super(t`Couldn't write ${path}: it changed in the meantime. Try again.`);
  }
}

/** @throws if a file is too large to be read */
export function checkSize(path: string, bytes: number): void {
  if (bytes > MAX_TEXT_FILE_BYTES) throw new Error(t`${path} is larger than 10 MB.`);
}

/** @throws if the bytes aren't valid UTF-8 */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

// Windows doesn't have these two.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = constants;
/** Opening a link fails. Opening a pipe doesn't wait for its writer. */
const READ_FLAGS = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;

/**
 * Files below a folder of the file system. Follows links that stay below it. Never reads or writes files of Git, VS Code or Mailing Studio
 * under any spelling or through any link, except for the mapping and its lock.
 */
export class NodeFiles implements Files {
  readonly #root: string;
  /** Pending lookups of real paths, by folder. Files of one folder are usually read together. */
  readonly #pending = new Map<string, Promise<string>>();

  /** @param root absolute path of the folder */
  constructor(root: string) {
    this.#root = root;
  }

  read(path: string): Promise<string | undefined> {
    return withExplainedErrors('read', path, async () => {
      const bytes = await this.readBytes(path);
      return bytes && decodeUtf8(bytes);
    });
  }

  /** Returns the content of a file; undefined if there is none. @throws if it can't be read, or is outside of the folder */
  readBytes(path: string): Promise<Uint8Array | undefined> {
    return this.#open(path, (handle) => handle.readFile());
  }

  /** Returns the size of a file in bytes; undefined if there is none. @throws like `readBytes` */
  readSize(path: string): Promise<number | undefined> {
    return this.#open(path, (_handle, size) => size);
  }

  #open<T>(path: string, use: (handle: FileHandle, size: number) => T | Promise<T>) {
    return withExplainedErrors('read', path, async () => {
      const full = join(this.#root, path);
      let file = await this.#inRealFolder(path, full);
      let handle = await openRegular(file);
      if (handle === 'link') {
        file = await this.#resolve(path, full);
        handle = await openRegular(file);
      }
      if (handle === 'link') throw new Error(t`${path} was replaced by a link while it was read.`);
      if (!handle) return undefined;
      try {
        const stats = await handle.stat();
        if (!stats.isFile()) throw notRegular(path);
        checkSize(path, stats.size);
        // A parent folder may have become a link before the file was opened.
        await this.#inRealFolder(path, file);
        return await use(handle, stats.size);
      } finally {
        await handle.close();
      }
    });
  }

  /** Replaces the file atomically. Renaming over a link replaces the link and not its target. */
  write(path: string, text: string, expected?: ExpectedFile): Promise<void> {
    return withExplainedErrors('write', path, async () => {
      const file = await this.#resolve(path, join(this.#root, path));
      await mkdir(dirname(file), { recursive: true });
      const existing = await lstat(file).catch(undefinedIfMissing);
      if (existing?.isFile() === false) throw notRegular(path);
      if (existing) await access(file, constants.W_OK);
      const temporary = join(dirname(file), `.mailing-${randomUUID()}.tmp`);
      try {
        await createFile(temporary, text, existing?.mode, () => this.#inRealFolder(path, file));
        await retryWhileBusy(async () => {
          if (expected && (await this.read(path)) !== expected.text) throw new FileChangedError(path);
          await rename(temporary, file);
        });
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    });
  }

  /** Returns the real path of the root folder. */
  realRoot(): Promise<string> {
    return this.#realPath(this.#root);
  }

  /** Resolves links in the parent folders of a file. @throws if the result may not be accessed */
  async #inRealFolder(path: string, file: string) {
    return this.#checkRealPath(path, join(await this.#realPath(dirname(file)), basename(file)));
  }

  /** Resolves links in a path, including the file itself. @throws if the result may not be accessed */
  async #resolve(path: string, file: string) {
    return this.#checkRealPath(path, await resolveRealPath(file, this.#root));
  }

  async #checkRealPath(path: string, real: string) {
    const below = relative(await this.realRoot(), real);
    if (below.startsWith(`..${sep}`) || isAbsolute(below))
      throw new Error(t`${path} points outside the workspace folder.`);
    const names = below.split(sep);
    const isOwn =
      (path === mappingName || path === lockName) && canonicalName(names.at(-1) ?? '') === canonicalName(path);
    const problem =
      isOwn && names.length === 1 ? undefined : pathProblem((isOwn ? names.slice(0, -1) : names).join('/'));
    if (problem === undefined) return real;
    throw new Error(names.join('/') === path ? problem : `${t`${path} points to "${below}".`} ${problem}`);
  }

  #realPath(folder: string) {
    const pending = this.#pending.get(folder);
    if (pending) return pending;
    const found = resolveRealPath(folder, this.#root).finally(() => this.#pending.delete(folder));
    this.#pending.set(folder, found);
    return found;
  }
}

/** Returns the real path of a file or folder, which may not exist yet. @throws at a link without a target */
async function resolveRealPath(path: string, root: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
  }
  const isLink = (await lstat(path).catch(undefinedIfMissing))?.isSymbolicLink() === true;
  if (isLink) throw new Error(t`${relative(root, path)} is a broken link. Remove it or create its target.`);
  return join(await resolveRealPath(dirname(path), root), basename(path));
}

/** Opens a file for reading. Returns undefined if it doesn't exist, and 'link' if it is a link. */
async function openRegular(file: string): Promise<FileHandle | 'link' | undefined> {
  try {
    if (O_NOFOLLOW === 0 && (await lstat(file)).isSymbolicLink()) return 'link';
    return await open(file, READ_FLAGS);
  } catch (error) {
    if (errorCode(error) === 'ELOOP' || errorCode(error) === 'EMLINK') return 'link';
    return undefinedIfMissing(error);
  }
}

/**
 * Creates a file with a text. Fails if the name exists, even as a link.
 * @param mode exact permissions, regardless of the umask
 * @param check throws if a parent folder was replaced; nothing is written then
 */
async function createFile(file: string, text: string, mode: number | undefined, check: () => Promise<string>) {
  const handle = await open(file, 'wx', mode);
  try {
    const [created, onDisk] = await Promise.all([
      handle.stat({ bigint: true }),
      lstat(file, { bigint: true }),
      check(),
    ]);
    // On Windows, some versions of Node don't report the device of a path.
    if (created.ino !== onDisk.ino || (onDisk.dev !== 0n && created.dev !== onDisk.dev))
      throw new Error(t`${file} was replaced while it was written.`);
    if (mode !== undefined && created.mode !== BigInt(mode)) await handle.chmod(mode);
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}

function notRegular(path: string) {
  return new Error(t`${path} isn't a regular file.`);
}

function undefinedIfMissing(error: unknown) {
  if (errorCode(error) === 'ENOENT') return undefined;
  throw error;
}

/** Causes of operating system errors, as clauses that follow a colon. */
const getErrorCauses = localized((): Readonly<Record<string, string>> => ({
  EACCES: t('permission was denied'),
  EISDIR: t('the path is a folder'),
  ELOOP: t('the links in the path form a loop'),
  ENAMETOOLONG: t('the name is too long'),
  ENOSPC: t('the disk is full'),
  ENOTDIR: t('a folder in the path is a file'),
  EPERM: t('the file is protected, or in use by another program'),
  EROFS: t('the disk is read-only'),
  ERR_ENCODING_INVALID_ENCODED_DATA: t("the file isn't UTF-8 text"),
}));

/** Runs an operation on a file. Its errors explain the cause to users. */
export async function withExplainedErrors<T>(
  operation: 'read' | 'write',
  path: string,
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    const cause = getErrorCauses()[code] ?? (error instanceof Error ? error.message : code);
    const message =
      operation === 'read'
        ? t`Couldn't read ${path}: ${cause}. Check the file and its folders.`
        : t`Couldn't write ${path}: ${cause}. Check the file and its folders.`;
    throw new Error(message, { cause: error });
  }
}

/** Returns the code of an operating system error. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

const BUSY_DELAYS_MS: readonly number[] = [10, 50, 200, 500];

/** Returns whether Windows refused because a virus scanner or indexer has the file open, or because it is being deleted. */
export const isBusy = (error: unknown): boolean =>
  process.platform === 'win32' && ['EPERM', 'EBUSY'].includes(errorCode(error) ?? '');

/** Renames or deletes a file, and repeats it while the file is busy. */
export async function retryWhileBusy(act: () => Promise<void>, [delay, ...others] = BUSY_DELAYS_MS): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (delay === undefined || !isBusy(error)) throw error;
    await wait(delay);
    await retryWhileBusy(act, others);
  }
}

/**
 * Replaces a file atomically, readable by this user only, and creates its folders. If the disk refuses, throws and keeps the old file.
 * @param isDurable whether the text must survive a power failure
 */
export function replaceFile(path: string, text: string, isDurable = false): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  return withExplainedErrors('write', path, async () => {
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(temporary, text, { mode: 0o600, flush: isDurable });
      await retryWhileBusy(() => rename(temporary, path));
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
  });
}

/**
 * Records a request that is about to be sent.
 * @throws if that fails; the request must not be sent then
 */
export async function recordRequest<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(t`Couldn't record the request, so nothing was sent. ${reason}`, { cause: error });
  }
}
