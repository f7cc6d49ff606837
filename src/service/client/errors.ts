import { kindTraits, causeRows, type ApiErrorKind, type Cause } from './data/causes.ts';
import type { ApiErrorDetails, ApiFailure, CauseName, Outcome } from './shapes.ts';

export { isApiError } from './shapes.ts';
export type { ApiErrorKind } from './data/causes.ts';
export type { ApiErrorDetails, CauseName, Outcome } from './shapes.ts';

const causeEntries = Object.entries(causeRows).map(([name, [kind, problem, advice, traits]]) => {
  const cause: Cause = { ...kindTraits[kind], kind, problem, advice, ...traits };
  return [name as CauseName, cause] as const;
});

export const causes = Object.fromEntries(causeEntries) as { readonly [Name in CauseName]: Cause };

/** Finds the cause of a connection error code, or of an HTTP status and the message of the service. `kind` limits the search. */
export function findCause(details: Partial<ApiErrorDetails>): CauseName | undefined {
  const { code, status, serverMessage = '' } = details;
  const matches = ({ kind, codePattern, status: range, messagePattern }: Cause): boolean => {
    if (details.kind !== undefined && details.kind !== kind) return false;
    if (code !== undefined) return codePattern?.test(code) ?? false;
    const [from = Infinity, to = from] = [range ?? []].flat();
    return status !== undefined && status >= from && status <= to && (messagePattern?.test(serverMessage) ?? true);
  };
  return causeEntries.find(([, cause]) => matches(cause))?.[0];
}

/** Causes of errors for which only the kind is available. */
const defaultCauses: Readonly<Record<ApiErrorKind, CauseName>> = {
  unauthorized: 'keyRefused',
  forbidden: 'forbidden',
  notFound: 'notFound',
  invalid: 'badArgument',
  server: 'serverError',
  rateLimited: 'rateLimited',
  redirect: 'moved',
  notJson: 'noService',
  network: 'connectionLost',
  timeout: 'responseTimedOut',
  tls: 'untrusted',
  aborted: 'aborted',
};

/** Infers the cause of an error that was created without one. */
function inferCause(details: ApiErrorDetails): CauseName {
  if (details.field !== undefined) return 'invalidField';
  if (details.kind === 'invalid' && details.operation === 'connect') return 'badSetting';
  return findCause(details) ?? defaultCauses[details.kind];
}

/** A failed operation. Contains no key, headers or query. */
export class ApiError extends Error implements ApiFailure {
  declare readonly kind: ApiErrorKind;
  declare readonly operation: string;
  declare readonly outcome: Outcome;
  declare readonly status?: number;
  declare readonly serverMessage?: string;
  declare readonly location?: string;
  declare readonly code?: string;
  declare readonly field?: string;
  declare readonly retryAfterMs?: number;
  readonly reason: CauseName;

  constructor(details: ApiErrorDetails) {
    super(details.message);
    this.name = 'ApiError';
    this.reason = details.reason ?? inferCause(details);
    const given = Object.entries(details).filter(([, value]) => value !== undefined);
    Object.assign(this, Object.fromEntries(given));
  }

  get info(): Cause {
    return causes[this.reason];
  }
}

/** An operation, as error messages describe it. */
export interface CallInfo {
  readonly operation: string;
  /** GET requests are reads, all others are writes. */
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Beginning of a sentence: "Reading the lists". */
  readonly activity: string;
  /** Name of a record: "list". */
  readonly recordLabel: string;
}

/** Details of a failure, besides its cause. */
type FailureDetails = Omit<Partial<ApiErrorDetails>, 'kind' | 'operation' | 'message' | 'outcome' | 'reason'> & {
  /** Overrides the text of the cause. */
  readonly problem?: string;
  /** False if the request cannot have reached the service. Default true. */
  readonly sent?: boolean;
};

const MAYBE_DONE = 'the change may have been done, so check before you try again';

function getOutcome(cause: CauseName, { method }: CallInfo, { status = 0, sent = true }: FailureDetails): Outcome {
  const rule = causes[cause].writeOutcome;
  const isRefused = { refused: true, unknown: false, ifSent: !sent, byStatus: status >= 400 && status < 500 };
  return method === 'GET' || isRefused[rule] ? 'refused' : 'unknown';
}

/** Creates an `ApiError` whose message says in one sentence what failed, the service's message, and what to do. */
export function createApiError(cause: CauseName, call: CallInfo, info: FailureDetails = {}): ApiError {
  const { sent: _sent, problem, ...details } = info;
  const { kind, problem: template, advice } = causes[cause];
  const outcome = getOutcome(cause, call, info);
  const { status, location, serverMessage, retryAfterMs } = details;
  const placeholders: Readonly<Record<string, unknown>> = { noun: call.recordLabel, status, location };
  const problemText = problem ?? template.replace(/\{(\w+)\}/g, (_all, name: string) => String(placeholders[name]));
  const quotedMessage = serverMessage === undefined ? '' : ` (“${serverMessage}”)`;
  const retryAfterS = Math.max(1, Math.ceil((retryAfterMs ?? 0) / 1000));
  const nextStep = retryAfterMs === undefined ? advice : `try again in ${retryAfterS} s`;
  return new ApiError({
    ...details,
    kind,
    reason: cause,
    operation: call.operation,
    outcome,
    message: `${call.activity} failed: ${problemText}${quotedMessage}; ${outcome === 'unknown' ? MAYBE_DONE : nextStep}.`,
  });
}

/** Creates the error for an unsuccessful HTTP status. */
export const createStatusError = (call: CallInfo, details: FailureDetails & { readonly status: number }): ApiError =>
  createApiError(findCause(details) ?? 'unexpectedStatus', call, details);

/** Creates an error without a response, for example for an invalid setting. Nothing was changed. */
export const createRefusal = (kind: ApiErrorKind, operation: string, message: string): ApiError =>
  new ApiError({ kind, operation, outcome: 'refused', message });
