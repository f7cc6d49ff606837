import * as v from 'valibot';
import type { Campaign } from '../../service/client/index.ts';
import { entryFields, type JournalEntry, type RequestKind } from './journal.ts';

/** The fields of a campaign that change when it is sent or scheduled. */
export type SendState = Pick<Campaign, 'draft' | 'active' | 'sent' | 'sending_date'>;

const sendState = v.custom<SendState>((value) => typeof value === 'object' && value !== null);
/** Name of the campaign or email, for messages. Untrusted. */
const name = v.string();

const sendEntry = v.object({
  ...entryFields,
  name,
  campaignId: v.number(),
  before: sendState,
  /** When watching its record ends, in ms since the epoch. */
  watchUntil: v.number(),
});

const testEntry = v.object({
  ...entryFields,
  name,
  /** Recipients without a confirmed outcome. */
  addresses: v.pipe(v.array(v.string()), v.readonly()),
  /** Of the template, or of the campaign that a list is reserved for. Absent until the service reports it. */
  id: v.optional(v.number()),
  /** State of the campaign before it was sent. */
  before: v.optional(sendState),
});

const pushEntry = v.object({
  ...entryFields,
  /** Hashes of the sent texts by field. */
  hashes: v.record(v.string(), v.string()),
  /** Its texts were on the service since. */
  isSeen: v.optional(v.boolean()),
});

export type SendEntry = Readonly<v.InferOutput<typeof sendEntry>>;
export type TestEntry = Readonly<v.InferOutput<typeof testEntry>>;
export type PushEntry = Readonly<v.InferOutput<typeof pushEntry>>;

/** A kind whose changes replace fields. */
const createKind = <E extends JournalEntry>(
  entry: v.GenericSchema<unknown, E>,
  change: v.GenericSchema<unknown, Partial<E>>,
  expiryMs?: number,
): RequestKind<E, Partial<E>> => ({
  entry,
  change,
  apply: (before, changed) => ({ ...before, ...changed }),
  ...(expiryMs !== undefined && { expiryMs }),
});

/** A campaign that was requested to be sent. */
export const sendKind = createKind<SendEntry>(sendEntry, v.partial(sendEntry));

/** A test to addresses, a template or campaign to delete, or a reserved list. After a week, no service is still processing the request. */
export const testKind = createKind<TestEntry>(testEntry, v.partial(testEntry), 7 * 24 * 60 * 60 * 1000);

/** A push of a template. After an hour, it can't take effect on the service any more. */
export const pushKind = createKind<PushEntry>(pushEntry, v.partial(pushEntry), 60 * 60 * 1000);
