import type { Change, Values } from './text.ts';

/** The value at a path of the details; undefined where there is none. */
export function valueAt(details: Values, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Readonly<Record<string | number, unknown>>)[key] : undefined),
    details,
  );
}

/** The changes that choose an id of a list of ids, or leave it out. Taking one away takes each mention of it. */
export function idChanges(details: Values, path: readonly (string | number)[], id: number, chosen: boolean): readonly Change[] {
  const ids = valueAt(details, path);
  if (!Array.isArray(ids)) return chosen ? [{ path, value: [id] }] : [];
  const places = ids.flatMap((each: unknown, index) => (each === id ? [index] : []));
  if (!chosen) return places.toReversed().map((index) => ({ path: [...path, index] }));
  return places.length > 0 ? [] : [{ path: [...path, -1], value: id }];
}
