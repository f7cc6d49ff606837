import { createHash } from 'node:crypto';
import { readFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Campaign, MailingClient } from '../../service/client/index.ts';
import { formatTimestamp } from '../../service/format.ts';
import { withFileLock } from '../../sync/exclusive.ts';
import { errorCode, recordRequest, replaceFile } from '../../sync/files.ts';

/*
 * The journal of requests that must not be repeated: campaigns and tests, and the records and lists that tests need.
 *
 * Invariant: from before a request leaves this machine until its outcome is confirmed, its subject has an entry, and
 * only the window that acquired the entry sends. No email goes out twice:
 * - Two windows send at the same time: `acquire` reads and writes under a lock file. A window that waited for the lock
 *   loses, even if the winner has finished. So does a window that lost the lock, for example while the machine slept.
 * - The window closes, reloads or crashes: the entry was written before the request, so the next window finds it.
 * - The user repeats an unconfirmed send: `acquire` replaces only the entry that the user was asked about, and
 *   `release` restores it if the repeated request had no effect.
 * - A response arrives late: `recordOutcome` and `release` change only the entry that was acquired, never a later one.
 */

/**
 * The subject of a request. Two connections with the same address are the same service, so a subject is identified by
 * address and record.
 */
export interface Subject {
  readonly connection: string;
  /** Normalized, as in connections. */
  readonly baseUrl: string;
  /** `campaigns/5`; for a test, the tested record: `tests/templates/7`. */
  readonly what: string;
}

/** The parts of connections that sending needs. */
export interface SendConnections {
  get(id: string): { readonly baseUrl: string; readonly name?: string } | undefined;
  run<T>(id: string, operation: (client: MailingClient) => Promise<T>): Promise<T>;
}

/** The fields of a campaign that change when it is sent or scheduled. */
export type SendState = Pick<Campaign, 'draft' | 'active' | 'sent' | 'sending_date'>;

const fields = {
  connection: v.string(),
  baseUrl: v.string(),
  what: v.string(),
  /** When it was requested, in ms since the epoch. */
  asked: v.number(),
  /** Name of the campaign or email, for messages. Untrusted. */
  name: v.string(),
  /** Whether the response was lost. Until then, the window that sends is still waiting for it, or has crashed. */
  isUnconfirmed: v.optional(v.boolean()),
};
const sendState = v.custom<SendState>((value) => typeof value === 'object' && value !== null);

/** A campaign that was requested to be sent. */
export const sendEntrySchema = v.object({
  ...fields,
  campaignId: v.number(),
  before: sendState,
  /** When watching its record ends, in ms since the epoch. */
  watchUntil: v.number(),
});

/** A test to addresses, a template or campaign to delete, or a reserved list. */
export const testEntrySchema = v.object({
  ...fields,
  /** Recipients without a confirmed outcome. */
  addresses: v.pipe(v.array(v.string()), v.readonly()),
  /** Ids are absent until the service reports them. */
  templateId: v.optional(v.number()),
  campaignId: v.optional(v.number()),
  /** State of the campaign before it was sent. */
  before: v.optional(sendState),
});

export type SendEntry = Readonly<v.InferOutput<typeof sendEntrySchema>>;
export type TestEntry = Readonly<v.InferOutput<typeof testEntrySchema>>;
type JournalEntry = Readonly<v.InferOutput<v.ObjectSchema<typeof fields, undefined>>>;

/** After this time, another window has its response or never gets one. */
export const RESPONSE_TIMEOUT_MS = 2 * 60_000;
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

/** Requests without a confirmed outcome, one file each, shared by all windows on a machine. */
export class Journal<E extends JournalEntry> {
  readonly #folder: string;
  readonly #schema: v.GenericSchema<string, E>;
  /** Returns ms since the epoch. */
  readonly now: () => number;

  /** `folder`: used by the journal alone. It is created with the first entry. */
  constructor(folder: string, schema: v.GenericSchema<unknown, E>, now: () => number = Date.now) {
    this.#folder = folder;
    this.#schema = v.pipe(v.string(), v.parseJson(), schema);
    this.now = now;
  }

  /**
   * Writes the entry of a request that is about to be sent, replacing `replaced`. Returns false if there is another
   * entry, `replaced` was removed, or another window acquires it at the same time: nothing may be sent then. Throws if
   * the disk refuses.
   */
  async acquire(entry: E, replaced?: E): Promise<boolean> {
    const locked = this.#locked(entry, async (hasWaited, isHeld) => {
      // The window that had the lock first may have sent it and removed its entry.
      if (hasWaited) return false;
      const stored = await this.#readActive(entry);
      const found = stored.find((each) => replaced !== undefined && isSameEntry(each.entry, replaced));
      if (replaced === undefined ? stored.length > 0 : found === undefined) return false;
      await this.#write(entry, found?.file);
      return isHeld();
    });
    return recordRequest(() => locked);
  }

  /** Updates an entry. Returns false if it was removed or replaced. */
  recordOutcome(entry: E): Promise<boolean> {
    return this.#change(entry, (file) => this.#write(entry, file));
  }

  /** Removes an entry, or restores the one it replaced. Returns true in only one of several windows. */
  release(entry: E, restored?: E): Promise<boolean> {
    return this.#change(entry, (file) => (restored === undefined ? rm(file) : this.#write(restored, file)));
  }

  async all(): Promise<readonly E[]> {
    for (const { file, isExpired } of await this.#readAll())
      if (isExpired)
        await withFileLock(file.replace(/json$/u, 'lock'), async () => {
          if ((await this.#read(file))?.isExpired) await rm(file, { force: true });
        });
    return (await this.#readActive()).map(({ entry }) => entry);
  }

  /** Returns the latest entry of this subject, of any connection to the service. */
  async find(subject: Subject): Promise<E | undefined> {
    const stored = await this.#readActive(subject);
    return stored.map(({ entry }) => entry).toSorted((one, other) => other.asked - one.asked)[0];
  }

  /** Returns whether this entry still exists: it may have been confirmed or replaced. */
  async has(entry: E): Promise<boolean> {
    return (await this.#readActive(entry)).some((each) => isSameEntry(each.entry, entry));
  }

  /** Returns whether the window that sends may still be waiting for the response. */
  isInFlight({ isUnconfirmed, asked }: E): boolean {
    // The clock may have been set back.
    return isUnconfirmed !== true && Math.abs(this.now() - asked) < RESPONSE_TIMEOUT_MS;
  }

  #change(entry: E, change: (file: string) => Promise<void>) {
    return this.#locked(entry, async () => {
      const found = (await this.#readActive(entry)).find((each) => isSameEntry(each.entry, entry));
      if (found !== undefined) await change(found.file);
      return found !== undefined;
    });
  }

  async #write(entry: E, file: string | undefined) {
    const target = this.#path(entry, 'json');
    await replaceFile(target, JSON.stringify(entry), true);
    // Version 0.1.0 included the connection in file names.
    if (file !== undefined && file !== target) await rm(file);
  }

  #locked(subject: Subject, task: Parameters<typeof withFileLock<boolean>>[1]) {
    return withFileLock(this.#path(subject, 'lock'), task);
  }

  #path(subject: Subject, extension: string) {
    const hash = createHash('sha256').update(getSubjectKey(subject)).digest('hex').slice(0, 32);
    return join(this.#folder, `${hash}.${extension}`);
  }

  /** Returns the valid entries, or those of one subject. */
  async #readActive(subject?: Subject): Promise<readonly { readonly file: string; readonly entry: E }[]> {
    return (await this.#readAll()).flatMap(({ file, entry, isExpired }) =>
      entry === undefined || isExpired || (subject && getSubjectKey(entry) !== getSubjectKey(subject))
        ? []
        : [{ file, entry }],
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
    const { success, output } = v.safeParse(this.#schema, content);
    if (success) return { file, entry: output, isExpired: this.now() - output.asked > EXPIRY_MS };
    const writtenAt = (await undefinedIfMissing(stat(file)))?.mtimeMs ?? 0;
    return { file, entry: undefined, isExpired: this.now() - writtenAt > WRITING_MS };
  }
}

export function toSubject(connections: Pick<SendConnections, 'get'>, connection: string, what: string): Subject {
  return { connection, baseUrl: connections.get(connection)?.baseUrl ?? '', what };
}

export function getSubjectKey({ baseUrl, what }: Omit<Subject, 'connection'>): string {
  return `${baseUrl}\n${what}`;
}

/** Returns whether two entries describe the same request. */
export function isSameEntry(one: JournalEntry, other: JournalEntry): boolean {
  return getSubjectKey(one) === getSubjectKey(other) && one.asked === other.asked;
}

/** Formats the time of a request in the user's time zone. */
export function formatRequestTime({ asked }: Pick<JournalEntry, 'asked'>): string {
  return formatTimestamp(asked / 1000) ?? '';
}

export function getSendState({ draft, active, sent, sending_date }: SendState): SendState {
  return { draft, active, sent, sending_date };
}

export function isSameSendState(one: SendState, other: SendState): boolean {
  return JSON.stringify(getSendState(one)) === JSON.stringify(getSendState(other));
}

/**
 * Returns whether a record shows that the campaign was sent since `before`. False proves nothing: if the response was
 * lost, the service may still be processing the request.
 */
export function wasSent(before: SendState, after: SendState): boolean {
  if (after.sent === 1 && before.sent !== 1) return true;
  // After a repeated send, only the date differs.
  if (before.sent === 1) return after.sent === 1 && after.sending_date !== before.sending_date;
  return (after.active === 1 && before.active !== 1) || (after.draft === 0 && before.draft === 1);
}

/** Returns whether a campaign's record shows that it was sent since `before`. A failed request counts as no. */
export async function recordShowsSent(
  connections: SendConnections,
  { connection, campaignId, before }: Pick<SendEntry, 'connection' | 'campaignId' | 'before'>,
): Promise<boolean> {
  const reading = connections.run(connection, (client) => client.getCampaignById(campaignId));
  const campaign = await reading.catch(() => undefined);
  return campaign !== undefined && wasSent(before, campaign);
}

/** Resolves with undefined if a file doesn't exist. Rethrows other errors. */
export async function undefinedIfMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}
