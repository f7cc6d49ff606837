import * as v from 'valibot';
import { createApiError, createStatusError, type CallInfo } from './errors.ts';
import type { HttpResponse } from './exchange.ts';
import type { Profile } from './profiles.ts';
import { describeIssue, type RecordKind } from './records.ts';
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

/** Describes an invalid field without its value. */
function createFieldError(issue: v.BaseIssue<unknown>, row: Row, { operation }: Call, index: number): ShapeError {
  const column = (issue.path ?? []).map(({ key }) => String(key)).join('.');
  const problem = `“${column}” of record ${index + 1} of ${operation} ${describeIssue(issue)}`;
  return new ShapeError(problem, findMessage(row), column);
}

/**
 * Reads one record of a collection. Leaves out invalid fields and lists their names, so that one bad record does not hide the others.
 *
 * Throws `ShapeError` if the id is invalid.
 */
function readRow<C extends v.ObjectEntries>({ schema }: RecordKind<C>, row: Row, call: Call, index: number) {
  const whole = v.safeParse(schema, row);
  if (whole.success) return whole.output;
  const getColumn = ({ path }: v.BaseIssue<unknown>): string => String(path?.[0]?.key ?? '');
  const invalidColumns = new Set(whole.issues.map(getColumn));
  const rest = v.safeParse(
    schema,
    Object.fromEntries(Object.entries(row).filter(([column]) => !invalidColumns.has(column))),
  );
  if (rest.success) return { ...rest.output, [unreadableSymbol]: [...invalidColumns] };
  throw createFieldError(whole.issues.find((issue) => getColumn(issue) === 'id') ?? rest.issues[0], row, call, index);
}

/** Creates a reader for any number of records. `unreadableFields` returns the invalid fields of a record. */
export function readMany<C extends v.ObjectEntries>(
  kind: RecordKind<C>,
  translate = keepRow,
): ResponseReader<Readonly<v.InferOutput<RecordKind<C>['schema']>>[]> {
  return (answer, call) =>
    collectRows(answer, kind.identifyingColumns, kind.keyColumn).map((row, index) =>
      readRow(kind, translate(call.profile, row), call, index),
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
): ResponseReader<Readonly<v.InferOutput<RecordKind<C>['schema']>>> {
  return (answer, call) => {
    const [row] = collectRows(answer, kind.identifyingColumns, kind.keyColumn);
    if (row === undefined) throw createStatusError(call, { status: 404 });
    const result = v.safeParse(kind.schema, translate(call.profile, row), { abortEarly: true });
    // Editing requires the complete record.
    if (!result.success) throw createFieldError(result.issues[0], row, call, 0);
    const { id } = result.output;
    if (id !== call.args[argument])
      throw new ShapeError(`it is record ${String(id)} instead of ${String(call.args[argument])}`);
    return result.output;
  };
}

/** Returns the object of a response, even if it is wrapped in an array. */
function unwrapObject(answer: unknown): Row {
  const inner: unknown = Array.isArray(answer) && answer.length === 1 ? answer[0] : answer;
  return isObject(inner) ? inner : {};
}

/** Results of writes. */
export interface WriteResult {
  readonly message?: string;
}

const createReportedError = (object: Row, call: AnsweredCall) =>
  createApiError('reportedError', call, {
    status: call.status,
    serverMessage: quoteMessage(object, call).message || undefined,
  });

/** Throws if the response to a write reports an error despite its status. */
function throwIfReported(answer: unknown, call: AnsweredCall): void {
  const object = unwrapObject(answer);
  const isSilent = collectTexts(object.message).length === 0;
  const failed =
    object.success === false ||
    (isSilent && (collectTexts(object.error).length > 0 || collectTexts(object.errors).length > 0));
  if (failed) throw createReportedError(object, call);
}

/** Returns the message of a response, empty if there is none. */
function quoteMessage(answer: unknown, { quote }: Call): WriteResult {
  const message = findMessage(answer);
  return message === undefined ? {} : { message: quote(message, MAX_MESSAGE_LENGTH_CHARS) };
}

export const readWriteResult: ResponseReader<WriteResult> = (answer, call) => {
  throwIfReported(answer, call);
  return quoteMessage(answer, call);
};

/** Finds an id, which may be a string. */
function findId(answer: unknown, names: readonly string[]): number | undefined {
  const object = unwrapObject(answer);
  for (const name of names) {
    const value = object[name];
    if (typeof value !== 'number' && typeof value !== 'string') continue;
    // Some installations return the id 0 for a record that was not stored.
    if (/^\d+$/.test(String(value)) && Number.isSafeInteger(Number(value)) && Number(value) > 0) return Number(value);
    throw new ShapeError(`“${name}” is not an id`);
  }
  return undefined;
}

/**
 * Reads the id of the stored record.
 * @param names fields that may contain it
 * @param updatedId id of an updated record, used if the response has none
 */
function readStoredId(answer: unknown, names: readonly string[], updatedId: unknown, call: AnsweredCall): number {
  const named = findId(answer, names);
  if (named !== undefined) return named;
  // Errors without an id mean that the update failed.
  throwIfReported(answer, call);
  if (typeof updatedId === 'number') return updatedId;
  throw new ShapeError(`“${names[0] ?? 'id'}” is missing`, findMessage(answer));
}

export const readCreateListResult: ResponseReader<WriteResult & { readonly listId?: number }> = (answer, call) => {
  const listId = findId(answer, ['listId', 'id']);
  return listId === undefined ? readWriteResult(answer, call) : { listId, ...quoteMessage(answer, call) };
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

/** Matches "User not found: a@x.example, b@x.example" and "List not found: 99999", in one text or several. */
const NOT_FOUND_LABEL = /((?:e-?mail|user|list)s?)\s+(?:ids?\s+)?not\s+found\s*:\s*/gi;

/** Extracts the addresses after each "User not found:" and returns the remaining texts. */
function splitErrors(errors: readonly string[]): { readonly notFound: string[]; readonly rest: string[] } {
  const notFound: string[] = [];
  const rest: string[] = [];
  for (const error of errors) {
    const labels = [...error.matchAll(NOT_FOUND_LABEL)];
    if (labels.length === 0) (/^[^\s@]+@\S+$/.test(error.trim()) ? notFound : rest).push(error.trim());
    else if ((labels[0]?.index ?? 0) > 0) rest.push(error.slice(0, labels[0]?.index).trim());
    labels.forEach((label, index) => {
      const end = labels[index + 1]?.index ?? error.length;
      const named = error.slice(label.index + label[0].length, end);
      if (/^list/i.test(label[1] ?? '')) rest.push(error.slice(label.index, end).trim().replace(/[,;]$/, ''));
      else
        notFound.push(
          ...named
            .split(/[\s,;]+/)
            .map((email) => email.replace(/\.$/, ''))
            .filter((email) => email.includes('@')),
        );
    });
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
  const { quote } = call;
  const object = unwrapObject(answer);
  if (object.success === false) throw createReportedError(object, call);
  const errors = splitErrors([...collectTexts(object.errors), ...collectTexts(object.error)]);
  const named = Object.entries(object)
    .filter(([key]) => /not_?found|unknown|missing/i.test(key))
    .map(([, value]) => value);
  const plain = [object.users, object.emails].filter((value) => value !== undefined);
  const wrapped = Object.keys(object).length === 0 ? [answer] : named.length > 0 ? named : plain;
  const keys = Object.keys(object).filter((key) => key.includes('@'));
  const single = typeof object.email === 'string' ? [object.email] : [];
  const notFound = [...errors.notFound, ...wrapped.flatMap(findEmails), ...keys, ...single];
  const main = typeof object.message === 'string' ? [object.message] : [];
  const message = [...main, ...errors.rest].join(' ');
  return {
    ...(message === '' ? {} : { message: quote(message, MAX_MESSAGE_LENGTH_CHARS) }),
    notFound: [...new Set(notFound.map((email) => quote(email, MAX_MESSAGE_LENGTH_CHARS)))],
  };
};

/** Reads the response to `authenticate`, which is not in the API document and only used for probing. */
export const readSite: ResponseReader<{ siteName?: string }> = (answer, { quote }) => {
  const { message, siteName } = unwrapObject(answer);
  if (typeof message !== 'string' && typeof siteName !== 'string')
    throw new ShapeError('it is not the answer of a mailing service');
  return typeof siteName === 'string' && siteName !== '' ? { siteName: quote(siteName, 200) } : {};
};

/** Returns the delay of a `Retry-After` header (seconds or a date) in milliseconds; undefined if it is missing or invalid. */
export function getRetryAfterMs(answer: Pick<HttpResponse, 'headers'>, now: number): number | undefined {
  const header = answer.headers['retry-after'];
  if (typeof header !== 'string') return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

type ParsedBody = { readonly value: unknown } | { readonly problem: string };

function parseBody({ isTooLarge, text }: HttpResponse): ParsedBody {
  if (isTooLarge) return { problem: 'the answer is longer than 64 MiB' };
  try {
    return { value: parseJson(text) };
  } catch (error) {
    if (error instanceof ShapeError) return { problem: `the answer can't be read: ${error.message}` };
    return { problem: isHtmlPage(text) ? 'the service answered with a web page, not JSON' : 'the answer is not JSON' };
  }
}

const isHtmlPage = (text: string): boolean => /^\uFEFF*\s*</.test(text.slice(0, 1000));

/** Reads the result of a response that is not a redirect. Throws `ApiError`. */
export function readResponse<R>(call: Call, answer: HttpResponse, read: ResponseReader<R>): R {
  const { status, text } = answer;
  const parsed = parseBody(answer);
  const quoteOrBeginning = (message: string | undefined) =>
    message === undefined
      ? call.quote(text, MAX_QUOTE_LENGTH_CHARS) || undefined
      : call.quote(message, MAX_MESSAGE_LENGTH_CHARS);
  const isFailed = status < 200 || status > 299;
  // A 404 page of the web server means a wrong address, not a missing record.
  if ('problem' in parsed && (!isFailed || (status === 404 && isHtmlPage(text))))
    throw createApiError('noService', call, { status, ...parsed, serverMessage: quoteOrBeginning(undefined) });
  const value = 'value' in parsed ? parsed.value : undefined;
  if (isFailed) {
    const serverMessage = quoteOrBeginning(findMessage(value));
    throw createStatusError(call, { status, serverMessage, retryAfterMs: getRetryAfterMs(answer, Date.now()) });
  }
  try {
    return read(value, { ...call, status });
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw createApiError(error.field === undefined ? 'noService' : 'invalidField', call, {
      status,
      field: error.field,
      serverMessage: quoteOrBeginning(error.serverMessage),
      problem: `the answer can't be read: ${error.message}`,
    });
  }
}
