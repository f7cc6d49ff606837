import { t } from '../../l10n.ts';
import type { ApiErrorKind, Cause, causeRows } from './data/causes.ts';

/*
 * Types and type guards that work across duplicate bundled copies of a module, and without loading the client, so that activation can use
 * them.
 */

export type CauseName = keyof ReturnType<typeof causeRows>;

/**
 * `refused`: the service did not perform the operation. `unknown`: it may have, because the response was lost after the request was sent,
 * or because the service failed during processing. Reads have no effect and are always `refused`.
 */
export type Outcome = 'refused' | 'unknown';

export interface ApiErrorDetails {
  readonly kind: ApiErrorKind;
  /** Name of the operation, such as `getLists`; `connect` before the first call. */
  readonly operation: string;
  /** Says what failed, why, and what to do. */
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
  /** Id of the connection, once the error leaves it. */
  connection?: string;
}

export function isApiError(error: unknown): error is ApiFailure {
  return error instanceof Error && error.name === 'ApiError' && 'kind' in error && 'outcome' in error;
}

/** Returns whether the request of this error may have taken effect, or still may. */
export function isUnconfirmed(error: unknown): error is ApiFailure {
  return isApiError(error) && error.outcome === 'unknown';
}

/** Returns whether the request of this error had no effect. */
export function isRefused(error: unknown): error is ApiFailure {
  return isApiError(error) && error.outcome === 'refused';
}

/** Key of the names of unreadable fields in a record of a collection. */
export const unreadableSymbol: unique symbol = Symbol.for('mailing.unreadable') as never;

/** Returns the names of fields whose value does not have the documented shape. The record does not contain them. */
export function unreadableFields(record: object): readonly string[] {
  return unreadableSymbol in record ? (record[unreadableSymbol] as readonly string[]) : [];
}

/** A response without the documented shape. The message is a sentence. */
export class ShapeError extends Error {
  /** Message of the service, if the response contains one. */
  readonly serverMessage?: string;
  /** Name of the only invalid field; the rest of the response is valid. */
  readonly field?: string;
  constructor(message: string, serverMessage?: string, field?: string) {
    super(message);
    this.name = 'ShapeError';
    this.serverMessage = serverMessage;
    this.field = field;
  }
}

/** A parsed JSON text, such as the value of a setting. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type JsonObject = Record<string, unknown>;
export type Row = Readonly<JsonObject>;

/** Documented responses are never deeper. Limits recursion. */
const MAX_DEPTH = 64;

export function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Parses a response body; an empty one is `null`. Drops keys named `__proto__`, because copying such a record would change its prototype.
 * Throws `SyntaxError` if it is not JSON, and `ShapeError` if it is nested too deeply.
 */
export function parseJson(text: string): unknown {
  // The decoder removes one byte order mark; PHP files saved with one add another.
  const json = text.replace(/^\uFEFF+/, '').trim();
  if (json === '') return null;
  const value: unknown = JSON.parse(json);
  checkDepth(value, 1);
  return value;
}

function checkDepth(node: unknown, depth: number) {
  if (typeof node !== 'object' || node === null) return;
  if (depth > MAX_DEPTH) throw new ShapeError(t`The response is nested more than ${MAX_DEPTH} levels deep.`);
  if (Object.hasOwn(node, '__proto__')) Reflect.deleteProperty(node, '__proto__');
  // A response may contain millions of values, so avoid creating an array per object.
  if (Array.isArray(node)) {
    for (const child of node as unknown[]) checkDepth(child, depth + 1);
    return;
  }
  for (const key in node) checkDepth((node as Row)[key], depth + 1);
}

/** Returns the message of a response, from `message`, `error` and `errors` of an object or of the first item of an array. */
export function findMessage(value: unknown): string | undefined {
  const object = Array.isArray(value) ? (value[0] as unknown) : value;
  if (typeof object === 'string') return object === '' ? undefined : object;
  if (!isObject(object)) return undefined;
  const main = [object.message, object.error].find((text) => typeof text === 'string' && text !== '');
  const errors = collectTexts(object.errors).join(', ');
  const parts = [main, errors].filter((text) => typeof text === 'string' && text !== '');
  return parts.length === 0 ? undefined : parts.join(' ');
}

/** Collects texts from a string, an array or object of strings, or objects with a `message`. */
export function collectTexts(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value)) return value.flatMap(collectTexts);
  if (!isObject(value)) return [];
  return typeof value.message === 'string' ? collectTexts(value.message) : Object.values(value).flatMap(collectTexts);
}

const isBlank = (value: unknown) => value === null || value === undefined || value === '' || value === false;
const isScalar = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/**
 * Collects the records of a response, regardless of wrapping: a flat or nested array, an object keyed by id, or a single record. `[]`,
 * `[null]` and an empty response contain none. An object with a scalar value is a record; one with only objects contains records.
 * @param columns columns that distinguish a record from a message
 * @param keyColumn column to fill with the key of an object, if missing
 * Throws `ShapeError`.
 */
export function collectRows(value: unknown, columns: readonly string[], keyColumn?: string): Row[] {
  const found: Row[] = [];
  const visit = (node: unknown, key: string | undefined) => {
    if (isBlank(node)) return;
    if (Array.isArray(node)) {
      for (const child of node as unknown[]) visit(child, undefined);
    } else if (!isObject(node)) {
      throw new ShapeError(
        t('The response contains unexpected data instead of records.'),
        typeof node === 'string' ? node : undefined,
      );
    } else if (Object.values(node).some(isScalar)) {
      const message = columns.some((column) => Object.hasOwn(node, column)) ? undefined : findMessage(node);
      if (message !== undefined)
        throw new ShapeError(t('The response contains a message instead of records.'), message);
      found.push(
        keyColumn !== undefined && key !== undefined && /^\d+$/.test(key) && isBlank(node[keyColumn])
          ? { ...node, [keyColumn]: key }
          : node,
      );
    } else {
      for (const [name, child] of Object.entries(node)) visit(child, name);
    }
  };
  visit(value, undefined);
  return found;
}
