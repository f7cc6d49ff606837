import type { Collection, Store } from '../store.ts';
import type { Query } from '../model.ts';
import type { Mailer } from '../mailer.ts';
import { isObject, type Row } from '../../client/shapes.ts';

export interface RouteContext {
  readonly query: Query;
  /** JSON object of the body; empty if it is missing or invalid. */
  readonly body: Row;
  readonly store: Store;
  readonly mailer: Mailer;
}

export interface RouteResult {
  readonly status: number;
  readonly body: unknown;
}

/** Operations by name. They throw a `Refusal` for errors. */
export type Routes = Readonly<Record<string, (call: RouteContext) => RouteResult>>;

/** The error response to a request. */
export class Refusal extends Error implements RouteResult {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: object) {
    super(`Status ${status}`);
    this.status = status;
    this.body = body;
  }
}

export const ok = (body: unknown, status = 200): RouteResult => ({ status, body });
export const okMessage = (message: string): RouteResult => ok({ message });

/** Throws a `Refusal` with a message. */
export function fail(status: number, message: string): never {
  throw new Refusal(status, { message });
}

/**
 * Parses a query as PHP does: `a=1`, `a[]=1`, `a[0]=1`, `a[key]=1`. Later values override earlier ones; nested brackets are not supported.
 */
export function parseQuery(search: string): Query {
  const query: Record<string, string | Record<string, string>> = Object.create(null);
  for (const [name, value] of new URLSearchParams(search)) {
    const [, outer = name, key] = /^([^[\]]+)\[([^[\]]*)\]$/.exec(name) ?? [];
    const existing = query[outer];
    const group: Record<string, string> = typeof existing === 'object' ? existing : Object.create(null);
    if (key !== undefined) group[key === '' ? String(Object.keys(group).length) : key] = value;
    query[outer] = key === undefined ? value : group;
  }
  return query;
}

/** Reads an integer as PHP does, ignoring what follows it; undefined if there is none or if it is too small. */
function readInteger(value: unknown, minimum: number) {
  const number = typeof value === 'string' ? Number.parseInt(value, 10) : Number.NaN;
  return number >= minimum ? number : undefined;
}

export const readId = (query: Query, name: string): number | undefined => readInteger(query[name], 1);

/** Reads the entries of `name[...]`; empty if there are none. */
export function readGroup(query: Query, name: string): Readonly<Record<string, string>> {
  const value = query[name];
  return typeof value === 'object' ? value : {};
}

/** Reads ids from `listIds[]=1` or `listIds=1,2`. */
export function readIds(query: Query, name: string): number[] {
  const value = query[name];
  const texts = typeof value === 'string' ? value.split(',') : Object.values(value ?? {});
  return texts.flatMap((text) => readInteger(text, 1) ?? []);
}

/** Reads `offset` and `limit`. Invalid and too small values become the default. */
export function readPageRange(
  { query, store }: RouteContext,
  defaultLimit = 100,
): readonly [offset: number, limit: number] {
  const limit = readInteger(query['limit'], 1) ?? defaultLimit;
  return [readInteger(query['offset'], 0) ?? 0, Math.min(limit, store.profile.limitCap)];
}

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

export const readObject = (value: unknown): Row | undefined => (isObject(value) ? value : undefined);

/** Seconds per unit of a delay. */
export const unitSeconds: ReadonlyMap<string, number> = new Map([
  ['minutes', 60],
  ['hours', 3600],
  ['days', 86_400],
  ['weeks', 604_800],
  ['months', 2_628_000],
]);

/** Matches like the LIKE operator of the service. */
export const containsIgnoreCase = (text: string, part: string): boolean =>
  text.toLowerCase().includes(part.toLowerCase());

/** Returns the string fields of a request with these names. */
export function pickTexts<K extends string>(body: Row, names: readonly K[]): Partial<Record<K, string>> {
  const texts: Partial<Record<K, string>> = {};
  for (const name of names) {
    const text = readText(body[name]);
    if (text !== undefined) texts[name] = text;
  }
  return texts;
}

/** Finds the record whose id is in the query. */
export function findRecord<T extends { readonly id: number }>(
  query: Query,
  idName: string,
  collection: Collection<T>,
  messages: { readonly missing: string; readonly notFound: string },
): T {
  const id = readId(query, idName) ?? fail(422, messages.missing);
  return collection.get(id) ?? fail(404, messages.notFound);
}

/** Finds the record that a write updates; undefined if the body contains no id, so that it creates one. */
export function findUpdated<T extends { readonly id: number }>(
  id: unknown,
  collection: Collection<T>,
  notFound: string,
): T | undefined {
  return id === undefined ? undefined : (collection.get(readNumber(id) ?? 0) ?? fail(404, notFound));
}

type Filter = readonly [column: string, value: string];

/** Reads the filters `name[column]` of a query that are not empty. */
export const readFilters = (query: Query, name: string): Filter[] =>
  Object.entries(readGroup(query, name)).filter(([, value]) => value !== '');

/** Returns whether a row matches all filters. `name` and `subject` match a part; other columns match the complete value. */
export function matchesFilters(row: object, filters: readonly Filter[]): boolean {
  return filters.every(([column, value]) => {
    const actual = String(Reflect.get(row, column) ?? '');
    return column === 'name' || column === 'subject' ? containsIgnoreCase(actual, value) : actual === value;
  });
}
