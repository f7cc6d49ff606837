import type { ApiErrorKind, causeRows, CauseRow, KindTraits } from './data/causes.ts';

/*
 * Types and type guards that work across duplicate bundled copies of a module, and without loading the client, so that activation can use
 * them.
 */

export type CauseName = keyof typeof causeRows;

/** A cause, merged with the traits of its kind. */
export type Cause = CauseRow & KindTraits;

/**
 * `refused`: the service did not perform the operation. `unknown`: it may have, because the response was lost after the request was sent,
 * or because the service failed during processing. Reads have no effect and are always `refused`.
 */
export type Outcome = 'refused' | 'unknown';

export interface ApiErrorDetails {
  readonly kind: ApiErrorKind;
  /** Name of the operation, such as `getLists`; `connect` before the first call. */
  readonly operation: string;
  /** One sentence that says what failed and what to do. */
  readonly message: string;
  readonly outcome: Outcome;
  /** HTTP status, if a response arrived. */
  readonly status?: number;
  /** Message of the service: at most 500 characters, without control or direction characters. Untrusted: display it as text only. */
  readonly serverMessage?: string;
  /** For `redirect`: base URL of the target without query and user info. It may be on another origin, so ask before using it. */
  readonly location?: string;
  /** System error code of a failed connection, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
  readonly code?: string;
  /** For `notJson`: name of the only invalid field of a record. The address is correct in this case. */
  readonly field?: string;
  /** The cause. By default, it is inferred from the other details. */
  readonly reason?: CauseName;
  /** Delay before the next request (`Retry-After`). */
  readonly retryAfterMs?: number;
}

export interface ApiFailure extends Error, Omit<ApiErrorDetails, 'message' | 'reason'> {
  /** Not named `cause`, which is the standard property for a wrapped error. */
  readonly reason: CauseName;
  /** The row of its cause: effect on the connection, actions and texts. */
  readonly info: Cause;
}

export function isApiError(error: unknown): error is ApiFailure {
  return error instanceof Error && error.name === 'ApiError' && 'kind' in error && 'outcome' in error;
}

/** Key of the names of unreadable fields in a record of a collection. */
export const unreadableSymbol: unique symbol = Symbol.for('mailing.unreadable') as never;

/** Returns the names of fields whose value does not have the documented shape. The record does not contain them. */
export function unreadableFields(record: object): readonly string[] {
  return unreadableSymbol in record ? (record[unreadableSymbol] as readonly string[]) : [];
}
