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

/** What a reader of answers knows besides the answer. */
export interface ReadContext {
  readonly operation: string;
  readonly args: Arguments;
  readonly profile: Profile;
  readonly quote: Quote;
}

/** Makes an operation's result of its parsed answer. Throws `ShapeError`, `NoRecord` or `ReportedError`. */
export type ResponseReader<R> = (answer: unknown, reading: ReadContext) => R;

/** One record was asked for, and none came. */
class NoRecordError extends Error {}

/** The status says success, the answer says otherwise. */
class ReportedError extends Error {}

const MAX_MESSAGE_LENGTH_CHARS = 500;
const MAX_QUOTE_LENGTH_CHARS = 200;

type RowTranslator = (profile: Profile, row: Row) => Row;

const keepRow: RowTranslator = (_, row) => row;

/** Says of the first thing wrong with a record what it is, without its value. */
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
 * One record among others. An odd one does not hide the rest: it comes without the fields that can't be read, which are named.
 *
 * Throws `FieldError` where it is not known which record it is.
 */
function readRow<R extends object>(kind: RecordKind<R>, row: Row, reading: ReadContext, index: number): R {
  const whole = v.safeParse(kind.schema, row);
  if (whole.success) return whole.output;
  const columnOf = ({ path }: v.BaseIssue<unknown>): string => String(path?.[0]?.key ?? '');
  const odd = new Set(whole.issues.map(columnOf));
  const rest = v.safeParse(kind.schema, Object.fromEntries(Object.entries(row).filter(([column]) => !odd.has(column))));
  if (!rest.success)
    throw createFieldError(
      whole.issues.find((issue) => columnOf(issue) === 'id') ?? rest.issues[0],
      row,
      reading,
      index,
    );
  return { ...rest.output, [unreadableSymbol]: [...odd] };
}

/** Any number of records. What can't be read of one is left out of it: see `unreadableFields`. */
export function readMany<R extends object>(kind: RecordKind<R>, translate = keepRow): ResponseReader<R[]> {
  return (answer, reading) => {
    const found = collectRows(answer, kind.identifyingColumns, kind.keyColumn);
    return found.map((row, index) => readRow(kind, translate(reading.profile, row), reading, index));
  };
}

/** The one record that was asked for. `argument`: which argument holds its id; a record of another id would be edited in its place. */
export function readOne<R extends { readonly id: number }>(
  kind: RecordKind<R>,
  argument: string,
  translate = keepRow,
): ResponseReader<R> {
  return (answer, reading) => {
    const [row] = collectRows(answer, kind.identifyingColumns, kind.keyColumn);
    if (row === undefined) throw new NoRecordError();
    const result = v.safeParse(kind.schema, translate(reading.profile, row), { abortEarly: true });
    // A record that is to be edited is read as a whole, or not at all.
    if (!result.success) throw createFieldError(result.issues[0], row, reading, 0);
    const record = result.output;
    const asked = reading.args[argument];
    if (record.id !== asked) throw new ShapeError(`it is record ${record.id} instead of ${String(asked)}`);
    return record;
  };
}

/** The object of an answer, also where it is wrapped in an array. */
function unwrapObject(answer: unknown): Row {
  const inner: unknown = Array.isArray(answer) && answer.length === 1 ? answer[0] : answer;
  return isObject(inner) ? inner : {};
}

/** Throws where a write's answer reports an error in spite of its status. */
function throwIfReported(answer: unknown): void {
  const object = unwrapObject(answer);
  const isSilent = collectTexts(object.message).length === 0;
  const failed =
    object.success === false ||
    (isSilent && (collectTexts(object.error).length > 0 || collectTexts(object.errors).length > 0));
  if (failed) throw new ReportedError(findMessage(object) ?? '');
}

/** What the service said of a write. */
export const readWriteResult: ResponseReader<q.WriteResult> = (answer, { quote }) => {
  throwIfReported(answer);
  const said = findMessage(answer);
  return said === undefined ? {} : { message: quote(said, MAX_MESSAGE_LENGTH_CHARS) };
};

/** An id in an answer, which may hold it as text. */
function findId(answer: unknown, names: readonly string[]): number | undefined {
  const object = unwrapObject(answer);
  for (const name of names) {
    const value = object[name];
    if (typeof value !== 'number' && typeof value !== 'string') continue;
    // What was not stored has the id 0 on some installations.
    if (/^\d+$/.test(String(value)) && Number.isSafeInteger(Number(value)) && Number(value) > 0) return Number(value);
    throw new ShapeError(`“${name}” is not an id`);
  }
  return undefined;
}

/**
 * The id of what was stored.
 * @param names the fields that may hold it
 * @param updated the id among the arguments of an update, which stands where the answer has none
 */
function readStoredId(answer: unknown, names: readonly string[], updated: unknown): number {
  const named = findId(answer, names);
  if (named !== undefined) return named;
  // An answer that holds errors and no id is not that of an update that was done.
  throwIfReported(answer);
  if (typeof updated === 'number') return updated;
  throw new ShapeError(`“${names[0] ?? 'id'}” is missing`, findMessage(answer));
}

export const readCreateListResult: ResponseReader<q.CreateListResult> = (answer, reading) => {
  const listId = findId(answer, ['listId', 'id']);
  if (listId === undefined) return readWriteResult(answer, reading);
  const said = findMessage(answer);
  return said === undefined ? { listId } : { listId, message: reading.quote(said, MAX_MESSAGE_LENGTH_CHARS) };
};

/** What could not be done of a write that was. */
function readErrors(answer: unknown, { quote }: ReadContext): { readonly errors?: readonly string[] } {
  const errors = collectTexts(unwrapObject(answer).errors).map((text) => quote(text, MAX_MESSAGE_LENGTH_CHARS));
  return errors.length === 0 ? {} : { errors };
}

export const readStoreTemplateResult: ResponseReader<q.StoreTemplateResult> = (answer, reading) => ({
  templateId: readStoredId(answer, ['templateId', 'id'], reading.args.templateId),
  ...readErrors(answer, reading),
});

export const readStoreFollowUpResult: ResponseReader<q.StoreFollowUpResult> = (answer, reading) => ({
  followUpId: readStoredId(answer, ['followUpId', 'id'], reading.args.followUpId),
  ...readErrors(answer, reading),
});

export const readAttachEmailResult: ResponseReader<q.AttachEmailResult> = (answer, { args, quote }) => {
  const mailId = readStoredId(answer, ['mailId', 'mail_id', 'id'], isObject(args.mail) ? args.mail.id : undefined);
  const said = findMessage(answer);
  return said === undefined ? { mailId } : { mailId, message: quote(said, MAX_MESSAGE_LENGTH_CHARS) };
};

export const readStoreCampaignResult: ResponseReader<q.StoreCampaignResult> = (answer, reading) => ({
  campaignId: readStoredId(answer, ['campaignId', 'id'], reading.args.campaignId),
  ...readErrors(answer, reading),
});

/** "User not found: a@x.example, b@x.example" and "List not found: 99999", in one text or several. */
const NOT_FOUND_LABEL = /((?:e-?mail|user|list)s?)\s+(?:ids?\s+)?not\s+found\s*:\s*/gi;

/** The addresses after each "User not found:", and the rest of the texts as it was. */
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

/** The addresses in a value of a shape that no document shows: texts, or objects with an `email`, in arrays or under keys. */
function findEmails(value: unknown): string[] {
  if (typeof value === 'string') return splitErrors([value]).notFound;
  if (Array.isArray(value)) return value.flatMap(findEmails);
  if (!isObject(value)) return [];
  if (typeof value.email === 'string') return [value.email];
  return Object.entries(value).flatMap(([key, child]) => (key.includes('@') ? [key] : findEmails(child)));
}

/**
 * The answer of (un)subscribing: who was not found, in whatever shape (the document shows none), and what was said besides.
 * Fields named like "not found" are those users; where there is no such field, `users` or `emails` are.
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
  const said = [...main, ...errors.rest].join(' ');
  return {
    ...(said === '' ? {} : { message: quote(said, MAX_MESSAGE_LENGTH_CHARS) }),
    notFound: [...new Set(notFound.map((email) => quote(email, MAX_MESSAGE_LENGTH_CHARS)))],
  };
};

/** What `authenticate` says of a site. Not an operation of the document: only probing calls it. */
export const readSite: ResponseReader<{ siteName?: string }> = (answer, { quote }) => {
  const { message, siteName } = unwrapObject(answer);
  if (typeof message !== 'string' && typeof siteName !== 'string')
    throw new ShapeError('it is not the answer of a mailing service');
  return typeof siteName === 'string' && siteName !== '' ? { siteName: quote(siteName, 200) } : {};
};

/** Milliseconds of a `Retry-After` header (seconds, or a date), undefined where there is none that can be read. */
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

/** The result of an answer that is no redirect. Throws `ApiError`. */
export function readResponse<R>(
  call: CallInfo,
  answer: HttpResponse,
  read: ResponseReader<R>,
  reading: ReadContext,
): R {
  const { status } = answer;
  const { quote } = reading;
  const parsed = parseBody(answer);
  const beginning = () => quote(answer.text, MAX_QUOTE_LENGTH_CHARS) || undefined;
  const notOurs = (what: string) =>
    createApiError('noService', call, { status, problem: what, serverMessage: beginning() });
  if (status < 200 || status > 299) {
    // A web server's own page for a wrong address is not the service's word on a record.
    if (status === 404 && !parsed.json && isHtmlPage(answer)) throw notOurs(parsed.problem);
    const said = parsed.json ? findMessage(parsed.value) : undefined;
    const serverMessage = said === undefined ? beginning() : quote(said, MAX_MESSAGE_LENGTH_CHARS);
    throw createStatusError(call, status, serverMessage, getRetryAfterMs(answer, Date.now()));
  }
  if (!parsed.json) throw notOurs(parsed.problem);
  try {
    return read(parsed.value, reading);
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
