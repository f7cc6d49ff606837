import * as v from 'valibot';
import type * as r from './records.ts';
import { rows } from './shapes.ts';

// Each column is read by one of the kinds below. `null` and absent are `null`: a documented column is always there.

/** A number, or nothing where the text or number is not a whole one that can be kept exactly. */
function wholeNumber(value: unknown): number | undefined {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string' && !/^\s*[+-]?\d+\s*$/.test(value)) return undefined;
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

const empty = (value: unknown) => value === '' || value === false || (Array.isArray(value) && value.length === 0);

/** Reads a value with a function; its `undefined` is an issue with these words. */
function read<T>(reader: (value: unknown) => T | undefined, expected: string) {
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

/** Which record it is: a flag would be taken for record 1. */
const id = read((value) => (typeof value === 'boolean' ? undefined : wholeNumber(value)), 'is not a number');
const number = v.nullish(
  read((value) => (value === '' ? null : wholeNumber(value)), 'is not a number'),
  null,
);
const text = v.nullish(
  read((value) => {
    if (typeof value === 'string') return value;
    if (typeof value === 'number') return String(value);
    return empty(value) ? null : undefined;
  }, 'is not a text'),
  null,
);
/** Columns that nobody edits and that some installations fill with settings. */
const anyText = v.nullish(
  read((value) => (typeof value === 'string' ? value : empty(value) ? null : JSON.stringify(value)), 'is not a text'),
  null,
);

/**
 * A list of ids, also as one text (`3,5`, `["3"]`, none). It is a set: each once, in ascending order, so that an answer in another order
 * is no change. A flag, a fraction or words in it make another list of it: then it is none.
 */
function numbersIn(value: unknown): number[] | undefined {
  if (typeof value === 'string')
    return /^[\s,;[\]"]*$/.test(value) ? [] : numbersIn(value.split(/[\s,;[\]"]+/).filter((part) => part !== ''));
  if (typeof value === 'number') return numbersIn([value]);
  if (typeof value !== 'object' || value === null) return undefined;
  const numbers = Object.values(value).map((one) => (typeof one === 'boolean' ? undefined : wholeNumber(one)));
  return numbers.every((one) => one !== undefined)
    ? [...new Set(numbers)].sort((one, other) => one - other)
    : undefined;
}
const numbers = v.nullish(read(numbersIn, 'is not a list of numbers'), null);

/** An object; PHP writes an empty one as `[]`. */
function objectIn(value: unknown): Record<string, unknown> | null | undefined {
  if (empty(value)) return Array.isArray(value) ? {} : null;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}
const condition = v.nullish(
  read((value): r.FollowUpCondition | null | undefined => {
    const object = objectIn(value);
    if (object === undefined || object === null) return object;
    for (const column of ['lists', 'segments'].filter((name) => Object.hasOwn(object, name))) {
      const ids = numbersIn(object[column] ?? []);
      if (ids === undefined) return undefined;
      object[column] = ids;
    }
    return object;
  }, 'is not an object of lists and segments'),
  null,
);

// Columns that no document shows: read where they are as they were seen, kept as they came where not, left out where they are missing.
const seen = <T>(reader: (value: unknown) => T | undefined) =>
  v.optional(
    v.pipe(
      v.unknown(),
      v.transform((value) => (value === null || value === '' ? value : (reader(value) ?? value)) as T | null),
    ),
  );
const seenNumber = seen(
  (value) =>
    wholeNumber(value) ?? (typeof value === 'string' && /^-?\d+\.\d+$/.test(value) ? Number(value) : undefined),
);
/** Who gets a campaign: never guessed. */
const seenIds = v.optional(
  v.nullable(read((value) => (value === '' ? null : numbersIn(value)), 'is not a list of numbers')),
);
/** What is edited as text must be one: it is written back. */
const seenText = v.optional(text);
const seenObject = seen(objectIn);

/** How one kind of record is read. */
export interface RecordKind<R> {
  readonly schema: v.GenericSchema<unknown, R>;
  /** Columns that tell such a record from a message. */
  readonly known: readonly string[];
  /** The column that the keys of an object of such records stand for. */
  readonly keyed?: string;
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
    v.transform((value) => rows(value, ['mail_id'], 'mail_id')),
    v.array(mail),
  ),
  () => [],
);

const statistics = (columns: readonly string[]) =>
  v.looseObject(Object.fromEntries(columns.map((column) => [column, seenNumber])));

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
  known: ['id', 'name'],
  keyed: 'id',
};

export const subscriber: RecordKind<r.Subscriber> = {
  schema: v.looseObject({ id, email: text, name: text, confirmed: number, status: number, subscription_date: text }),
  known: ['id', 'email'],
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
    subscribers: seenNumber,
    unsubscribed_users: seenNumber,
    new_sub: seenNumber,
    new_unsub: seenNumber,
  }),
  known: ['id', 'name'],
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
  known: ['id', 'name'],
};

export const followUp: RecordKind<r.FollowUp> = { schema: v.looseObject(followUpColumns), known: ['id', 'name'] };

export const followUpWithMails: RecordKind<r.FollowUpWithMails> = {
  schema: v.looseObject({ ...followUpColumns, mails }),
  known: ['id', 'name'],
};

export const campaign: RecordKind<r.Campaign> = {
  schema: v.looseObject({
    id,
    draft: seenNumber,
    active: seenNumber,
    mail_id: seenNumber,
    sent: seenNumber,
    parent_id: seenNumber,
    visible: seenNumber,
    sending_params: seenObject,
    listIds: seenIds,
    name: seenText,
    subject: seenText,
    body: seenText,
    sending_type: seenText,
    sending_date: seenText,
    from_name: seenText,
    from_email: seenText,
    reply_to_name: seenText,
    reply_to_email: seenText,
    bounce_email: seenText,
    bcc: seenText,
  }),
  known: ['id', 'name'],
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
  known: columns,
});

export const campaignStatistics: RecordKind<r.CampaignStatistics> = statisticsKind(statisticsColumns.campaign);
export const userStatistics: RecordKind<r.CampaignUserStatistics> = statisticsKind(statisticsColumns.user);
export const click: RecordKind<r.CampaignClick> = statisticsKind(statisticsColumns.click);
export const link: RecordKind<r.CampaignLink> = statisticsKind(statisticsColumns.link);

/** What is wrong with a column, without its value: "is not a number". */
export function problemOf({ input, type, message }: v.BaseIssue<unknown>): string {
  return input === undefined && type === 'loose_object' ? 'is missing' : message;
}
