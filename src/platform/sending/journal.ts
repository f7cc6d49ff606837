import { createHash } from 'node:crypto';
import { mkdir, readFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../ui/replaceFile.ts';
import { withFileLock } from '../ui/fileLock.ts';

/** What is sent. Two connections to one address are one service: a sending is recognized by the address and the record. */
export interface SendSubject {
  readonly connection: string;
  /** In its normal form, as connections have it. */
  readonly baseUrl: string;
  /** `campaigns/5`; of a test, what it is a test of: `tests/templates/7`. */
  readonly what: string;
}

/** Says that a sending was requested, and that its outcome is unknown. */
export interface JournalEntry extends SendSubject {
  /** When it was requested, in ms since the epoch. */
  readonly asked: number;
}

/** No service is still working on a request after a week: the entry is removed. In ms. */
const EXPIRY_MS = 7 * 24 * 60 * 60 * 1000;
/** Version 0.1.0 wrote entries in place. A file that is unreadable for longer was never finished, and nothing was sent. In ms. */
const WRITING_MS = 60_000;

interface StoredEntry<E> {
  readonly file: string;
  /** Undefined if the file is no entry. */
  readonly entry: E | undefined;
  readonly isExpired: boolean;
}

/**
 * Sendings that were requested and have no known outcome, a file for each. All windows of a machine share them, and only one of them can
 * acquire a sending. Entries are written before the request, so a window that crashes leaves its entry to the next.
 */
export class Journal<E extends JournalEntry> {
  readonly #folder: string;
  readonly #isEntry: (value: unknown) => value is E;
  readonly #now: () => number;

  /** `folder`: one of this extension's own on this machine. It is made with the first entry. */
  constructor(folder: string, isEntry: (value: unknown) => value is E, now: () => number = Date.now) {
    this.#folder = folder;
    this.#isEntry = isEntry;
    this.#now = now;
  }

  /**
   * Writes the entry of a sending that is about to be requested, in place of `replaced`. False if there is another entry, `replaced` is
   * gone, or another window acquires it at the same moment: nothing may be sent then. Throws if the disk refuses it.
   */
  async acquire(entry: E, replaced?: E): Promise<boolean> {
    await mkdir(this.#folder, { recursive: true });
    return this.#locked(entry, async (hasWaited) => {
      // A window that had the lock first may have sent it, and be done.
      if (hasWaited) return false;
      const held = await this.#findStored(entry);
      const found = held.find((each) => replaced !== undefined && isSameEntry(each.entry, replaced));
      if (replaced === undefined ? held.length > 0 : found === undefined) return false;
      await this.#replace(found?.file, entry);
      return true;
    });
  }

  /** Writes what is now known of a sending in place of its entry. False if the entry is gone. */
  async recordOutcome(entry: E): Promise<boolean> {
    return this.#withEntry(entry, (file) => this.#replace(file, entry));
  }

  /** Removes an entry, or puts back the one that it had replaced. True for only one of several windows. */
  async release(entry: E, restored?: E): Promise<boolean> {
    return this.#withEntry(entry, (file) => (restored === undefined ? rm(file) : this.#replace(file, restored)));
  }

  async all(): Promise<readonly E[]> {
    const stored = await this.#readAll();
    for (const each of stored) if (each.isExpired) await this.#removeExpired(each);
    return getActiveEntries(stored);
  }

  /** The latest entry of this subject, whichever connection it was sent by. */
  async find(subject: SendSubject): Promise<E | undefined> {
    const entries = getActiveEntries(await this.#readAll()).filter(
      (entry) => getSubjectKey(entry) === getSubjectKey(subject),
    );
    return entries.toSorted((one, other) => other.asked - one.asked)[0];
  }

  /** Whether this very entry is still there: its outcome may be known by now, or it was sent again. */
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
    // Version 0.1.0 named files after the connection as well.
    if (file !== undefined && file !== target) await rm(file);
  }

  async #removeExpired({ file, entry }: StoredEntry<E>): Promise<void> {
    const remove = async (): Promise<void> =>
      (await this.#read(file))?.isExpired ? rm(file, { force: true }) : undefined;
    await (entry === undefined ? remove() : this.#locked(entry, remove));
  }

  /** Only one window at a time reads and changes the entries of a subject. */
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

/** Identifies a subject. */
export function getSubjectKey({ baseUrl, what }: Omit<SendSubject, 'connection'>): string {
  return `${baseUrl}\n${what}`;
}

/** Whether two entries are of the same sending. */
export function isSameEntry(one: JournalEntry | undefined, other: JournalEntry): boolean {
  return one !== undefined && getSubjectKey(one) === getSubjectKey(other) && one.asked === other.asked;
}

function getActiveEntries<E>(stored: readonly StoredEntry<E>[]): readonly E[] {
  return stored
    .filter(({ isExpired }) => !isExpired)
    .map(({ entry }) => entry)
    .filter((entry) => entry !== undefined);
}

/** Whether a value read from a file has these fields, each of its type (`typeof`). */
export function hasFields(value: unknown, types: Readonly<Record<string, string>>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return Object.entries(types).every(([name, type]) => typeof fields.get(name) === type && fields.get(name) !== null);
}

/** A file that isn't there is nothing. Other failures are told. */
async function undefinedIfMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  }
}
