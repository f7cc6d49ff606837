import {
  findCauseByCode,
  findCauseByStatus,
  causes,
  inferCause,
  type CauseName,
  type ApiErrorKind,
  type Cause,
} from './causes.ts';
import type { ExchangeFailure } from './exchange.ts';
import type { ApiErrorDetails, ApiFailure, Outcome } from './guards.ts';
import type { JsonObject } from './shapes.ts';

export { isApiError } from './guards.ts';
export type { ApiErrorKind } from './causes.ts';
export type { ApiErrorDetails, Outcome } from './guards.ts';

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
    this.reason = details.reason ?? inferCause(details.kind, details);
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

/** Describes a call in error messages. */
export interface CallInfo {
  readonly operation: string;
  /** "Reading the lists" */
  readonly activity: string;
  /** "list" */
  readonly recordLabel: string;
  readonly isWrite: boolean;
}

/** Details of a failure, besides its cause. */
type FailureDetails = Partial<Omit<ApiErrorDetails, 'kind' | 'operation' | 'message' | 'outcome' | 'reason'>> & {
  /** Overrides the text of the cause. */
  readonly problem?: string;
  /** False if the request cannot have reached the service. Default true. */
  readonly sent?: boolean;
};

const MAYBE_DONE = 'it may have been done all the same, so look before you try again';

function getOutcome(cause: CauseName, { isWrite }: CallInfo, { status = 0, sent = true }: FailureDetails): Outcome {
  const rule = causes[cause].writeOutcome;
  const isRefused = { refused: true, unknown: false, ifSent: !sent, byStatus: status >= 400 && status < 500 };
  return !isWrite || isRefused[rule] ? 'refused' : 'unknown';
}

/** Creates an `ApiError` whose message says in one sentence what failed, the service's message, and what to do. */
export function createApiError(cause: CauseName, call: CallInfo, info: FailureDetails = {}): ApiError {
  const { sent: _sent, problem = causes[cause].problem, ...details } = info;
  const outcome = getOutcome(cause, call, info);
  const { status, location, serverMessage, retryAfterMs } = details;
  const placeholders: Readonly<JsonObject> = { noun: call.recordLabel, status, location };
  const problemText =
    problem === causes[cause].problem
      ? problem.replace(/\{(\w+)\}/g, (_all, name: string) => String(placeholders[name]))
      : problem;
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
export function createStatusError(
  call: CallInfo,
  status: number,
  serverMessage: string | undefined,
  retryAfterMs: number | undefined,
): ApiError {
  return createApiError(findCauseByStatus(status, serverMessage) ?? 'unexpectedStatus', call, {
    status,
    serverMessage,
    retryAfterMs,
  });
}

const timeoutCauses: Readonly<Record<ExchangeFailure['phase'], CauseName>> = {
  connect: 'connectionTimedOut',
  head: 'responseTimedOut',
  body: 'bodyTimedOut',
};

/** Converts a failed exchange to an `ApiError`. `retry` is true if the connection failed in a way that allows reads to be retried. */
export function describeExchangeFailure(
  call: CallInfo,
  error: ExchangeFailure,
): { readonly error: ApiError; readonly retry: boolean } {
  const { reason, phase, sent, code } = error;
  const causesOf: Readonly<Record<ExchangeFailure['reason'], () => CauseName>> = {
    aborted: () => 'aborted',
    timeout: () => timeoutCauses[phase],
    failed: () => findCauseByCode(code) ?? 'connectionLost',
  };
  const cause = causesOf[reason]();
  return {
    error: createApiError(cause, call, { sent, code: reason === 'failed' ? code : undefined }),
    retry: causes[cause].isRetried ?? false,
  };
}
