import type { Collection } from '../collection.ts';
import type { Query } from '../model.ts';
import type { Mailer } from '../mailer.ts';
import { readGroup, readId } from '../query.ts';
import type { Store } from '../store.ts';
import type { JsonObject } from '../../client/shapes.ts';

export interface RouteContext {
  readonly query: Query;
  /** JSON object of the body; empty if it is missing or invalid. */
  readonly body: Readonly<JsonObject>;
  readonly store: Store;
  readonly mailer: Mailer;
}

export interface RouteResult {
  readonly status: number;
  readonly body: unknown;
}

export interface RouteHandler {
  /** Message for status 500 in the error table; `<detail>` is a placeholder for the cause. */
  readonly failure: string;
  run(call: RouteContext): RouteResult;
}

/** Handlers by the name of the operation. */
export type RouteHandlers = Readonly<Record<string, RouteHandler>>;

export const ok = (body: unknown, status = 200): RouteResult => ({ status, body });
export const okMessage = (message: string): RouteResult => ok({ message });
export const fail = (status: number, message: string): RouteResult => ({ status, body: { message } });

export const readText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Reads a positive integer from a number or a string of digits. */
export function readNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number > 0 ? number : undefined;
}

/** Reads ids from an array of numbers or strings of digits; undefined if the value is not an array. */
export function readIdList(value: unknown): number[] | undefined {
  return Array.isArray(value) ? value.flatMap((entry: unknown) => readNumber(entry) ?? []) : undefined;
}

/** Reads a flag from a number, string or boolean; undefined if it is missing. */
export function readFlag(value: unknown): 0 | 1 | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return value === true || Number(value) === 1 ? 1 : 0;
}

export const readObject = (value: unknown): Readonly<JsonObject> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;

/** Matches like the LIKE operator of the service. */
export const containsIgnoreCase = (text: string, part: string): boolean =>
  text.toLowerCase().includes(part.toLowerCase());

/** Returns the string fields of a request with these names. */
export function pickTexts<K extends string>(
  body: Readonly<JsonObject>,
  names: readonly K[],
): Partial<Record<K, string>> {
  const texts: Partial<Record<K, string>> = {};
  for (const name of names) {
    const text = readText(body[name]);
    if (text !== undefined) texts[name] = text;
  }
  return texts;
}

/** Names and error messages of the records that a request identifies by an id in its query. */
export interface RecordId {
  readonly name: string;
  readonly missing: string;
  readonly notFound: string;
}

/** Runs `use` with the record that the query identifies. */
export function withRecord<T extends { readonly id: number }>(
  { query }: RouteContext,
  collection: Collection<T>,
  { name, missing, notFound }: RecordId,
  use: (record: T) => RouteResult,
): RouteResult {
  const id = readId(query, name);
  if (!id) return fail(422, missing);
  const record = collection.get(id);
  return record ? use(record) : fail(404, notFound);
}

/** Reads the filters `name[column]` of a query. Ignores empty values and columns that are not in the table. */
export function readFilter<T>(
  query: Query,
  name: string,
  table: Readonly<Record<string, (record: T, value: string) => boolean>>,
): { readonly isEmpty: boolean; readonly matches: (record: T) => boolean } {
  const filters = Object.entries(readGroup(query, name)).filter(([column, value]) => table[column] && value !== '');
  return {
    isEmpty: filters.length === 0,
    matches: (record) => filters.every(([column, value]) => table[column]?.(record, value)),
  };
}

/** Returns the columns of a record in this order. */
export const pickColumns = <T extends object>(record: T, columns: readonly (string & keyof T)[]): object =>
  Object.fromEntries(columns.map((column) => [column, record[column]]));
