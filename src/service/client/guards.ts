import type { ApiErrorKind, Cause, CauseName } from './causes.ts';

/*
 * What is known again whichever copy of a module made it, as a bundle may hold two; and without loading the module, as activation does
 * without the client.
 */

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
  /** What it comes from. Left out: what the other details tell of it. */
  readonly reason?: CauseName;
  /** Milliseconds the service asks to wait before the next request (`Retry-After`). */
  readonly retryAfterMs?: number;
}

/** What every `ApiError` is. */
export interface ApiFailure extends Error, Omit<ApiErrorDetails, 'message' | 'reason'> {
  /** Not `cause`: that is the standard's name for the error below this one. */
  readonly reason: CauseName;
  /** The row of its cause: what it tells of the connection, what helps, how it is shown. */
  readonly info: Cause;
}

/** True for an `ApiError`. */
export function isApiError(error: unknown): error is ApiFailure {
  return error instanceof Error && error.name === 'ApiError' && 'kind' in error && 'outcome' in error;
}

/** Where a record of a collection keeps the names of its unreadable fields. */
export const unreadableSymbol: unique symbol = Symbol.for('mailing.unreadable') as never;

/** The fields of a record that the service gave in another form than it documents: nobody knows what they hold, and they are not in it. */
export function unreadableFields(record: object): readonly string[] {
  return unreadableSymbol in record ? (record[unreadableSymbol] as readonly string[]) : [];
}
