import * as v from 'valibot';
import type * as r from './records.ts';
import { collectRows, type JsonObject } from './shapes.ts';

// `null` and missing values of documented columns become `null`.

/** Returns a safe integer, or undefined if the value is not one. */
function parseInteger(value: unknown): number | undefined {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string' && !/^\s*[+-]?\d+\s*$/.test(value)) return undefined;
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

const isEmpty = (value: unknown) => value === '' || value === false || (Array.isArray(value) && value.length === 0);

/** Creates a schema from a function. Its result `undefined` is an issue with the message `expected`. */
function transformWith<T>(reader: (value: unknown) => T | undefined, expected: string) {
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
const id = transformWith((value) => (typeof value === 'boolean' ? undefined : parseInteger(value)), 'is not a number');
const number = v.nullish(
  transformWith((value) => (value === '' ? null : parseInteger(value)), 'is not a number'),
  null,
);
const text = v.nullish(
  transformWith((value) => {
    if (typeof value === 'string') return value;
    if (typeof value === 'number') return String(value);
    return isEmpty(value) ? null : undefined;
  }, 'is not a text'),
  null,
);
/** Read-only columns that some installations fill with settings. */
const anyText = v.nullish(
  transformWith(
    (value) => (typeof value === 'string' ? value : isEmpty(value) ? null : JSON.stringify(value)),
    'is not a text',
  ),
  null,
);

/**
 * Parses a list of ids, also from a string (`3,5`, `["3"]` or empty). Returns each id once in ascending order, so that the order is not a
 * change. Returns undefined if any item is not an id.
 */
function parseNumbers(value: unknown): number[] | undefined {
  if (typeof value === 'string')
    return /^[\s,;[\]"]*$/.test(value) ? [] : parseNumbers(value.split(/[\s,;[\]"]+/).filter((part) => part !== ''));
  if (typeof value === 'number') return parseNumbers([value]);
  if (typeof value !== 'object' || value === null) return undefined;
  const numbers = Object.values(value).map((one) => (typeof one === 'boolean' ? undefined : parseInteger(one)));
  return numbers.every((one) => one !== undefined)
    ? [...new Set(numbers)].sort((one, other) => one - other)
    : undefined;
}
const numbers = v.nullish(transformWith(parseNumbers, 'is not a list of numbers'), null);

/** PHP writes an empty object as `[]`. */
function parseObject(value: unknown): JsonObject | null | undefined {
  if (isEmpty(value)) return Array.isArray(value) ? {} : null;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}
const condition = v.nullish(
  transformWith((value): r.FollowUpCondition | null | undefined => {
    const object = parseObject(value);
    if (object === undefined || object === null) return object;
    for (const column of ['lists', 'segments'].filter((name) => Object.hasOwn(object, name))) {
      const ids = parseNumbers(object[column] ?? []);
      if (ids === undefined) return undefined;
      object[column] = ids;
    }
    return object;
  }, 'is not an object of lists and segments'),
  null,
);

// Undocumented columns: parsed if they have the observed shape, otherwise kept as received, and omitted if missing.
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
  v.nullable(transformWith((value) => (value === '' ? null : parseNumbers(value)), 'is not a list of numbers')),
);
/** Editable columns must be strings, because they are written back. */
const optionalText = v.optional(text);
const lenientObject = lenient(parseObject);

export interface RecordKind<R> {
  readonly schema: v.GenericSchema<unknown, R>;
  /** Columns that distinguish a record from a message. */
  readonly identifyingColumns: readonly string[];
  /** Column that the keys of an object of records represent. */
  readonly keyColumn?: string;
}

const followUpColumns = {
  id,
  name: text,
  display_name: text,
  creation_date: text,
  trigger: text,
  condition,
  active: number,
  send_once: number,
  list_id: number,
  last_trigger: number,
  loop: number,
  loop_delay: number,
  loop_mail_skip: numbers,
};

const mail: v.GenericSchema<unknown, r.FollowUpMail> = v.looseObject({
  mail_id: id,
  followup_id: number,
  delay: number,
  delay_unit: number,
  send_once: number,
});
const mails = v.nullish(
  v.pipe(
    v.unknown(),
    v.transform((value) => collectRows(value, ['mail_id'], 'mail_id')),
    v.array(mail),
  ),
  () => [],
);

const statistics = (columns: readonly string[]) =>
  v.looseObject(Object.fromEntries(columns.map((column) => [column, lenientNumber])));

export const subscription: RecordKind<r.Subscription> = {
  schema: v.looseObject({
    id,
    translation: anyText,
    name: text,
    display_name: text,
    color: text,
    active: number,
    visible: number,
    description: text,
    status: number,
    subscription_date: text,
    unsubscribe_date: text,
  }),
  identifyingColumns: ['id', 'name'],
  keyColumn: 'id',
};

export const subscriber: RecordKind<r.Subscriber> = {
  schema: v.looseObject({ id, email: text, name: text, confirmed: number, status: number, subscription_date: text }),
  identifyingColumns: ['id', 'email'],
};

export const list: RecordKind<r.MailingList> = {
  schema: v.looseObject({
    id,
    name: text,
    display_name: text,
    active: number,
    visible: number,
    clean: anyText,
    color: text,
    creation_date: text,
    welcome_id: number,
    unsubscribe_id: number,
    cms_user_id: number,
    access: anyText,
    description: text,
    tracking: number,
    type: text,
    translation: anyText,
    subscribers: lenientNumber,
    unsubscribed_users: lenientNumber,
    new_sub: lenientNumber,
    new_unsub: lenientNumber,
  }),
  identifyingColumns: ['id', 'name'],
};

export const template: RecordKind<r.Template> = {
  schema: v.looseObject({
    id,
    name: text,
    creation_date: text,
    drag_editor: number,
    body: text,
    subject: text,
    from_name: text,
    from_email: text,
    reply_to_name: text,
    reply_to_email: text,
    settings: anyText,
    stylesheet: text,
    headers: text,
    preheader: text,
  }),
  identifyingColumns: ['id', 'name'],
};

export const followUp: RecordKind<r.FollowUp> = {
  schema: v.looseObject(followUpColumns),
  identifyingColumns: ['id', 'name'],
};

export const followUpWithMails: RecordKind<r.FollowUpWithMails> = {
  schema: v.looseObject({ ...followUpColumns, mails }),
  identifyingColumns: ['id', 'name'],
};

export const campaign: RecordKind<r.Campaign> = {
  schema: v.looseObject({
    id,
    draft: lenientNumber,
    active: lenientNumber,
    mail_id: lenientNumber,
    sent: lenientNumber,
    parent_id: lenientNumber,
    visible: lenientNumber,
    sending_params: lenientObject,
    listIds: optionalIds,
    name: optionalText,
    subject: optionalText,
    body: optionalText,
    sending_type: optionalText,
    sending_date: optionalText,
    from_name: optionalText,
    from_email: optionalText,
    reply_to_name: optionalText,
    reply_to_email: optionalText,
    bounce_email: optionalText,
    bcc: optionalText,
  }),
  identifyingColumns: ['id', 'name'],
};

const statisticsColumns = {
  campaign: [
    'mail_id',
    'total_subscribers',
    'sent',
    'fail',
    'open_unique',
    'open_total',
    'click_unique',
    'click_total',
    'bounce_unique',
    'unsubscribe_total',
    'tracking_sale',
  ],
  user: ['user_id', 'mail_id', 'fail', 'sent', 'open', 'bounce', 'unsubscribe', 'tracking_sale'],
  click: ['url_id', 'user_id', 'click'],
  link: ['id', 'total_click', 'unique_click'],
};

const statisticsKind = (columns: readonly string[]): RecordKind<r.OtherFields> => ({
  schema: statistics(columns),
  identifyingColumns: columns,
});

export const campaignStatistics: RecordKind<r.CampaignStatistics> = statisticsKind(statisticsColumns.campaign);
export const userStatistics: RecordKind<r.CampaignUserStatistics> = statisticsKind(statisticsColumns.user);
export const click: RecordKind<r.CampaignClick> = statisticsKind(statisticsColumns.click);
export const link: RecordKind<r.CampaignLink> = statisticsKind(statisticsColumns.link);

/** Describes an issue without the value: "is not a number". */
export function describeIssue({ input, type, message }: v.BaseIssue<unknown>): string {
  return input === undefined && type === 'loose_object' ? 'is missing' : message;
}
