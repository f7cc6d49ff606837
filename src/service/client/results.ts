import * as v from 'valibot';
import { toDecodedText } from '../../email/html/stripTags.ts';
import { t } from '../../l10n.ts';
import { createApiError, createStatusError, type CallInfo } from './errors.ts';
import type { HttpResponse } from './exchange.ts';
import type { Profile } from './profiles.ts';
import { parseInteger, type ExpectedType, type RecordKind } from './records.ts';
import type { Quote } from './redact.ts';
import {
  ShapeError,
  findMessage,
  parseJson,
  isObject,
  collectRows,
  collectTexts,
  unreadableSymbol,
  type Row,
} from './shapes.ts';

/** A call whose response is read. */
export interface Call extends CallInfo {
  readonly args: Row;
  readonly profile: Profile;
  readonly quote: Quote;
}

/** A call whose response has arrived. */
interface AnsweredCall extends Call {
  readonly status: number;
}

/** Converts a parsed response body to the result of an operation. Throws `ShapeError` or `ApiError`. */
export type ResponseReader<R> = (answer: unknown, call: AnsweredCall) => R;

const MAX_MESSAGE_LENGTH_CHARS = 500;
const MAX_QUOTE_LENGTH_CHARS = 200;

type RowTranslator = (profile: Profile, row: Row) => Row;

const keepRow: RowTranslator = (_, row) => row;

type ResultOf<C extends v.ObjectEntries> = Readonly<v.InferOutput<RecordKind<C>['schema']>>;

/** Describes an invalid field without its value. */
function createFieldError(issue: v.BaseIssue<unknown>, row: Row, index: number) {
  const column = v.getDotPath(issue) ?? '';
  return new ShapeError(describeIssue(issue, column, index + 1), findMessage(row), column);
}

function describeIssue({ input, type, message }: v.BaseIssue<unknown>, column: string, record: number) {
  if (input === undefined && type === 'loose_object') return t`Field "${column}" of record ${record} is missing.`;
  switch (message as ExpectedType) {
    case 'number':
      return t`Field "${column}" of record ${record} isn't a number.`;
    case 'text':
      return t`Field "${column}" of record ${record} isn't text.`;
    case 'numbers':
      return t`Field "${column}" of record ${record} isn't a list of numbers.`;
    case 'condition':
      return t`Field "${column}" of record ${record} isn't an object of lists and segments.`;
    default:
      return t`Field "${column}" of record ${record} has an unexpected value.`;
  }
}

/**
 * Reads one record of a collection. Leaves out invalid fields and lists their names, so that one bad record does not hide the others.
 *
 * Throws `ShapeError` if the id is invalid.
 */
function readRow<C extends v.ObjectEntries>({ schema }: RecordKind<C>, row: Row, index: number) {
  const whole = v.safeParse(schema, row);
  if (whole.success) return whole.output;
  const invalidColumns = new Set(whole.issues.map(({ path }) => String(path?.[0]?.key)));
  const isKept = (column: string) => column === 'id' || !invalidColumns.has(column);
  const rest = v.safeParse(schema, Object.fromEntries(Object.entries(row).filter(([column]) => isKept(column))));
  if (!rest.success) throw createFieldError(rest.issues[0], row, index);
  return { ...rest.output, [unreadableSymbol]: [...invalidColumns] };
}

/** Creates a reader for any number of records. `unreadableFields` returns the invalid fields of a record. */
export function readMany<C extends v.ObjectEntries>(
  kind: RecordKind<C>,
  translate = keepRow,
): ResponseReader<ResultOf<C>[]> {
  return (answer, call) =>
    collectRows(answer, kind.identifyingColumns, kind.keyColumn).map((row, index) =>
      readRow(kind, translate(call.profile, row), index),
    );
}

/**
 * Creates a reader for the requested record. `argument` names the argument with its id; a record with another id is an error, because it
 * would be edited instead.
 */
export function readOne<C extends v.ObjectEntries>(
  kind: RecordKind<C>,
  argument: string,
  translate = keepRow,
): ResponseReader<ResultOf<C>> {
  return (answer, call) => {
    const [row] = collectRows(answer, kind.identifyingColumns, kind.keyColumn);
    if (!row) throw createStatusError(call, { status: 404 });
    const result = v.safeParse(kind.schema, translate(call.profile, row), { abortEarly: true });
    // Editing requires the complete record.
    if (!result.success) throw createFieldError(result.issues[0], row, 0);
    const { id } = result.output;
    if (id !== call.args[argument])
      throw new ShapeError(t`The response contains record ${String(id)} instead of ${String(call.args[argument])}.`);
    return result.output;
  };
}

/** Creates a reader that keeps the places of missing records, as null. */
export function readPlaces<C extends v.ObjectEntries>(kind: RecordKind<C>): ResponseReader<(ResultOf<C> | null)[]> {
  const read = readMany(kind);
  return (answer, call) => Object.values(Object(answer) as Row).map((row) => read(row, call)[0] ?? null);
}

/** Returns the object of a response, even if it is wrapped in an array. */
function unwrapObject(answer: unknown) {
  const inner: unknown = Array.isArray(answer) && answer.length === 1 ? answer[0] : answer;
  return isObject(inner) ? inner : {};
}

/** Results of writes. */
export interface WriteResult {
  readonly message?: string;
}

/** Returns the message of a response, empty if there is none. */
function quoteMessage(answer: unknown, { quote }: Call): WriteResult {
  const message = findMessage(answer);
  return message === undefined ? {} : { message: quote(message, MAX_MESSAGE_LENGTH_CHARS) };
}

/** Throws if the response to a write reports an error despite its status. `isSuspicious`: errors without a message also mean failure. */
function throwIfReported(answer: unknown, call: AnsweredCall, isSuspicious = true) {
  const object = unwrapObject(answer);
  const [messages, errors] = [collectTexts(object.message), collectTexts([object.error, object.errors])];
  if (object.success !== false && !(isSuspicious && messages.length === 0 && errors.length > 0)) return;
  const serverMessage = quoteMessage(object, call).message || undefined;
  throw createApiError('reportedError', call, { status: call.status, serverMessage });
}

export const readWriteResult: ResponseReader<WriteResult> = (answer, call) => {
  throwIfReported(answer, call);
  return quoteMessage(answer, call);
};

/** Finds the id of the stored record, which may be a string, in the first of the fields that has one. */
function findStoredId(answer: unknown, names: readonly string[], call: AnsweredCall) {
  const object = unwrapObject(answer);
  const name = names.find((field) => ['number', 'string'].includes(typeof object[field]));
  // Errors without an id mean that nothing was stored.
  if (name === undefined) return void throwIfReported(answer, call);
  const id = parseInteger(object[name]) ?? 0;
  // Some installations return the id 0 for a record that was not stored.
  if (id <= 0) throw new ShapeError(t`The response contains "${name}", but it isn't an ID.`);
  return id;
}

/** Like `findStoredId`. If the response has no id, returns `updatedId`, the id of an updated record. */
function readStoredId(answer: unknown, names: readonly string[], updatedId: unknown, call: AnsweredCall) {
  const id = findStoredId(answer, names, call) ?? updatedId;
  if (typeof id !== 'number')
    throw new ShapeError(t`The response doesn't contain "${String(names[0])}".`, findMessage(answer));
  return id;
}

export const readCreateListResult: ResponseReader<WriteResult & { readonly listId?: number }> = (answer, call) => {
  const listId = findStoredId(answer, ['listId', 'id'], call);
  return { ...(listId !== undefined && { listId }), ...quoteMessage(answer, call) };
};

/** `errors`: problems such as `List not found: 99999`, although the record was stored. */
type StoreResult<K extends string> = { readonly [P in K]: number } & { readonly errors?: readonly string[] };

/** Creates a reader for the id of a stored record, which is also the name of its argument. */
export function readStoreResult<K extends string>(idName: K): ResponseReader<StoreResult<K>> {
  return (answer, call) => {
    const errors = collectTexts(unwrapObject(answer).errors).map((text) => call.quote(text, MAX_MESSAGE_LENGTH_CHARS));
    const id = { [idName]: readStoredId(answer, [idName, 'id'], call.args[idName], call) } as { [P in K]: number };
    return errors.length === 0 ? id : { ...id, errors };
  };
}

export const readAttachEmailResult: ResponseReader<WriteResult & { readonly mailId: number }> = (answer, call) => {
  const { mail } = call.args;
  const mailId = readStoredId(answer, ['mailId', 'mail_id', 'id'], isObject(mail) ? mail.id : undefined, call);
  return { mailId, ...quoteMessage(answer, call) };
};

/** Splits "User not found: a@x.example, b@x.example, List not found: 99999" at its labels, and keeps them. */
const NOT_FOUND_LABEL = /((?:e-?mail|user|list)s?\s+(?:ids?\s+)?not\s+found\s*:\s*)/gi;

/** Extracts the addresses after each "User not found:" and returns the remaining texts. */
function splitErrors(errors: readonly string[]): { readonly notFound: string[]; readonly rest: string[] } {
  const notFound: string[] = [];
  const rest: string[] = [];
  for (const error of errors) {
    const [text = '', ...labeled] = error.split(NOT_FOUND_LABEL);
    const isAddress = labeled.length === 0 && /^[^\s@]+@\S+$/.test(text.trim());
    (isAddress ? notFound : rest).push(text.trim());
    for (let at = 0; at < labeled.length; at += 2) {
      const [label = '', values = ''] = labeled.slice(at, at + 2);
      const words = values.split(/[\s,;]+/).map((word) => word.replace(/\.$/, ''));
      if (/^list/i.test(label)) rest.push((label + values).trim().replace(/[,;]$/, ''));
      else notFound.push(...words.filter((word) => word.includes('@')));
    }
  }
  return { notFound, rest: rest.filter((text) => text !== '') };
}

/** Finds addresses in a value of undocumented shape: strings, or objects with an `email`, in arrays or under keys. */
function findEmails(value: unknown): string[] {
  if (typeof value === 'string') return splitErrors([value]).notFound;
  if (Array.isArray(value)) return value.flatMap(findEmails);
  if (!isObject(value)) return [];
  if (typeof value.email === 'string') return [value.email];
  return Object.entries(value).flatMap(([key, child]) => (key.includes('@') ? [key] : findEmails(child)));
}

/** `notFound`: addresses that no user has. `message` reports other errors. */
export interface SubscriptionResult extends WriteResult {
  readonly notFound: readonly string[];
}

/**
 * Reads the response to subscribing or unsubscribing. The shape of unknown users is undocumented: they are in fields named like "not
 * found", otherwise in `users` or `emails`.
 */
export const readSubscriptionResult: ResponseReader<SubscriptionResult> = (answer, call) => {
  throwIfReported(answer, call, false);
  const object = unwrapObject(answer);
  const { message, errors, error, email, users, emails } = object;
  const reported = splitErrors(collectTexts([message, errors, error]));
  const fields = Object.keys(object);
  const named = fields.filter((field) => /not_?found|unknown|missing/i.test(field)).map((field) => object[field]);
  const sources = fields.length === 0 ? [answer] : named.length > 0 ? named : [users, emails];
  const notFound = [
    ...reported.notFound,
    ...sources.flatMap(findEmails),
    ...fields.filter((field) => field.includes('@')),
    ...(typeof email === 'string' ? [email] : []),
  ];
  const quote = (text: string) => call.quote(text, MAX_MESSAGE_LENGTH_CHARS);
  const main = reported.rest.join(' ');
  return { ...(main !== '' && { message: quote(main) }), notFound: [...new Set([...new Set(notFound)].map(quote))] };
};

/** Reads the response to `authenticate`, which is not in the API document and only used for probing. */
export const readSite: ResponseReader<{ siteName?: string }> = (answer, { quote }) => {
  const { message, siteName } = unwrapObject(answer);
  if (typeof message !== 'string' && typeof siteName !== 'string')
    throw new ShapeError(t("The response isn't from a mailing service."));
  return typeof siteName === 'string' && siteName !== '' ? { siteName: quote(siteName, 200) } : {};
};

/** Returns the delay of a `Retry-After` header (seconds or a date) in milliseconds; undefined if it is missing or invalid. */
function getRetryAfterMs({ headers }: HttpResponse) {
  const header = String(headers['retry-after'] ?? '');
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

const isHtmlPage = (text: string) => /^\uFEFF*\s*</.test(text.slice(0, 1000));
const readPage = (html: string) => toDecodedText(html.slice(0, 100_000).replaceAll('<', ' <'));

/** Parses a response body. Throws `ShapeError`. */
function parseBody({ isTooLarge, text }: HttpResponse) {
  if (isTooLarge) throw new ShapeError(t('The response is larger than 64 MiB.'));
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof ShapeError) throw error;
    throw new ShapeError(
      isHtmlPage(text) ? t('The service responded with a web page, not JSON.') : t("The response isn't JSON."),
    );
  }
}

/** Reads the result of a response that is not a redirect. Throws `ApiError`. */
export function readResponse<R>(call: Call, answer: HttpResponse, read: ResponseReader<R>): R {
  const { status, text } = answer;
  const quoteOrBeginning = (message: string | undefined) =>
    message === undefined
      ? call.quote(isHtmlPage(text) ? readPage(text) : text, MAX_QUOTE_LENGTH_CHARS) || undefined
      : call.quote(message, MAX_MESSAGE_LENGTH_CHARS);
  const isFailed = status < 200 || status > 299;
  let value: unknown;
  try {
    value = parseBody(answer);
  } catch (error) {
    // A 404 page of the web server means a wrong address, not a missing record.
    if (!(error instanceof ShapeError)) throw error;
    if (!isFailed || (status === 404 && isHtmlPage(text)))
      throw createApiError('noService', call, {
        status,
        problem: error.message,
        serverMessage: quoteOrBeginning(undefined),
      });
  }
  if (isFailed) {
    const serverMessage = quoteOrBeginning(findMessage(value));
    throw createStatusError(call, { status, serverMessage, retryAfterMs: getRetryAfterMs(answer) });
  }
  try {
    return read(value, { ...call, status });
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw createApiError(error.field === undefined ? 'noService' : 'invalidField', call, {
      status,
      field: error.field,
      serverMessage: quoteOrBeginning(error.serverMessage),
      problem: error.message,
    });
  }
}
