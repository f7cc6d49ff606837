import { localized, plural, t } from '../../l10n.ts';
import {
  causeRows,
  kindTraits,
  notFoundProblems,
  type ApiErrorKind,
  type Cause,
  type RecordType,
} from './data/causes.ts';
import type { ApiErrorDetails, ApiFailure, CauseName, Outcome } from './shapes.ts';

export type { ApiErrorKind } from './data/causes.ts';
export type { ApiErrorDetails, CauseName, Outcome } from './shapes.ts';

const causeEntries = localized(() =>
  Object.entries(causeRows()).map(([name, [kind, problem, advice, traits]]) => {
    const cause: Cause = { ...kindTraits()[kind], kind, problem, advice, ...traits };
    return [name as CauseName, cause] as const;
  }),
);

export const causes = localized(() => Object.fromEntries(causeEntries()) as { readonly [Name in CauseName]: Cause });

/** Finds the cause of a connection error code, or of an HTTP status and the message of the service. `kind` limits the search. */
export function findCause(details: Partial<ApiErrorDetails>): CauseName | undefined {
  const { code, status, serverMessage = '' } = details;
  const matches = ({ kind, codePattern, status: range, messagePattern }: Cause) => {
    if (details.kind !== undefined && details.kind !== kind) return false;
    if (code !== undefined) return codePattern?.test(code) ?? false;
    const [from = Infinity, to = from] = [range ?? []].flat();
    return status !== undefined && status >= from && status <= to && (messagePattern?.test(serverMessage) ?? true);
  };
  return causeEntries().find(([, cause]) => matches(cause))?.[0];
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
    return causes()[this.reason];
  }
}

/** An operation, as error messages describe it. */
export interface CallInfo {
  readonly operation: string;
  /** GET requests are reads, all others are writes. */
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly recordType: RecordType;
  /** Returns a sentence: "Couldn't read the lists." */
  readonly describeFailure: () => string;
}

/** Details of a failure, besides its cause. */
type FailureDetails = Omit<Partial<ApiErrorDetails>, 'kind' | 'operation' | 'message' | 'outcome' | 'reason'> & {
  /** A sentence that overrides the one of the cause. */
  readonly problem?: string;
  /** False if the request cannot have reached the service. Default true. */
  readonly sent?: boolean;
};

function getOutcome(cause: CauseName, { method }: CallInfo, { status = 0, sent = true }: FailureDetails): Outcome {
  const rule = causes()[cause].writeOutcome;
  const isRefused = { refused: true, unknown: false, ifSent: !sent, byStatus: status >= 400 && status < 500 };
  return method === 'GET' || isRefused[rule] ? 'refused' : 'unknown';
}

/** Creates an `ApiError` whose message says what failed, why, the service's message, and what to do. */
export function createApiError(cause: CauseName, call: CallInfo, info: FailureDetails): ApiError {
  const { sent: _sent, problem, ...details } = info;
  const { kind, problem: template, advice } = causes()[cause];
  const outcome = getOutcome(cause, call, info);
  const { status, location, serverMessage, retryAfterMs } = details;
  const placeholders: Readonly<Record<string, unknown>> = { status, location };
  const problemText =
    problem ??
    (cause === 'notFound'
      ? notFoundProblems()[call.recordType]
      : template.replace(/\{(\w+)\}/g, (_all, name: string) => String(placeholders[name])));
  const sentences = [
    call.describeFailure(),
    problemText,
    serverMessage !== undefined && quoteResponse(serverMessage),
    outcome === 'unknown'
      ? t('The request may have succeeded anyway. Check before you try again.')
      : retryAfterMs === undefined
        ? advice
        : describeDelay(retryAfterMs),
  ];
  return new ApiError({
    ...details,
    kind,
    reason: cause,
    operation: call.operation,
    outcome,
    message: sentences.filter(Boolean).join(' '),
  });
}

function quoteResponse(serverMessage: string) {
  const quoted = t`Response: "${serverMessage}"`;
  return /[.!?…]$/u.test(serverMessage) ? quoted : `${quoted}.`;
}

function describeDelay(ms: number) {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return plural(seconds, t('Try again in {0} second.'), t('Try again in {0} seconds.'));
}

/** Creates the error for an unsuccessful HTTP status. */
export const createStatusError = (call: CallInfo, details: FailureDetails & { readonly status: number }): ApiError =>
  createApiError(findCause(details) ?? 'unexpectedStatus', call, details);

/** Creates an error without a response, for example for an invalid setting. Nothing was changed. */
export const createRefusal = (kind: ApiErrorKind, operation: string, message: string): ApiError =>
  new ApiError({ kind, operation, outcome: 'refused', message });
