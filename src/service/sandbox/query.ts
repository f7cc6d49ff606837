import type { Query } from './model.ts';

/** Reads a query as PHP does: `a=1`, `a[]=1`, `a[0]=1`, `a[key]=1`. The last of two equal names wins; deeper brackets are not read. */
export function parseQuery(search: string): Query {
  const query: Record<string, string | Record<string, string>> = Object.create(null);
  for (const [name, value] of new URLSearchParams(search)) {
    const bracket = /^([^[\]]+)\[([^[\]]*)\]$/.exec(name);
    const [, outer = name, key] = bracket ?? [];
    if (key === undefined) {
      query[outer] = value;
      continue;
    }
    const held = query[outer];
    const group: Record<string, string> = typeof held === 'object' ? held : Object.create(null);
    group[key === '' ? String(Object.keys(group).length) : key] = value;
    query[outer] = group;
  }
  return query;
}

/** A whole number of the query, or undefined: absent, empty, zero and text are all "not given" to the service. */
export function readId(query: Query, name: string): number | undefined {
  const value = query[name];
  const id = typeof value === 'string' ? Number.parseInt(value, 10) : Number.NaN;
  return id > 0 ? id : undefined;
}

/** The entries of `name[...]`, empty where there are none. */
export function readGroup(query: Query, name: string): Readonly<Record<string, string>> {
  const value = query[name];
  return typeof value === 'object' ? value : {};
}

/** `listIds[]`, or `listIds=1,2`, as numbers. */
export function readIds(query: Query, name: string): number[] {
  const value = query[name];
  const texts = typeof value === 'string' ? value.split(',') : Object.values(value ?? {});
  return texts.map((text) => Number.parseInt(text, 10)).filter((id) => id > 0);
}

export interface Range {
  readonly offset: number;
  readonly limit: number;
}

/** `offset` and `limit`: what is below the least value, or no number, becomes the default. */
export function readRange(query: Query, defaultLimit: number, cap: number): Range {
  const read = (name: string, least: number, otherwise: number): number => {
    const value = query[name];
    const number = typeof value === 'string' ? Number.parseInt(value, 10) : Number.NaN;
    return number >= least ? number : otherwise;
  };
  return { offset: read('offset', 0, 0), limit: Math.min(read('limit', 1, defaultLimit), cap) };
}
