import { normalizeText } from '../../sync/fields/fields.ts';
import type { AnyKind, AnyRecord, Fields } from './model.ts';

/** Texts are equal if they differ only in line endings and a leading byte order mark. */
export function isSameText(one: string, other: string): boolean {
  return one === other || normalizeText(one) === normalizeText(other);
}

/** Id lists are sets: order and repetitions are irrelevant. */
function asSet(_: string, value: unknown) {
  const isIds = Array.isArray(value) && value.every((id) => Number.isSafeInteger(id));
  return isIds ? [...new Set(value as readonly number[])].sort((one, other) => one - other) : value;
}

/** Compares field values: texts by `isSameText`, null, undefined and "" as equal, id lists as sets, other values by their JSON. */
export function isSameValue(one: unknown, other: unknown): boolean {
  const left = one ?? '';
  const right = other ?? '';
  if (typeof left === 'string' && typeof right === 'string') return isSameText(left, right);
  return JSON.stringify(left, asSet) === JSON.stringify(right, asSet);
}

/** Returns the names of the fields that differ from the record. */
function findDifferences(kind: AnyKind, fields: Fields, record: AnyRecord) {
  return Object.keys(fields).filter((name) => !isSameValue(fields[name], kind.getField(record, name)));
}

/** Returns whether a record has these values. */
export function hasFieldValues(kind: AnyKind, fields: Fields, record: AnyRecord): boolean {
  return findDifferences(kind, fields, record).length === 0;
}

/** Returns the fields that differ from the record. Restores a leading byte order mark: editors hide it, so no user has removed it. */
export function getChangedFields(kind: AnyKind, fields: Fields, record: AnyRecord): Fields {
  const isMarked = (value: unknown) => typeof value === 'string' && value.startsWith('\uFEFF');
  return Object.fromEntries(
    findDifferences(kind, fields, record).map((name) => {
      const value = fields[name];
      const isUnmarked = typeof value === 'string' && isMarked(kind.getField(record, name)) && !isMarked(value);
      return [name, isUnmarked ? `\uFEFF${value}` : value];
    }),
  );
}

/**
 * Returns the sent fields that the service stored differently. `ignored`: unchanged by the update. `foreign`: with a value other than the
 * previous and the sent one.
 */
export function findStoredDifferences(kind: AnyKind, fields: Fields, before: AnyRecord, after: AnyRecord) {
  const different = findDifferences(kind, fields, after);
  const isIgnored = (name: string) => isSameValue(kind.getField(before, name), kind.getField(after, name));
  return { ignored: different.filter(isIgnored), foreign: different.filter((name) => !isIgnored(name)) };
}

/** Returns whether the fields that two updates have in common have the same values. */
export function haveSameValues(one: Fields, other: Fields): boolean {
  return Object.entries(one).every(([name, value]) => !(name in other) || isSameValue(value, other[name]));
}
