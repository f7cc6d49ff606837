import * as v from 'valibot';
import { collectRows, isObject, type JsonObject } from './shapes.ts';

/*
 * The records that the client returns, with the field names of the API document. `requests.ts` contains the arguments. `null` and missing
 * values of documented columns become `null`.
 */

/** Returns a safe integer, or undefined if the value is not one. */
export function parseInteger(value: unknown): number | undefined {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string' && !/^\s*[+-]?\d+\s*$/.test(value)) return undefined;
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

const isEmpty = (value: unknown) => value === '' || value === false || (Array.isArray(value) && value.length === 0);

/** The message of an issue. `createFieldError` describes it in the display language. */
export type ExpectedType = 'number' | 'text' | 'numbers' | 'condition';

/** Creates a schema from a function. Its result `undefined` is an issue with the message `expected`. */
function transformWith<T>(reader: (value: unknown) => T | undefined, expected: ExpectedType) {
  return v.pipe(
    v.unknown(),
    v.rawTransform<unknown, T>(({ dataset, addIssue, NEVER }) => {
      const value = reader(dataset.value);
      if (value !== undefined) return value;
      addIssue({ message: expected });
      return NEVER;
    }),
  );
}

/** Booleans are invalid, because `true` would become record 1. */
const id = transformWith((value) => (typeof value === 'boolean' ? undefined : parseInteger(value)), 'number');
const number = v.nullish(
  transformWith((value) => (value === '' ? null : parseInteger(value)), 'number'),
  null,
);
const text = v.nullish(
  transformWith((value) => {
    if (typeof value === 'string') return value;
    if (typeof value === 'number') return String(value);
    return isEmpty(value) ? null : undefined;
  }, 'text'),
  null,
);
/** Read-only columns that some installations fill with settings. */
const anyText = v.nullish(
  transformWith((value) => (typeof value === 'string' ? value : isEmpty(value) ? null : JSON.stringify(value)), 'text'),
  null,
);

/**
 * Parses a list of ids, also from a string (`3,5`, `["3"]` or empty). Returns each id once in ascending order, so that the order is not a
 * change. Returns undefined if any item is not an id.
 */
function parseNumbers(value: unknown): readonly number[] | undefined {
  if (typeof value === 'string')
    return /^[\s,;[\]"]*$/.test(value) ? [] : parseNumbers(value.split(/[\s,;[\]"]+/).filter((part) => part !== ''));
  if (typeof value === 'number') return parseNumbers([value]);
  if (typeof value !== 'object' || value === null) return undefined;
  const numbers = Object.values(value).map((one) => (typeof one === 'boolean' ? undefined : parseInteger(one)));
  return numbers.every((one) => one !== undefined)
    ? [...new Set(numbers)].sort((one, other) => one - other)
    : undefined;
}
const numbers = v.nullish(transformWith(parseNumbers, 'numbers'), null);

/** PHP writes an empty object as `[]`. */
function parseObject(value: unknown): JsonObject | null | undefined {
  if (isEmpty(value)) return Array.isArray(value) ? {} : null;
  return isObject(value) ? { ...value } : undefined;
}
const condition = v.nullish(
  transformWith((value): FollowUpCondition | null | undefined => {
    const object = parseObject(value);
    if (!object) return object;
    for (const column of ['lists', 'segments'].filter((name) => Object.hasOwn(object, name))) {
      const ids = parseNumbers(object[column] ?? []);
      if (!ids) return undefined;
      object[column] = ids;
    }
    return object;
  }, 'condition'),
  null,
);

// Undocumented columns: parsed if they have the observed shape, otherwise returned as received, and omitted if missing.
const lenient = <T>(reader: (value: unknown) => T | undefined) =>
  v.optional(
    v.pipe(
      v.unknown(),
      v.transform((value) => (value === null || value === '' ? value : (reader(value) ?? value)) as T | null),
    ),
  );
const lenientNumber = lenient(
  (value) =>
    parseInteger(value) ?? (typeof value === 'string' && /^-?\d+\.\d+$/.test(value) ? Number(value) : undefined),
);
/** The recipients of a campaign must be exact. */
const optionalIds = v.optional(
  v.nullable(transformWith((value) => (value === '' ? null : parseNumbers(value)), 'numbers')),
);
/** Editable columns must be strings, because they are written back. */
const optionalText = v.optional(text);
const lenientObject = lenient(parseObject);
/** HTML that the site adds to the email (`fromWireEmail`). Never written back. */
const siteFooter = v.optional(v.string());

/** Observed columns of statistics, returned as received. */
const observedText = lenient((value) => (typeof value === 'string' ? value : undefined));

/** The schema of a record: its columns, and undocumented fields as received. */
export interface RecordKind<C extends v.ObjectEntries> {
  readonly schema: v.LooseObjectSchema<C, undefined>;
  /** Columns that distinguish a record from a message. */
  readonly identifyingColumns: readonly string[];
  /** Column that the keys of an object of records represent. */
  readonly keyColumn?: string;
}

const defineRecord = <C extends v.ObjectEntries>(
  columns: C,
  identifyingColumns: readonly string[] = ['id', 'name'],
  keyColumn?: string,
): RecordKind<C> => ({ schema: v.looseObject(columns), identifyingColumns, keyColumn });

/** A record of a kind, with its undocumented fields. */
type RecordOf<K extends RecordKind<v.ObjectEntries>> = Readonly<v.InferOutput<K['schema']>>;

/** One list in the subscriptions of a user; `id` is the list's. */
export type Subscription = RecordOf<typeof subscription>;
export const subscription = defineRecord(
  {
    id,
    translation: anyText,
    name: text,
    display_name: text,
    /** `#rrggbb` */
    color: text,
    active: number,
    visible: number,
    description: text,
    /** `1` subscribed, `0` unsubscribed. */
    status: number,
    subscription_date: text,
    unsubscribe_date: text,
  },
  ['id', 'name'],
  'id',
);

/** A subscriber, or unsubscribed user, of lists. */
export type Subscriber = RecordOf<typeof subscriber>;
export const subscriber = defineRecord(
  {
    id,
    email: text,
    name: text,
    confirmed: number,
    /** `1` subscribed, `0` unsubscribed. */
    status: number,
    subscription_date: text,
  },
  ['id', 'email'],
);

/** A user with custom fields by label, which overwrite columns of the same name. */
export const user = defineRecord({ id }, ['id', 'email']);

export type MailingList = RecordOf<typeof list>;
export const list = defineRecord({
  id,
  name: text,
  display_name: text,
  active: number,
  visible: number,
  clean: anyText,
  /** `#rrggbb` */
  color: text,
  creation_date: text,
  welcome_id: number,
  unsubscribe_id: number,
  cms_user_id: number,
  access: anyText,
  description: text,
  tracking: number,
  /** `standard`; some installations also return `followup`. */
  type: text,
  translation: anyText,
  // Only some installations return these counts.
  subscribers: lenientNumber,
  unsubscribed_users: lenientNumber,
  new_sub: lenientNumber,
  new_unsub: lenientNumber,
});

export type Template = RecordOf<typeof template>;
export const template = defineRecord({
  id,
  name: text,
  creation_date: text,
  /** `0` standard, `1` drag and drop (can't be modified through the interface). */
  drag_editor: number,
  body: text,
  /** `null` in collections if the service omits it. */
  subject: text,
  from_name: text,
  from_email: text,
  reply_to_name: text,
  reply_to_email: text,
  settings: anyText,
  stylesheet: text,
  headers: text,
  preheader: text,
  footer: siteFooter,
});

export type FollowUpTrigger =
  'user_subscribe' | 'birthday' | 'user_creation' | 'ecommerce_a_purchase' | 'ecommerce_b_purchase';

export interface FollowUpCondition extends Readonly<JsonObject> {
  readonly lists_status?: string;
  readonly lists?: readonly number[];
  readonly segments_status?: string;
  readonly segments?: readonly number[];
}

const followUpColumns = {
  id,
  name: text,
  display_name: text,
  creation_date: text,
  /** A `FollowUpTrigger` or an installation-specific value. */
  trigger: text,
  condition,
  active: number,
  send_once: number,
  list_id: number,
  /** Seconds since the epoch. */
  last_trigger: number,
  loop: number,
  /** Seconds. */
  loop_delay: number,
  /** Ids of mails. */
  loop_mail_skip: numbers,
};

export type FollowUp = RecordOf<typeof followUp>;
export const followUp = defineRecord(followUpColumns);

/** One email of a follow-up. */
export type FollowUpMail = Readonly<v.InferOutput<typeof followUpMail>>;
const followUpMail = v.looseObject({
  mail_id: id,
  followup_id: number,
  /** In units of `delay_unit`. */
  delay: number,
  /** Seconds: 60, 3600, 86400, 604800 or 2628000. */
  delay_unit: number,
  send_once: number,
});

export type FollowUpWithMails = RecordOf<typeof followUpWithMails>;
export const followUpWithMails = defineRecord({
  ...followUpColumns,
  mails: v.nullish(
    v.pipe(
      v.unknown(),
      v.transform((value) => collectRows(value, ['mail_id'], 'mail_id')),
      v.array(followUpMail),
      v.readonly(),
    ),
    () => [],
  ),
});

/**
 * Campaign fields are undocumented; these were observed. Each may be missing, except the id. A start date stored as a timestamp is
 * `YYYY-MM-DD` for midnight UTC, and `YYYY-MM-DDTHH:MM:SSZ` otherwise.
 */
export type Campaign = RecordOf<typeof campaign>;
export const campaign = defineRecord({
  id,
  draft: lenientNumber,
  active: lenientNumber,
  mail_id: lenientNumber,
  sent: lenientNumber,
  parent_id: lenientNumber,
  visible: lenientNumber,
  sending_params: lenientObject,
  /** Settings of the site in `sending_params`, if updates take them. Set by the client. */
  siteParams: v.optional(v.record(v.string(), v.unknown())),
  listIds: optionalIds,
  name: optionalText,
  subject: optionalText,
  /** Only if a single campaign is read. */
  body: optionalText,
  /** `now`, `scheduled`, `auto` */
  sending_type: optionalText,
  sending_date: optionalText,
  from_name: optionalText,
  from_email: optionalText,
  reply_to_name: optionalText,
  reply_to_email: optionalText,
  bounce_email: optionalText,
  bcc: optionalText,
  footer: siteFooter,
});

/** An email of any kind. Not in the API document. */
export type StoredEmail = RecordOf<typeof email>;
export const email = defineRecord({ id, name: optionalText, subject: optionalText, creation_date: optionalText });

/** Statistics fields are undocumented; these were observed. Each may be missing. */
const defineStatistics = <C extends v.ObjectEntries>(columns: C): RecordKind<C> =>
  defineRecord(columns, Object.keys(columns));

export type CampaignStatistics = RecordOf<typeof campaignStatistics>;
export const campaignStatistics = defineStatistics({
  mail_id: lenientNumber,
  total_subscribers: lenientNumber,
  sent: lenientNumber,
  send_date: observedText,
  fail: lenientNumber,
  open_unique: lenientNumber,
  open_total: lenientNumber,
  click_unique: lenientNumber,
  click_total: lenientNumber,
  bounce_unique: lenientNumber,
  unsubscribe_total: lenientNumber,
  tracking_sale: lenientNumber,
  currency: observedText,
});

/** Activity of one user for one campaign. */
export type CampaignUserStatistics = RecordOf<typeof userStatistics>;
export const userStatistics = defineStatistics({
  user_id: lenientNumber,
  mail_id: lenientNumber,
  email: observedText,
  send_date: observedText,
  fail: lenientNumber,
  sent: lenientNumber,
  open: lenientNumber,
  open_date: observedText,
  bounce: lenientNumber,
  bounce_rule: observedText,
  unsubscribe: lenientNumber,
  tracking_sale: lenientNumber,
  currency: observedText,
  device: observedText,
  opened_with: observedText,
});

/** Clicks of one user on one link. */
export const click = defineStatistics({
  url_id: lenientNumber,
  user_id: lenientNumber,
  click: lenientNumber,
  date_click: observedText,
  email: observedText,
  url: observedText,
});

/** Clicks on one link. */
export const link = defineStatistics({
  id: lenientNumber,
  /** URL of the link. */
  name: observedText,
  total_click: lenientNumber,
  unique_click: lenientNumber,
  mail_subject: observedText,
  mail_name: observedText,
});
