import type { Query } from './model.ts';

/**
 * Parses a query as PHP does: `a=1`, `a[]=1`, `a[0]=1`, `a[key]=1`. Later values override earlier ones; nested brackets are not supported.
 */
export function parseQuery(search: string): Query {
  const query: Record<string, string | Record<string, string>> = Object.create(null);
  for (const [name, value] of new URLSearchParams(search)) {
    const bracket = /^([^[\]]+)\[([^[\]]*)\]$/.exec(name);
    const [, outer = name, key] = bracket ?? [];
    if (key === undefined) {
      query[outer] = value;
      continue;
    }
    const existing = query[outer];
    const group: Record<string, string> = typeof existing === 'object' ? existing : Object.create(null);
    group[key === '' ? String(Object.keys(group).length) : key] = value;
    query[outer] = group;
  }
  return query;
}

/** Reads a positive integer; undefined if it is missing, empty, zero or not a number. */
export function readId(query: Query, name: string): number | undefined {
  const value = query[name];
  const id = typeof value === 'string' ? Number.parseInt(value, 10) : Number.NaN;
  return id > 0 ? id : undefined;
}

/** Reads the entries of `name[...]`; empty if there are none. */
export function readGroup(query: Query, name: string): Readonly<Record<string, string>> {
  const value = query[name];
  return typeof value === 'object' ? value : {};
}

/** Reads ids from `listIds[]=1` or `listIds=1,2`. */
export function readIds(query: Query, name: string): number[] {
  const value = query[name];
  const texts = typeof value === 'string' ? value.split(',') : Object.values(value ?? {});
  return texts.map((text) => Number.parseInt(text, 10)).filter((id) => id > 0);
}

export interface Range {
  readonly offset: number;
  readonly limit: number;
}

/** Reads `offset` and `limit`. Invalid and too small values become the default. */
export function readRange(query: Query, defaultLimit: number, cap: number): Range {
  const read = (name: string, minimum: number, otherwise: number): number => {
    const value = query[name];
    const number = typeof value === 'string' ? Number.parseInt(value, 10) : Number.NaN;
    return number >= minimum ? number : otherwise;
  };
  return { offset: read('offset', 0, 0), limit: Math.min(read('limit', 1, defaultLimit), cap) };
}
