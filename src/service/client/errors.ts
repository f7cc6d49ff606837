import { kindTraits, causeRows, type ApiErrorKind, type CauseRow } from './data/causes.ts';
import type { ExchangeFailure } from './exchange.ts';
import type { ApiErrorDetails, ApiFailure, Cause, CauseName, Outcome } from './guards.ts';

export { isApiError } from './guards.ts';
export type { ApiErrorKind } from './data/causes.ts';
export type { ApiErrorDetails, CauseName, Outcome } from './guards.ts';

const causeEntries: readonly (readonly [CauseName, CauseRow])[] = Object.entries(causeRows) as [CauseName, CauseRow][];

export const causes = Object.fromEntries(
  causeEntries.map(([name, row]) => [name, { ...kindTraits[row.kind], ...row }]),
) as {
  readonly [Name in CauseName]: Cause;
};

/** Finds the cause of an HTTP status and the message of the service. */
export function findCauseByStatus(
  status: number,
  serverMessage: string = '',
  isKind: (row: CauseRow) => boolean = () => true,
): CauseName | undefined {
  const exact = causeEntries.find(
    ([, row]) => isKind(row) && row.statuses?.includes(status) && (row.messagePattern?.test(serverMessage) ?? true),
  );
  const closestMinStatus = Math.max(
    ...causeEntries.map(([, { minStatus = -1 }]) => (minStatus <= status ? minStatus : -1)),
  );
  return (exact ?? causeEntries.find(([, row]) => isKind(row) && row.minStatus === closestMinStatus))?.[0];
}

/** Finds the cause of a connection error code. */
export function findCauseByCode(code: string, isKind: (row: CauseRow) => boolean = () => true): CauseName | undefined {
  return causeEntries.find(([, row]) => isKind(row) && row.codePattern?.test(code))?.[0];
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
export function inferCause({
  kind,
  operation,
  status,
  serverMessage,
  code,
  field,
}: Omit<ApiErrorDetails, 'message' | 'outcome'>): CauseName {
  const isKind = (row: CauseRow): boolean => row.kind === kind;
  if (field !== undefined) return 'invalidField';
  if (code !== undefined) return findCauseByCode(code, isKind) ?? defaultCauses[kind];
  if (status !== undefined) return findCauseByStatus(status, serverMessage, isKind) ?? defaultCauses[kind];
  return kind === 'invalid' && operation === 'connect' ? 'badSetting' : defaultCauses[kind];
}

/** A failed operation. Contains no key, headers or query. */
export class ApiError extends Error implements ApiFailure {
  readonly kind: ApiErrorKind;
  readonly operation: string;
  readonly outcome: Outcome;
  readonly status?: number;
  readonly serverMessage?: string;
  readonly location?: string;
  readonly code?: string;
  readonly field?: string;
  readonly retryAfterMs?: number;
  readonly reason: CauseName;

  constructor(details: ApiErrorDetails) {
    super(details.message);
    this.name = 'ApiError';
    this.kind = details.kind;
    this.operation = details.operation;
    this.outcome = details.outcome;
    this.reason = details.reason ?? inferCause(details);
    if (details.status !== undefined) this.status = details.status;
    if (details.serverMessage !== undefined) this.serverMessage = details.serverMessage;
    if (details.location !== undefined) this.location = details.location;
    if (details.code !== undefined) this.code = details.code;
    if (details.field !== undefined) this.field = details.field;
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs;
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
type FailureDetails = Partial<Omit<ApiErrorDetails, 'kind' | 'operation' | 'message' | 'outcome' | 'reason'>> & {
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
  const outcome = getOutcome(cause, call, info);
  const { status, location, serverMessage, retryAfterMs } = details;
  const placeholders: Readonly<Record<string, string | number | undefined>> = {
    noun: call.recordLabel,
    status,
    location,
  };
  const problemText =
    problem ?? causes[cause].problem.replace(/\{(\w+)\}/g, (_all, name: string) => String(placeholders[name]));
  const quotedMessage = serverMessage === undefined ? '' : ` (“${serverMessage}”)`;
  const advice =
    retryAfterMs === undefined ? causes[cause].advice : `try again in ${Math.max(1, Math.ceil(retryAfterMs / 1000))} s`;
  return new ApiError({
    ...details,
    kind: causes[cause].kind,
    reason: cause,
    operation: call.operation,
    outcome,
    message: `${call.activity} failed: ${problemText}${quotedMessage}; ${outcome === 'unknown' ? MAYBE_DONE : advice}.`,
  });
}

/** Creates the error for an unsuccessful HTTP status. */
export const createStatusError = (call: CallInfo, details: FailureDetails & { readonly status: number }): ApiError =>
  createApiError(findCauseByStatus(details.status, details.serverMessage) ?? 'unexpectedStatus', call, details);

const timeoutCauses: Readonly<Record<ExchangeFailure['phase'], CauseName>> = {
  connect: 'connectionTimedOut',
  head: 'responseTimedOut',
  body: 'bodyTimedOut',
};

/** Converts a failed exchange to an `ApiError`. */
export function createExchangeError(call: CallInfo, { reason, phase, sent, code }: ExchangeFailure): ApiError {
  if (reason === 'aborted') return createApiError('aborted', call, { sent });
  if (reason === 'timeout') return createApiError(timeoutCauses[phase], call, { sent });
  return createApiError(findCauseByCode(code) ?? 'connectionLost', call, { sent, code });
}
