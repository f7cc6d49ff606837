import { t } from '@vscode/l10n';
import { createHash } from 'node:crypto';
import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { ServiceRef } from '../../platform/connections/model.ts';
import type { Campaign, MailingClient } from '../../service/client/index.ts';
import { getServiceIdentity } from '../../service/client/address.ts';
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
 * - A window was replaced while it read the record: `renew` fails right before the request.
 * - The file of an entry is damaged: `acquire` and `find` throw until the user has deleted it.
 * - A response arrives late: `recordOutcome` and `release` change only the entry that was acquired, never a later one.
 */

/** The subject of a request, identified by service and record. The ids of connections don't identify a service. */
export interface Subject extends ServiceRef {
  /** `campaigns/5`; for a test, the tested record: `tests/templates/7`. */
  readonly what: string;
}

/** The parts of connections that sending needs. */
export interface SendConnections {
  get(id: string): { readonly baseUrl: string; readonly name?: string } | undefined;
  run<T>(service: ServiceRef, operation: (client: MailingClient) => Promise<T>): Promise<T>;
}

/** The fields of a campaign that change when it is sent or scheduled. */
export type SendState = Pick<Campaign, 'draft' | 'active' | 'sent' | 'sending_date'>;

const fields = {
  connection: v.string(),
  baseUrl: v.string(),
  what: v.string(),
  /** When it was requested, in ms since the epoch. */
  asked: v.number(),
  /** When the window that sends has its response or never gets one, in ms since the epoch. */
  until: v.number(),
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

/** A window that sleeps for a moment keeps its entry. */
const MIN_RESPONSE_MS = 2 * 60_000;
/** Entries of tests expire after a week: no service is still processing the request. */
export const TEST_EXPIRY_MS = 7 * 24 * 60 * 60 * 1000;

interface JournalOptions {
  /** Returns ms since the epoch. */
  readonly now?: () => number;
  /** How long a request takes at most, in ms. */
  readonly getTimeoutMs?: () => number;
  /** When entries expire, in ms after their request. Default: never, because a wrong clock must not forget a send. */
  readonly expiryMs?: number;
}

/** Requests without a confirmed outcome, one file each, shared by all windows on a machine. */
export class Journal<E extends JournalEntry> {
  readonly #folder: string;
  readonly #schema: v.GenericSchema<string, E>;
  readonly #getTimeoutMs: () => number;
  readonly #expiryMs: number;
  /** Returns ms since the epoch. */
  readonly now: () => number;

  /** `folder`: used by the journal alone. It is created with the first entry. */
  constructor(
    folder: string,
    schema: v.GenericSchema<unknown, E>,
    { now = Date.now, getTimeoutMs = () => 30_000, expiryMs = Infinity }: JournalOptions = {},
  ) {
    this.#folder = folder;
    this.#schema = v.pipe(v.string(), v.parseJson(), schema);
    this.now = now;
    this.#getTimeoutMs = getTimeoutMs;
    this.#expiryMs = expiryMs;
  }

  /** Returns the times of an entry whose request is about to be sent. */
  start(): Pick<JournalEntry, 'asked' | 'until'> {
    return { asked: this.now(), until: this.#getDeadline() };
  }

  /**
   * Extends an entry right before its request. Throws if it was removed or replaced: another window has taken over, and
   * nothing may be sent.
   */
  async renew(entry: E): Promise<E> {
    const renewed = { ...entry, until: this.#getDeadline() };
    if (await this.recordOutcome(renewed)) return renewed;
    throw new Error(t('Another window has continued this send. Nothing was sent from this one.'));
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
      const stored = await this.find(entry);
      const isExpected =
        stored === undefined || replaced === undefined ? stored === replaced : isSameEntry(stored, replaced);
      if (!isExpected) return false;
      await this.#write(entry);
      return isHeld();
    });
    return recordRequest(() => locked);
  }

  /** Updates an entry. Returns false if it was removed or replaced. */
  recordOutcome(entry: E): Promise<boolean> {
    return this.#change(entry, () => this.#write(entry));
  }

  /** Removes an entry, or restores the one it replaced. Returns true in only one of several windows. */
  release(entry: E, restored?: E): Promise<boolean> {
    return this.#change(entry, (file) => (restored === undefined ? rm(file) : this.#write(restored)));
  }

  /** Returns the readable entries. Deletes the expired ones. */
  async all(): Promise<readonly E[]> {
    const names = (await undefinedIfMissing(readdir(this.#folder))) ?? [];
    const files = names.filter((name) => name.endsWith('.json')).map((name) => join(this.#folder, name));
    const entries = await Promise.all(files.map((file) => this.#read(file)));
    for (const entry of entries)
      if (typeof entry === 'object' && this.#isExpired(entry)) await this.release(entry).catch(() => false);
    return entries.filter((entry) => typeof entry === 'object').filter((entry) => !this.#isExpired(entry));
  }

  /**
   * Returns the entry of this subject, of any connection to the service. Throws if its file is damaged: a request may
   * have been sent.
   */
  async find(subject: Subject): Promise<E | undefined> {
    const file = this.#path(subject, 'json');
    const entry = await this.#read(file);
    if (entry === 'damaged')
      throw new Error(
        t`The record of an earlier send is damaged, so it may have been sent. Check the service's website. To send it anyway, delete this file first: ${file}`,
      );
    return entry && !this.#isExpired(entry) ? entry : undefined;
  }

  /** Returns whether this entry still exists: it may have been confirmed or replaced. */
  async has(entry: E): Promise<boolean> {
    const found = await this.find(entry);
    return found !== undefined && isSameEntry(found, entry);
  }

  /** Returns whether the window that sends may still be waiting for the response. */
  isInFlight({ isUnconfirmed, asked, until }: E): boolean {
    const now = this.now();
    // The clock may have been set back.
    return isUnconfirmed !== true && now < until && now > asked - (until - asked);
  }

  /** Connecting, the response's headers and its body have the timeout each. */
  #getDeadline() {
    return this.now() + Math.max(MIN_RESPONSE_MS, 3 * this.#getTimeoutMs());
  }

  #isExpired({ asked }: E) {
    return this.now() - asked > this.#expiryMs;
  }

  #change(entry: E, change: (file: string) => Promise<void>) {
    return this.#locked(entry, async () => {
      const isFound = await this.#read(this.#path(entry, 'json')).then(
        (found) => typeof found === 'object' && isSameEntry(found, entry),
      );
      if (isFound) await change(this.#path(entry, 'json'));
      return isFound;
    });
  }

  #write(entry: E) {
    return replaceFile(this.#path(entry, 'json'), JSON.stringify(entry), true);
  }

  #locked(subject: Subject, task: Parameters<typeof withFileLock<boolean>>[1]) {
    return withFileLock(this.#path(subject, 'lock'), task);
  }

  #path(subject: Subject, extension: string) {
    const hash = createHash('sha256').update(getSubjectKey(subject)).digest('hex').slice(0, 32);
    return join(this.#folder, `${hash}.${extension}`);
  }

  async #read(file: string): Promise<E | 'damaged' | undefined> {
    const content = await undefinedIfMissing(readFile(file, 'utf8'));
    if (content === undefined) return undefined;
    const { success, output } = v.safeParse(this.#schema, content);
    // A copied or renamed file is no entry of its subject.
    return success && this.#path(output, 'json') === file ? output : 'damaged';
  }
}

export function getSubjectKey({ baseUrl, what }: Omit<Subject, 'connection'>): string {
  return `${getServiceIdentity(baseUrl)}\n${what}`;
}

export function isSameService(one: Pick<ServiceRef, 'baseUrl'>, other: Pick<ServiceRef, 'baseUrl'>): boolean {
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
  { campaignId, before, ...service }: ServiceRef & Pick<SendEntry, 'campaignId' | 'before'>,
): Promise<boolean> {
  const reading = connections.run(service, (client) => client.getCampaignById(campaignId));
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
