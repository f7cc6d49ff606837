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

export { isApiError } from './guards.ts';
export type { ApiErrorKind } from './causes.ts';
export type { ApiErrorDetails, Outcome } from './guards.ts';

/** Why an operation failed. Holds no key, no headers and no query. */
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

/** What the words of a failure are made of. */
export interface CallInfo {
  readonly operation: string;
  /** "Reading the lists" */
  readonly activity: string;
  /** "list" */
  readonly recordLabel: string;
  readonly isWrite: boolean;
}

/** What was seen of a failure, beside its cause. */
type FailureDetails = Partial<Omit<ApiErrorDetails, 'kind' | 'operation' | 'message' | 'outcome' | 'reason'>> & {
  /** What failed, where the row of the cause does not say it. */
  readonly problem?: string;
  /** Whether any of the request may have reached the service. Default true. */
  readonly sent?: boolean;
};

const MAYBE_DONE = 'it may have been done all the same, so look before you try again';

/** What is known of the effect of a call that failed. A read has none. */
function getOutcome(
  cause: CauseName,
  { isWrite: write }: CallInfo,
  { status = 0, sent = true }: FailureDetails,
): Outcome {
  const rule = causes[cause].writeOutcome;
  const isRefused = { refused: true, unknown: false, ifSent: !sent, byStatus: status >= 400 && status < 500 };
  return !write || isRefused[rule] ? 'refused' : 'unknown';
}

/** One sentence: what failed, the service's words where it had some, what to do. */
export function createApiError(cause: CauseName, call: CallInfo, seen: FailureDetails = {}): ApiError {
  const { sent: _sent, problem: what = causes[cause].problem, ...details } = seen;
  const outcome = getOutcome(cause, call, seen);
  const { status, location, serverMessage, retryAfterMs } = details;
  const named: Readonly<Record<string, unknown>> = { noun: call.recordLabel, status, location };
  const told =
    what === causes[cause].problem ? what.replace(/\{(\w+)\}/g, (_all, name: string) => String(named[name])) : what;
  const said = serverMessage === undefined ? '' : ` (“${serverMessage}”)`;
  const next =
    retryAfterMs === undefined ? causes[cause].advice : `try again in ${Math.max(1, Math.ceil(retryAfterMs / 1000))} s`;
  return new ApiError({
    ...details,
    kind: causes[cause].kind,
    reason: cause,
    operation: call.operation,
    outcome,
    message: `${call.activity} failed: ${told}${said}; ${outcome === 'unknown' ? MAYBE_DONE : next}.`,
  });
}

/** A status that says no. */
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

/** A failed exchange, in words. `retry`: whether a read may be repeated, as it is a connection that failed. */
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
