import { constants } from 'node:fs';
import { dirname, normalize } from 'node:path';
import type { Random } from './random.ts';
import type { Owner, Scheduler } from './scheduler.ts';

interface FileEntry {
  readonly inode: number;
  data: Buffer;
  changed: number;
  mode: number;
}

/** What happens to an operation on the disk. `crash`: the process ends while it runs. `hang`: it does nothing for a time before. */
export type DiskFault = 'full' | 'readOnly' | 'busy' | 'crashBefore' | 'crashTorn' | 'crashAfter' | 'hang';

/** Longer than a lock may stay unchanged, and than a request may take. */
const HANG_MS = 10 * 60_000;

interface DiskUser extends Owner {
  readonly random: Random;
  /** Returns what happens to the next operation that writes. */
  takeDiskFault(operation: string, path: string): DiskFault | undefined;
  crash(): void;
  /** Does nothing for a time, while other programs go on. */
  hang(ms: number): void;
}

const MESSAGES: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EEXIST: 'file already exists',
  ENOSPC: 'no space left on device',
  EROFS: 'read-only file system',
  EPERM: 'operation not permitted',
  EISDIR: 'illegal operation on a directory',
};

function createError(code: string, path: string) {
  return Object.assign(new Error(`${code}: ${MESSAGES[code] ?? code}, '${path}'`), { code, path });
}

/** The errors of faults that a disk reports. */
const codes: Readonly<Partial<Record<DiskFault, string>>> = { full: 'ENOSPC', readOnly: 'EROFS', busy: 'EBUSY' };

type WriteOptions = { readonly flag?: string; readonly mode?: number; readonly flush?: boolean } | string | undefined;

/** How long the operating system keeps changes in memory at most. */
const WRITE_BACK_MS = 5000;

/**
 * The disk of a machine, in memory. It survives crashes of its processes. If the power fails, the last changes are lost: all from some moment
 * on, except for what was flushed before.
 */
export class Disk {
  readonly files = new Map<string, FileEntry>();
  /** Changes that only the memory has, in order: what each path was before. */
  #unflushed: { readonly time: number; readonly path: string; readonly before: FileEntry | undefined }[] = [];
  readonly #folders = new Set<string>(['/']);
  readonly #scheduler: Scheduler;
  #inode = 0;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  readText(path: string): string | undefined {
    return this.files.get(path)?.data.toString('utf8');
  }

  /** Writes a file at once and durably, as its user does in another program. */
  writeText(path: string, text: string): void {
    this.#addFolders(dirname(path));
    const mode = this.files.get(path)?.mode ?? 0o644;
    this.#set(path, this.#createEntry(Buffer.from(text), mode));
    this.#unflushed = [];
  }

  delete(path: string): void {
    this.#set(path, undefined);
    this.#unflushed = [];
  }

  /** Loses the last changes, as if the power had failed. Returns their number. */
  failPower(random: Random): number {
    const recent = this.#unflushed.filter(({ time }) => time > this.#scheduler.now - WRITE_BACK_MS);
    const lost = recent.slice(random.below(recent.length + 1));
    for (const { path, before } of lost.toReversed())
      if (before === undefined) this.files.delete(path);
      else this.files.set(path, before);
    this.#unflushed = [];
    return lost.length;
  }

  #set(path: string, entry: FileEntry | undefined) {
    this.#unflushed.push({ time: this.#scheduler.now, path, before: this.files.get(path) });
    if (entry === undefined) this.files.delete(path);
    else this.files.set(path, entry);
  }

  exists(path: string): boolean {
    return this.files.has(path) || this.#folders.has(path);
  }

  /** Returns the module `node:fs/promises` for a process. */
  createModule(user: DiskUser): object {
    const delay = () => 0.05 + user.random.next();
    /** Runs an operation after a moment. Nothing follows if its process ends before. */
    const operate = <T>(act: () => T) =>
      new Promise<T>((resolve, reject) => {
        const run = () => {
          try {
            resolve(act());
          } catch (error) {
            reject(error as Error);
          }
        };
        this.#scheduler.after(delay(), run, user);
      });
    let replacing = 0;
    /** Runs an operation that changes the disk. `tear` does a part of it. */
    const change = async <T>(operation: string, path: string, act: () => T, tear: () => void = () => undefined) => {
      const fault = user.takeDiskFault(operation, path);
      // No system replaces a file only if it is unchanged: nobody can know of an edit right before.
      const isReplaced = operation === 'rename' && !path.includes('/storage/') && !path.includes('/.mailing/');
      const hang = () => {
        if (replacing === 0) user.hang(Math.round(HANG_MS * user.random.next()));
      };
      if (fault === 'hang' && !isReplaced) await operate(hang);
      if (isReplaced) replacing += 1;
      return operate(() => {
        if (isReplaced) replacing -= 1;
        const code = fault && codes[fault];
        // Only renames and deletions wait for scanners; a full disk deletes.
        const isAffected = fault === 'busy' ? operation === 'rename' : fault !== 'full' || operation === 'write';
        if (code !== undefined && isAffected) {
          if (fault === 'full') tear();
          throw createError(code, path);
        }
        if (fault === 'crashTorn') tear();
        const result = fault === 'crashBefore' || fault === 'crashTorn' ? undefined : act();
        if (fault?.startsWith('crash') === true) user.crash();
        return result as T;
      });
    };
    const get = (given: string) => {
      const path = normalize(given);
      const file = this.files.get(path);
      if (file !== undefined) return file;
      throw createError(this.#folders.has(path) ? 'EISDIR' : 'ENOENT', path);
    };
    const write = (given: string, data: string | Uint8Array, options?: WriteOptions) => {
      const path = normalize(given);
      const { flag = 'w', mode = 0o644, flush = false } = typeof options === 'object' ? options : {};
      const put = (bytes: Buffer) => {
        const existing = this.files.get(path);
        if (flag.includes('x') && existing !== undefined) throw createError('EEXIST', path);
        if (!this.#folders.has(dirname(path))) throw createError('ENOENT', path);
        this.#set(path, existing ? this.#change(existing, bytes) : this.#createEntry(bytes, mode));
        if (flush) this.#unflushed = [];
      };
      const bytes = Buffer.from(data as string);
      return change(
        'write',
        path,
        () => put(bytes),
        () => put(bytes.subarray(0, bytes.length >> 1)),
      );
    };
    const getStats = (given: string, isBig: boolean) => {
      const path = normalize(given);
      const file = this.files.get(path);
      if (file === undefined && !this.#folders.has(path)) throw createError('ENOENT', path);
      const [inode, ms, mode, size] = [
        file?.inode ?? 1,
        file?.changed ?? 0,
        file?.mode ?? 0o755,
        file?.data.length ?? 0,
      ];
      const toNumber = (value: number) => (isBig ? BigInt(Math.floor(value)) : value);
      return {
        ino: toNumber(inode),
        dev: toNumber(1),
        mode: toNumber(mode),
        size: toNumber(size),
        mtimeMs: toNumber(ms),
        mtimeNs: BigInt(Math.round(ms * 1e6)),
        isFile: () => file !== undefined,
        isDirectory: () => file === undefined,
        isSymbolicLink: () => false,
      };
    };
    const stat = (path: string, options?: { readonly bigint?: boolean }) =>
      operate(() => getStats(path, options?.bigint === true));
    const readFile = (path: string, options?: unknown) =>
      operate(() => {
        const { data } = get(path);
        return options === undefined ? Buffer.from(data) : data.toString('utf8');
      });
    /** Changes an open file from a position on. It may have been deleted or replaced. */
    const writeAt = (path: string, inode: number, position: number, bytes: Buffer = Buffer.alloc(0)) => {
      const put = (written: Buffer) => {
        const file = this.files.get(normalize(path));
        if (file?.inode === inode)
          this.#set(normalize(path), this.#change(file, Buffer.concat([file.data.subarray(0, position), written])));
      };
      return change(
        'write',
        path,
        () => put(bytes),
        () => put(bytes.subarray(0, bytes.length >> 1)),
      );
    };
    return {
      constants,
      readFile,
      writeFile: write,
      stat,
      lstat: stat,
      access: (path: string) => operate(() => void getStats(path, false)),
      realpath: (path: string) => operate(() => (getStats(path, false), normalize(path))),
      mkdir: (path: string) => change('mkdir', path, () => this.#addFolders(normalize(path))),
      readdir: (path: string) => operate(() => this.list(normalize(path))),
      rm: (path: string, options?: { readonly force?: boolean }) =>
        change('rm', path, () => {
          const isThere = this.files.has(normalize(path));
          if (!isThere && options?.force !== true) throw createError('ENOENT', path);
          if (isThere) this.#set(normalize(path), undefined);
        }),
      rename: (from: string, to: string) =>
        change('rename', to, () => {
          const file = get(from);
          this.#set(normalize(from), undefined);
          this.#set(normalize(to), file);
        }),
      open: async (path: string, flags: string | number, mode?: number) => {
        if (typeof flags === 'string' && flags !== 'r+')
          await write(path, '', { flag: flags, ...(mode !== undefined && { mode }) });
        const { inode } = await operate(() => get(path));
        return {
          readFile: (options?: unknown) => readFile(path, options),
          writeFile: (data: string) => write(path, data),
          stat: (options?: { readonly bigint?: boolean }) => stat(path, options),
          truncate: (length = 0) => writeAt(path, inode, length),
          write: async (bytes: Buffer, offset: number, length: number, position: number) => {
            await writeAt(path, inode, position, bytes.subarray(offset, offset + length));
            return { bytesWritten: length };
          },
          chmod: (changed: number) => operate(() => void (get(path).mode = changed)),
          sync: () => operate(() => (this.#unflushed = [])),
          close: () => Promise.resolve(),
        };
      },
    };
  }

  /** Returns the names in a folder. */
  list(folder: string): readonly string[] {
    if (!this.#folders.has(folder)) throw createError('ENOENT', folder);
    const prefix = folder === '/' ? '/' : `${folder}/`;
    const names = [...this.files.keys(), ...this.#folders].flatMap((path) =>
      path.startsWith(prefix) && path !== folder ? (path.slice(prefix.length).split('/')[0] ?? []) : [],
    );
    return [...new Set(names)].sort();
  }

  #createEntry(data: Buffer, mode: number): FileEntry {
    this.#inode += 1;
    return { inode: this.#inode, data, changed: this.#scheduler.now, mode };
  }

  #change(entry: FileEntry, data: Buffer): FileEntry {
    return { ...entry, data, changed: this.#scheduler.now };
  }

  #addFolders(folder: string) {
    for (let at = folder; !this.#folders.has(at); at = dirname(at)) this.#folders.add(at);
  }
}
