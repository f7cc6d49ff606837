import type { Answer } from './exchange.ts';
import { failure, statusFailure } from './failures.ts';
import type { CallInfo } from './failures.ts';
import { NoRecord, ReportedError } from './results.ts';
import type { Reader, Reading } from './results.ts';
import { FieldError, ShapeError, messageIn, parseJson } from './shapes.ts';

const MESSAGE_LENGTH = 500;
const QUOTE_LENGTH = 200;

/** Milliseconds of a `Retry-After` header (seconds, or a date), undefined where there is none that can be read. */
export function retryAfter(answer: Pick<Answer, 'headers'>, now: number): number | undefined {
  const header = answer.headers['retry-after'];
  if (typeof header !== 'string') return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

type Parsed = { readonly json: true; readonly value: unknown } | { readonly json: false; readonly problem: string };

function parse(answer: Answer): Parsed {
  if (answer.tooLarge) return { json: false, problem: 'the answer is longer than 64 MiB' };
  try {
    return { json: true, value: parseJson(answer.text) };
  } catch (error) {
    if (error instanceof ShapeError) return { json: false, problem: `the answer can't be read: ${error.message}` };
    return { json: false, problem: isPage(answer) ? 'the service answered with a web page, not JSON' : 'the answer is not JSON' };
  }
}

function isPage(answer: Answer): boolean {
  return /^\s*</.test(answer.text.slice(0, 1000).replace(/^\uFEFF+/, ''));
}

/** The result of an answer that is no redirect. Throws `ApiError`. */
export function readAnswer<R>(call: CallInfo, answer: Answer, read: Reader<R>, reading: Reading): R {
  const { status } = answer;
  const { quote } = reading;
  const parsed = parse(answer);
  const beginning = () => quote(answer.text, QUOTE_LENGTH) || undefined;
  const unreadable = (what: string) => failure('noService', call, { status, what, serverMessage: beginning() });
  if (status < 200 || status > 299) {
    // A web server's own page for a wrong address is not the service's word on a record.
    if (status === 404 && !parsed.json && isPage(answer)) throw unreadable(parsed.problem);
    const said = parsed.json ? messageIn(parsed.value) : undefined;
    const serverMessage = said === undefined ? beginning() : quote(said, MESSAGE_LENGTH);
    throw statusFailure(call, status, serverMessage, retryAfter(answer, Date.now()));
  }
  if (!parsed.json) throw unreadable(parsed.problem);
  try {
    return read(parsed.value, reading);
  } catch (error) {
    if (error instanceof ShapeError) {
      const serverMessage = error.said === undefined ? beginning() : quote(error.said, MESSAGE_LENGTH);
      const seen = { status, serverMessage, what: `the answer can't be read: ${error.message}` };
      throw error instanceof FieldError ? failure('oddField', call, { ...seen, field: error.field }) : failure('noService', call, seen);
    }
    if (error instanceof NoRecord) throw statusFailure(call, 404, undefined, undefined);
    if (error instanceof ReportedError) {
      throw failure('reported', call, { status, serverMessage: quote(error.message, MESSAGE_LENGTH) || undefined });
    }
    throw error;
  }
}
