import { t } from '@vscode/l10n';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as v from 'valibot';
import { getServiceIdentity } from '../../service/client/address.ts';
import { formatTimestamp } from '../../service/format.ts';
import type { LockedTask } from '../exclusive.ts';
import { recordRequest } from '../files.ts';
import type { StateFiles } from '../stateFiles.ts';

/*
 * The journal of requests that must not be repeated: campaigns and tests, the records and lists that tests need, changes of subscriptions,
 * and pushes. Each subject has a file: its first line is the entry of a request, and each further line is a change of the entry.
 *
 * Invariant: from before a request leaves this machine until its outcome is confirmed, its subject has an entry, and
 * only the window that acquired the entry sends. No request goes out twice:
 * - Two windows send at the same time: `acquire` reads and writes under a lock file. A window that waited for the lock
 *   loses, even if the winner has finished. So does a window that lost the lock, for example while the machine slept.
 * - The window closes, reloads or crashes: the entry was written before the request, so the next window finds it. A
 *   line that it didn't complete doesn't count.
 * - The user repeats or continues an unconfirmed request: `acquire` replaces only the entry that the user was asked
 *   about, and `release` restores it if the repeated request had no effect.
 * - A window was replaced while it read the record: `renew` fails right before the request.
 * - The file of an entry is damaged: `acquire` and `find` throw until the user has deleted it.
 * - A response arrives late: a change applies only to the entry that was acquired, never to a later one.
 */

/** The fields that every kind of entry has. */
export const entryFields = {
  connection: v.string(),
  baseUrl: v.string(),
  /** `campaigns/5`; for a test, the tested record: `tests/templates/7`. */
  what: v.string(),
  /** When it was requested, in ms since the epoch. */
  asked: v.number(),
  /** When the window that sends has its response or never gets one, in ms since the epoch. 0: no window is sending. */
  until: v.number(),
};

export type JournalEntry = Readonly<v.InferOutput<v.ObjectSchema<typeof entryFields, undefined>>>;

/** The subject of a request, identified by service and record. The ids of connections don't identify a service. */
export type Subject = Pick<JournalEntry, 'connection' | 'baseUrl' | 'what'>;

/** A kind of request: its entry, and what may change it. */
export interface RequestKind<E extends JournalEntry, C> {
  readonly entry: v.GenericSchema<unknown, E>;
  readonly change: v.GenericSchema<unknown, C>;
  /** Throws if the change is impossible. */
  apply(entry: E, change: C): E;
  /** When entries expire, in ms after their request. Default: never, because a wrong clock must not forget a send. */
  readonly expiryMs?: number;
}

/** A window that sleeps for a moment keeps its entry. */
const MIN_RESPONSE_MS = 2 * 60_000;
const SUFFIX = '.jsonl';

interface JournalOptions {
  /** Folder of the files, for this kind of request alone. It is created with the first entry. */
  readonly folder?: string;
  /** Returns ms since the epoch. */
  readonly now?: () => number;
  /** How long a request takes at most, in ms. */
  readonly getTimeoutMs?: () => number;
}

/** Requests of one kind without a confirmed outcome, shared by all windows on a machine. */
export class Journal<E extends JournalEntry, C = Partial<E>> {
  readonly #files: StateFiles;
  readonly #kind: RequestKind<E, C>;
  readonly #entry: v.GenericSchema<string, E>;
  readonly #line: v.GenericSchema<string, { readonly until: number; readonly change?: C | undefined }>;
  readonly #folder: string;
  readonly #getTimeoutMs: () => number;
  /** Returns ms since the epoch. */
  readonly now: () => number;

  constructor(
    files: StateFiles,
    kind: RequestKind<E, C>,
    { folder = '', now = Date.now, getTimeoutMs = () => 30_000 }: JournalOptions = {},
  ) {
    this.#files = files;
    this.#kind = kind;
    this.#entry = v.pipe(v.string(), v.parseJson(), kind.entry);
    this.#line = v.pipe(v.string(), v.parseJson(), v.object({ until: v.number(), change: v.optional(kind.change) }));
    this.#folder = folder;
    this.now = now;
    this.#getTimeoutMs = getTimeoutMs;
  }

  /** Returns the times of an entry whose request is about to be sent. */
  start(): Pick<JournalEntry, 'asked' | 'until'> {
    return { asked: this.now(), until: this.#getDeadline() };
  }

  /**
   * Writes the entry of a request that is about to be sent, replacing `replaced`. Returns false if there is another
   * entry, `replaced` was removed or changed, or another window acquires it at the same time: nothing may be sent then.
   * Throws if the disk refuses.
   */
  acquire(entry: E, replaced?: E): Promise<boolean> {
    return recordRequest(() =>
      this.#locked(entry, async (hasWaited, isHeld) => {
        // The window that had the lock first may have sent it and removed its entry.
        if (hasWaited) return false;
        const stored = await this.find(entry);
        const isExpected =
          stored === undefined || replaced === undefined
            ? stored === replaced
            : isSameEntry(stored, replaced) && stored.until === replaced.until;
        if (!isExpected) return false;
        await this.#write(entry);
        return isHeld();
      }),
    );
  }

  /**
   * Extends an entry right before its request, and changes it. Throws if it was removed or replaced: another window has
   * taken over, and nothing may be sent.
   */
  async renew(entry: E, change?: C): Promise<E> {
    const renewed = await this.#append(entry, (stored) => Math.max(this.#getDeadline(), stored.until + 1), change);
    // The machine may have slept after it was written.
    if (renewed === undefined || !this.isInFlight(renewed)) throw createLostEntryError();
    return renewed;
  }

  /** Changes an entry. Returns undefined if it was removed or replaced. */
  record(entry: E, change: C): Promise<E | undefined> {
    return this.#append(entry, ({ until }) => until, change);
  }

  /** Records that no window is sending an entry's request any more. Returns undefined if it was removed or replaced. */
  settle(entry: E, change?: C): Promise<E | undefined> {
    return this.#append(entry, () => 0, change);
  }

  /** Removes an entry, or restores the one it replaced. Returns true in only one of several windows. */
  async release(entry: E, restored?: E): Promise<boolean> {
    const released = await this.#change(entry, async (_stored, name) => {
      await (restored === undefined ? this.#files.delete(name) : this.#write(restored));
      return entry;
    });
    return released !== undefined;
  }

  /**
   * Returns the entries, the oldest first, and deletes the expired ones.
   *
   * @param skipDamaged whether to leave out damaged files; by default, throws for one
   */
  async all(skipDamaged?: 'skipDamaged'): Promise<readonly E[]> {
    const names = (await this.#files.list(this.#folder)).filter((name) => name.endsWith(SUFFIX));
    const read = await Promise.all(names.map((name) => this.#read(`${this.#folder}/${name}`)));
    const entries = read.flatMap((found) => {
      if (found === undefined) return [];
      if (found.entry !== undefined) return [found.entry];
      if (skipDamaged) return [];
      throw createDamageError(found.path);
    });
    for (const entry of entries) if (this.#isExpired(entry)) await this.release(entry).catch(() => false);
    return entries.filter((entry) => !this.#isExpired(entry)).toSorted((one, other) => one.asked - other.asked);
  }

  /**
   * Returns the entry of this subject, of any connection to the service. Throws if its file is damaged: a request may
   * have been sent.
   */
  async find(subject: Subject): Promise<E | undefined> {
    const found = await this.#read(this.#name(subject));
    if (found === undefined) return undefined;
    if (found.entry === undefined) throw createDamageError(found.path);
    return this.#isExpired(found.entry) ? undefined : found.entry;
  }

  /** Returns whether this entry still exists: it may have been confirmed or replaced. */
  async has(entry: E): Promise<boolean> {
    const found = await this.find(entry);
    return found !== undefined && isSameEntry(found, entry);
  }

  /** Returns whether the window that sends may still be waiting for the response. */
  isInFlight({ asked, until }: E): boolean {
    const now = this.now();
    // The clock may have been set back.
    return now < until && now > asked - (until - asked);
  }

  /** Connecting, the response's headers and its body have the timeout each. */
  #getDeadline() {
    return this.now() + Math.max(MIN_RESPONSE_MS, 3 * this.#getTimeoutMs());
  }

  #isExpired({ asked }: E) {
    return this.now() - asked >= (this.#kind.expiryMs ?? Infinity);
  }

  #append(entry: E, getUntil: (stored: E) => number, change: C | undefined) {
    return this.#change(entry, async (stored, name, size) => {
      const until = getUntil(stored);
      const changed = { ...(change === undefined ? stored : this.#kind.apply(stored, change)), until };
      await this.#files.append(name, `${JSON.stringify({ until, change })}\n`, size);
      return changed;
    });
  }

  /** Changes an entry's file unless the entry was removed or replaced. */
  #change(entry: E, change: (stored: E, name: string, size: number) => Promise<E>): Promise<E | undefined> {
    return this.#locked(entry, async (_hasWaited, isHeld) => {
      const name = this.#name(entry);
      const { entry: stored, size = 0 } = (await this.#read(name)) ?? {};
      if (stored === undefined || !isSameEntry(stored, entry)) return undefined;
      const changed = await change(stored, name, size);
      return (await isHeld()) ? changed : undefined;
    });
  }

  #write(entry: E) {
    return this.#files.write(this.#name(entry), `${JSON.stringify(entry)}\n`, true);
  }

  #locked<T>(subject: Subject, task: LockedTask<T>) {
    return this.#files.withLock(this.#name(subject, '.lock'), task);
  }

  #name(subject: Subject, suffix = SUFFIX) {
    const hash = createHash('sha256').update(getSubjectKey(subject)).digest('hex').slice(0, 32);
    return `${this.#folder}/${hash}${suffix}`;
  }

  /** Reads a file, if it exists. `entry` is undefined if the file is damaged; `size`: of its complete lines, in bytes. */
  async #read(
    name: string,
  ): Promise<{ readonly entry?: E; readonly size?: number; readonly path: string } | undefined> {
    const text = await this.#files.read(name);
    if (text === undefined) return undefined;
    const path = join(this.#files.folder, name);
    const complete = text.slice(0, text.lastIndexOf('\n') + 1);
    const [first = '', ...lines] = complete.split('\n').slice(0, -1);
    try {
      const entry = lines.reduce(
        (last, line) => {
          const { until, change } = v.parse(this.#line, line);
          return { ...(change === undefined ? last : this.#kind.apply(last, change)), until };
        },
        v.parse(this.#entry, first),
      );
      // A copied or renamed file is no entry of its subject.
      return this.#name(entry) === name ? { entry, size: Buffer.byteLength(complete), path } : { path };
    } catch {
      return { path };
    }
  }
}

/** Says that another window has taken over. */
export function createLostEntryError(): Error {
  return new Error(t('Another window has continued this. Nothing was sent from this one.'));
}

function createDamageError(path: string) {
  return new Error(
    t`The record of an earlier request is damaged, so it may have been sent. Check the service's website, then delete this file to continue: ${path}`,
  );
}

export function getSubjectKey({ baseUrl, what }: Omit<Subject, 'connection'>): string {
  return `${getServiceIdentity(baseUrl)}\n${what}`;
}

export function isSameService(one: Pick<Subject, 'baseUrl'>, other: Pick<Subject, 'baseUrl'>): boolean {
  return getServiceIdentity(one.baseUrl) === getServiceIdentity(other.baseUrl);
}

/** Returns whether two entries describe the same request. */
export function isSameEntry(one: JournalEntry, other: JournalEntry): boolean {
  return getSubjectKey(one) === getSubjectKey(other) && one.asked === other.asked;
}

/** Formats the time of a request in the user's time zone. */
export function formatRequestTime({ asked }: Pick<JournalEntry, 'asked'>): string {
  return formatTimestamp(asked / 1000) ?? '';
}
