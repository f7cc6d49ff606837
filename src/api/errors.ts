import { causeOf, causes, type ApiErrorKind, type Cause, type CauseName } from './causes.ts';
import type { ApiErrorDetails, ApiFailure, Outcome } from './recognized.ts';

export { isApiError } from './recognized.ts';
export type { ApiErrorKind } from './causes.ts';
export type { ApiErrorDetails, Outcome } from './recognized.ts';

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
    this.reason = details.reason ?? causeOf(details.kind, details);
    if (details.status !== undefined) this.status = details.status;
    if (details.serverMessage !== undefined) this.serverMessage = details.serverMessage;
    if (details.location !== undefined) this.location = details.location;
    if (details.code !== undefined) this.code = details.code;
    if (details.field !== undefined) this.field = details.field;
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs;
  }

  get meaning(): Cause {
    return causes[this.reason];
  }
}
