import * as v from 'valibot';
import { createApiError, createStatusError, type CallInfo } from './errors.ts';
import type { HttpResponse } from './exchange.ts';
import type { Arguments } from './operations.ts';
import type { Profile } from './profiles.ts';
import { unreadableSymbol } from './guards.ts';
import type * as q from './requests.ts';
import { describeIssue, type RecordKind } from './schemas.ts';
import {
  FieldError,
  ShapeError,
  findMessage,
  parseJson,
  isObject,
  collectRows,
  collectTexts,
  type Row,
} from './shapes.ts';
import type { Quote } from './redact.ts';

/** Context for parsing a response. */
export interface ReadContext {
  readonly operation: string;
  readonly args: Arguments;
  readonly profile: Profile;
  readonly quote: Quote;
}

/** Converts a parsed response body to the result of an operation. Throws `ShapeError`, `NoRecordError` or `ReportedError`. */
export type ResponseReader<R> = (answer: unknown, context: ReadContext) => R;

/** The response contains no record although one was requested. */
class NoRecordError extends Error {}

/** The status is successful, but the body reports an error. */
class ReportedError extends Error {}

const MAX_MESSAGE_LENGTH_CHARS = 500;
const MAX_QUOTE_LENGTH_CHARS = 200;

type RowTranslator = (profile: Profile, row: Row) => Row;

const keepRow: RowTranslator = (_, row) => row;

/** Describes an invalid field without its value. */
function createFieldError(
  issue: v.BaseIssue<unknown>,
  row: Row,
  { operation }: ReadContext,
  index: number,
): FieldError {
  const column = (issue.path ?? []).map(({ key }) => String(key)).join('.');
  return new FieldError(
    column,
    `“${column}” of record ${index + 1} of ${operation} ${describeIssue(issue)}`,
    findMessage(row),
  );
}

/**
 * Reads one record of a collection. Leaves out invalid fields and lists their names, so that one bad record does not hide the others.
 *
 * Throws `FieldError` if the id is invalid.
 */
function readRow<R extends object>(kind: RecordKind<R>, row: Row, context: ReadContext, index: number): R {
  const whole = v.safeParse(kind.schema, row);
  if (whole.success) return whole.output;
  const getColumn = ({ path }: v.BaseIssue<unknown>): string => String(path?.[0]?.key ?? '');
  const invalidColumns = new Set(whole.issues.map(getColumn));
  const rest = v.safeParse(
    kind.schema,
    Object.fromEntries(Object.entries(row).filter(([column]) => !invalidColumns.has(column))),
  );
  if (!rest.success)
    throw createFieldError(
      whole.issues.find((issue) => getColumn(issue) === 'id') ?? rest.issues[0],
      row,
      context,
      index,
    );
  return { ...rest.output, [unreadableSymbol]: [...invalidColumns] };
}

/** Creates a reader for any number of records. `unreadableFields` returns the invalid fields of a record. */
export function readMany<R extends object>(kind: RecordKind<R>, translate = keepRow): ResponseReader<R[]> {
  return (answer, context) => {
    const found = collectRows(answer, kind.identifyingColumns, kind.keyColumn);
    return found.map((row, index) => readRow(kind, translate(context.profile, row), context, index));
  };
}

/**
 * Creates a reader for the requested record. `argument` names the argument with its id; a record with another id is an error, because it
 * would be edited instead.
 */
export function readOne<R extends { readonly id: number }>(
  kind: RecordKind<R>,
  argument: string,
  translate = keepRow,
): ResponseReader<R> {
  return (answer, context) => {
    const [row] = collectRows(answer, kind.identifyingColumns, kind.keyColumn);
    if (row === undefined) throw new NoRecordError();
    const result = v.safeParse(kind.schema, translate(context.profile, row), { abortEarly: true });
    // Editing requires the complete record.
    if (!result.success) throw createFieldError(result.issues[0], row, context, 0);
    const record = result.output;
    const requestedId = context.args[argument];
    if (record.id !== requestedId) throw new ShapeError(`it is record ${record.id} instead of ${String(requestedId)}`);
    return record;
  };
}

/** Returns the object of a response, even if it is wrapped in an array. */
function unwrapObject(answer: unknown): Row {
  const inner: unknown = Array.isArray(answer) && answer.length === 1 ? answer[0] : answer;
  return isObject(inner) ? inner : {};
}

/** Throws if the response to a write reports an error despite its status. */
function throwIfReported(answer: unknown): void {
  const object = unwrapObject(answer);
  const isSilent = collectTexts(object.message).length === 0;
  const failed =
    object.success === false ||
    (isSilent && (collectTexts(object.error).length > 0 || collectTexts(object.errors).length > 0));
  if (failed) throw new ReportedError(findMessage(object) ?? '');
}

export const readWriteResult: ResponseReader<q.WriteResult> = (answer, { quote }) => {
  throwIfReported(answer);
  const message = findMessage(answer);
  return message === undefined ? {} : { message: quote(message, MAX_MESSAGE_LENGTH_CHARS) };
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
function readStoredId(answer: unknown, names: readonly string[], updatedId: unknown): number {
  const named = findId(answer, names);
  if (named !== undefined) return named;
  // Errors without an id mean that the update failed.
  throwIfReported(answer);
  if (typeof updatedId === 'number') return updatedId;
  throw new ShapeError(`“${names[0] ?? 'id'}” is missing`, findMessage(answer));
}

export const readCreateListResult: ResponseReader<q.CreateListResult> = (answer, context) => {
  const listId = findId(answer, ['listId', 'id']);
  if (listId === undefined) return readWriteResult(answer, context);
  const message = findMessage(answer);
  return message === undefined ? { listId } : { listId, message: context.quote(message, MAX_MESSAGE_LENGTH_CHARS) };
};

/** Reads the errors of a write that was otherwise successful. */
function readErrors(answer: unknown, { quote }: ReadContext): { readonly errors?: readonly string[] } {
  const errors = collectTexts(unwrapObject(answer).errors).map((text) => quote(text, MAX_MESSAGE_LENGTH_CHARS));
  return errors.length === 0 ? {} : { errors };
}

export const readStoreTemplateResult: ResponseReader<q.StoreTemplateResult> = (answer, context) => ({
  templateId: readStoredId(answer, ['templateId', 'id'], context.args.templateId),
  ...readErrors(answer, context),
});

export const readStoreFollowUpResult: ResponseReader<q.StoreFollowUpResult> = (answer, context) => ({
  followUpId: readStoredId(answer, ['followUpId', 'id'], context.args.followUpId),
  ...readErrors(answer, context),
});

export const readAttachEmailResult: ResponseReader<q.AttachEmailResult> = (answer, { args, quote }) => {
  const mailId = readStoredId(answer, ['mailId', 'mail_id', 'id'], isObject(args.mail) ? args.mail.id : undefined);
  const message = findMessage(answer);
  return message === undefined ? { mailId } : { mailId, message: quote(message, MAX_MESSAGE_LENGTH_CHARS) };
};

export const readStoreCampaignResult: ResponseReader<q.StoreCampaignResult> = (answer, context) => ({
  campaignId: readStoredId(answer, ['campaignId', 'id'], context.args.campaignId),
  ...readErrors(answer, context),
});

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

/**
 * Reads the response to subscribing or unsubscribing. The shape of unknown users is undocumented: they are in fields named like "not
 * found", otherwise in `users` or `emails`.
 */
export const readSubscriptionResult: ResponseReader<q.SubscriptionResult> = (answer, { quote }) => {
  const object = unwrapObject(answer);
  if (object.success === false) throw new ReportedError(findMessage(object) ?? '');
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

type ParsedBody = { readonly json: true; readonly value: unknown } | { readonly json: false; readonly problem: string };

function parseBody(answer: HttpResponse): ParsedBody {
  if (answer.isTooLarge) return { json: false, problem: 'the answer is longer than 64 MiB' };
  try {
    return { json: true, value: parseJson(answer.text) };
  } catch (error) {
    if (error instanceof ShapeError) return { json: false, problem: `the answer can't be read: ${error.message}` };
    return {
      json: false,
      problem: isHtmlPage(answer) ? 'the service answered with a web page, not JSON' : 'the answer is not JSON',
    };
  }
}

function isHtmlPage(answer: HttpResponse): boolean {
  return /^\s*</.test(answer.text.slice(0, 1000).replace(/^\uFEFF+/, ''));
}

/** Reads the result of a response that is not a redirect. Throws `ApiError`. */
export function readResponse<R>(
  call: CallInfo,
  answer: HttpResponse,
  read: ResponseReader<R>,
  context: ReadContext,
): R {
  const { status } = answer;
  const { quote } = context;
  const parsed = parseBody(answer);
  const beginning = () => quote(answer.text, MAX_QUOTE_LENGTH_CHARS) || undefined;
  const createNoServiceError = (problem: string) =>
    createApiError('noService', call, { status, problem, serverMessage: beginning() });
  if (status < 200 || status > 299) {
    // A 404 page of the web server means a wrong address, not a missing record.
    if (status === 404 && !parsed.json && isHtmlPage(answer)) throw createNoServiceError(parsed.problem);
    const message = parsed.json ? findMessage(parsed.value) : undefined;
    const serverMessage = message === undefined ? beginning() : quote(message, MAX_MESSAGE_LENGTH_CHARS);
    throw createStatusError(call, status, serverMessage, getRetryAfterMs(answer, Date.now()));
  }
  if (!parsed.json) throw createNoServiceError(parsed.problem);
  try {
    return read(parsed.value, context);
  } catch (error) {
    if (error instanceof ShapeError) {
      const serverMessage =
        error.serverMessage === undefined ? beginning() : quote(error.serverMessage, MAX_MESSAGE_LENGTH_CHARS);
      const details = { status, serverMessage, problem: `the answer can't be read: ${error.message}` };
      throw error instanceof FieldError
        ? createApiError('invalidField', call, { ...details, field: error.field })
        : createApiError('noService', call, details);
    }
    if (error instanceof NoRecordError) throw createStatusError(call, 404, undefined, undefined);
    if (error instanceof ReportedError) {
      throw createApiError('reportedError', call, {
        status,
        serverMessage: quote(error.message, MAX_MESSAGE_LENGTH_CHARS) || undefined,
      });
    }
    throw error;
  }
}
