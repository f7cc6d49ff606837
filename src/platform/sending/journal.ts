import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../ui/replaceFile.ts';
import { withFileLock } from '../ui/fileLock.ts';

/**
 * The subject of a send. Two connections with the same address are the same service, so a send is identified by address and
 * record.
 */
export interface SendSubject {
  readonly connection: string;
  /** Normalized, as in connections. */
  readonly baseUrl: string;
  /** `campaigns/5`; for a test, the tested record: `tests/templates/7`. */
  readonly what: string;
}

/** A requested send without a confirmed outcome. */
export interface JournalEntry extends SendSubject {
  /** When it was requested, in ms since the epoch. */
  readonly asked: number;
}

/** Entries expire after a week: no service is still processing the request. */
const EXPIRY_MS = 7 * 24 * 60 * 60 * 1000;
/**
 * Version 0.1.0 wrote entries in place. If a file stays unreadable for longer, its window crashed before the request.
 */
const WRITING_MS = 60_000;

interface StoredEntry<E> {
  readonly file: string;
  /** Undefined if the file is not a valid entry. */
  readonly entry: E | undefined;
  readonly isExpired: boolean;
}

/**
 * Requested sends without a confirmed outcome, one file each. All windows on a machine share them, and only one window
 * can acquire a send. Entries are written before the request, so the next window finds the entry of a crashed one.
 */
export class Journal<E extends JournalEntry> {
  readonly #folder: string;
  readonly #isEntry: (value: unknown) => value is E;
  readonly #now: () => number;

  /** `folder`: used by the journal alone. It is created with the first entry. */
  constructor(folder: string, isEntry: (value: unknown) => value is E, now: () => number = Date.now) {
    this.#folder = folder;
    this.#isEntry = isEntry;
    this.#now = now;
  }

  /**
   * Writes the entry of a send that is about to be requested, replacing `replaced`. Returns false if there is another
   * entry, `replaced` was removed, or another window acquires it at the same time: nothing may be sent then. Throws if
   * the disk refuses.
   */
  async acquire(entry: E, replaced?: E): Promise<boolean> {
    await mkdir(this.#folder, { recursive: true });
    return this.#locked(entry, async (hasWaited) => {
      // The window that had the lock first may have sent it and removed its entry.
      if (hasWaited) return false;
      const held = await this.#findStored(entry);
      const found = held.find((each) => replaced !== undefined && isSameEntry(each.entry, replaced));
      if (replaced === undefined ? held.length > 0 : found === undefined) return false;
      await this.#replace(found?.file, entry);
      return true;
    });
  }

  /** Updates an entry with a confirmed outcome. Returns false if it was removed. */
  async recordOutcome(entry: E): Promise<boolean> {
    return this.#withEntry(entry, (file) => this.#replace(file, entry));
  }

  /** Removes an entry, or restores the one it replaced. Returns true in only one of several windows. */
  async release(entry: E, restored?: E): Promise<boolean> {
    return this.#withEntry(entry, (file) => (restored === undefined ? rm(file) : this.#replace(file, restored)));
  }

  async all(): Promise<readonly E[]> {
    const stored = await this.#readAll();
    for (const each of stored) if (each.isExpired) await this.#removeExpired(each);
    return getActiveEntries(stored);
  }

  /** Returns the latest entry of this subject, of any connection to the service. */
  async find(subject: SendSubject): Promise<E | undefined> {
    const entries = getActiveEntries(await this.#readAll()).filter(
      (entry) => getSubjectKey(entry) === getSubjectKey(subject),
    );
    return entries.toSorted((one, other) => other.asked - one.asked)[0];
  }

  /** Returns whether this entry still exists: it may have been confirmed or replaced. */
  async has(entry: E): Promise<boolean> {
    return (await this.#findStored(entry)).some((each) => isSameEntry(each.entry, entry));
  }

  async #withEntry(entry: E, change: (file: string) => Promise<unknown>): Promise<boolean> {
    if (!(await this.has(entry))) return false;
    return this.#locked(entry, async () => {
      const found = (await this.#findStored(entry)).find((each) => isSameEntry(each.entry, entry));
      if (found !== undefined) await change(found.file);
      return found !== undefined;
    });
  }

  async #replace(file: string | undefined, entry: E): Promise<void> {
    const target = this.#path(entry, 'json');
    await replaceFile(target, JSON.stringify(entry));
    // Version 0.1.0 included the connection in file names.
    if (file !== undefined && file !== target) await rm(file);
  }

  async #removeExpired({ file, entry }: StoredEntry<E>): Promise<void> {
    const remove = async (): Promise<void> =>
      (await this.#read(file))?.isExpired ? rm(file, { force: true }) : undefined;
    await (entry === undefined ? remove() : this.#locked(entry, remove));
  }

  /** Runs a task while no other window reads or changes the entries of a subject. */
  #locked<T>(subject: SendSubject, task: (hasWaited: boolean) => Promise<T>): Promise<T> {
    return withFileLock(this.#path(subject, 'lock'), task);
  }

  #path(subject: SendSubject, extension: string): string {
    return join(
      this.#folder,
      `${createHash('sha256').update(getSubjectKey(subject)).digest('hex').slice(0, 32)}.${extension}`,
    );
  }

  async #findStored(subject: SendSubject): Promise<readonly StoredEntry<E>[]> {
    return (await this.#readAll()).filter(
      ({ entry, isExpired }) => !isExpired && entry && getSubjectKey(entry) === getSubjectKey(subject),
    );
  }

  async #readAll(): Promise<readonly StoredEntry<E>[]> {
    const names = (await undefinedIfMissing(readdir(this.#folder))) ?? [];
    const files = names.filter((name) => name.endsWith('.json')).map((name) => this.#read(join(this.#folder, name)));
    return (await Promise.all(files)).filter((stored) => stored !== undefined);
  }

  async #read(file: string): Promise<StoredEntry<E> | undefined> {
    const content = await undefinedIfMissing(readFile(file, 'utf8'));
    if (content === undefined) return undefined;
    const entry = this.#parse(content);
    const age = this.#now() - (entry?.asked ?? (await undefinedIfMissing(stat(file)))?.mtimeMs ?? 0);
    return { file, entry, isExpired: age > (entry === undefined ? WRITING_MS : EXPIRY_MS) };
  }

  #parse(content: string): E | undefined {
    try {
      const value: unknown = JSON.parse(content);
      return this.#isEntry(value) ? value : undefined;
    } catch {
      return undefined;
    }
  }
}

export function getSubjectKey({ baseUrl, what }: Omit<SendSubject, 'connection'>): string {
  return `${baseUrl}\n${what}`;
}

/** Returns whether two entries describe the same send. */
export function isSameEntry(one: JournalEntry | undefined, other: JournalEntry): boolean {
  return one !== undefined && getSubjectKey(one) === getSubjectKey(other) && one.asked === other.asked;
}

function getActiveEntries<E>(stored: readonly StoredEntry<E>[]): readonly E[] {
  return stored
    .filter(({ isExpired }) => !isExpired)
    .map(({ entry }) => entry)
    .filter((entry) => entry !== undefined);
}

/** Returns whether a value read from a file has fields of these types (`typeof`). */
export function hasFields(value: unknown, types: Readonly<Record<string, string>>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return Object.entries(types).every(([name, type]) => typeof fields.get(name) === type && fields.get(name) !== null);
}

/** Resolves with undefined if a file doesn't exist. Rethrows other errors. */
async function undefinedIfMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  }
}
