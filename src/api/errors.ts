/** What kind of failure an {@link ApiError} is. */
export type ApiErrorKind =
  /** The key is missing, wrong, or its licence expired (401). */
  | 'unauthorized'
  /** The key may not do this, or the REST API is not activated (403). */
  | 'forbidden'
  /** The record does not exist (404, 410, or an empty answer where one record was asked for). */
  | 'notFound'
  /** The service, or the client before it, refused what was asked (400, 405, 415, 422 and other 4xx; a bad base URL). */
  | 'invalid'
  /** The service failed (5xx). */
  | 'server'
  /** 429. */
  | 'rateLimited'
  /** A redirect that is not followed. `location` says where it leads. */
  | 'redirect'
  /** The answer is not what the service documents: not JSON, JSON of another shape, or too large. */
  | 'notJson'
  /** No connection, or it broke: name not found, refused, reset, proxy. */
  | 'network'
  /** Nothing came in time. */
  | 'timeout'
  /** The certificate or the encryption can't be trusted. */
  | 'tls'
  /** The caller cancelled, or closed the client. */
  | 'aborted';

/**
 * What is known of the effect: `refused`: the service did not do it. `unknown`: it may have, because the answer was lost after the
 * request was sent, or the service failed while it worked. A read has no effect, so it is always `refused`.
 */
export type Outcome = 'refused' | 'unknown';

export interface ApiErrorDetails {
  readonly kind: ApiErrorKind;
  /** Name of the operation: `getLists`. `connect` where none was called yet. */
  readonly operation: string;
  /** One sentence: what failed and what to do. */
  readonly message: string;
  readonly outcome: Outcome;
  /** HTTP status, where an answer came. */
  readonly status?: number;
  /** The service's own words, at most 500 characters, without control or direction characters. Still hostile: show it as text. */
  readonly serverMessage?: string;
  /** Of a `redirect`: the base URL it leads to, without query and user-info. Another origin may be behind it: ask before using it. */
  readonly location?: string;
  /** The system's code of a failed connection: `ECONNREFUSED`, `CERT_HAS_EXPIRED`. */
  readonly code?: string;
  /** Of a `notJson` that is no more than one field of a record: its name. Nothing is wrong with the address then. */
  readonly field?: string;
  /** Milliseconds the service asks to wait before the next request (`Retry-After`). */
  readonly retryAfterMs?: number;
}

/** Why an operation failed. Holds no key, no headers and no query. */
export class ApiError extends Error implements ApiErrorDetails {
  readonly kind: ApiErrorKind;
  readonly operation: string;
  readonly outcome: Outcome;
  readonly status?: number;
  readonly serverMessage?: string;
  readonly location?: string;
  readonly code?: string;
  readonly field?: string;
  readonly retryAfterMs?: number;

  constructor(details: ApiErrorDetails) {
    super(details.message);
    this.name = 'ApiError';
    this.kind = details.kind;
    this.operation = details.operation;
    this.outcome = details.outcome;
    if (details.status !== undefined) this.status = details.status;
    if (details.serverMessage !== undefined) this.serverMessage = details.serverMessage;
    if (details.location !== undefined) this.location = details.location;
    if (details.code !== undefined) this.code = details.code;
    if (details.field !== undefined) this.field = details.field;
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs;
  }
}

/** True for an `ApiError`, also one thrown by another copy of this module (a bundle may hold two). */
export function isApiError(error: unknown): error is ApiError {
  return error instanceof ApiError || (error instanceof Error && error.name === 'ApiError' && 'kind' in error && 'outcome' in error);
}
