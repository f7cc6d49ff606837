import { applyEdits, modify, parse } from 'jsonc-parser';
import type { GenericSchema } from 'valibot';
import { findChange, type Change } from '../../../email/html/text.ts';
import { t } from '../../../l10n.ts';
import { findProblems, type Problem } from '../../../sync/fields/fieldSchemas.ts';
import type { Details } from '../../../ui/page/form/protocol.ts';
import { createError, InvalidDocumentError, parseJson } from '../../../sync/fields/jsonDocument.ts';

/** Parsed details: fields of any type. */
export type Values = Details;

/** Parsed details, or the first error. `line` is one-based. */
type ParsedDetails =
  | { readonly kind: 'details'; readonly details: Values }
  | { readonly kind: 'broken'; readonly line: number; readonly message: string };

/** A field and its new value; undefined removes the field. A negative last index appends to a list. */
export interface FieldChange {
  readonly path: readonly (string | number)[];
  readonly value?: unknown;
}

/** Parses the text of a details document. Never throws. */
export function parseDetails(text: string): ParsedDetails {
  try {
    const root = parseJson(text);
    if (root.type === 'object') return { kind: 'details', details: parse(text) as Values };
    throw createError(text, root.offset, t('The details must be a JSON object.'));
  } catch (error) {
    if (!(error instanceof InvalidDocumentError)) throw error;
    return { kind: 'broken', line: error.line + 1, message: error.message };
  }
}

/**
 * Returns the smallest replacement that makes all changes, or undefined if they change nothing. Formatting and unrecognized fields are
 * preserved. `order`: the order in which new fields are inserted.
 */
export function computeReplacement(
  text: string,
  changes: readonly FieldChange[],
  order: readonly string[],
): Change | undefined {
  const after = applyChanges(text, changes, order);
  return after === text ? undefined : findChange(text, after);
}

/** Returns the text with all changes. */
export function applyChanges(text: string, changes: readonly FieldChange[], order: readonly string[]): string {
  const formattingOptions = { tabSize: 2, insertSpaces: true, eol: text.includes('\r\n') ? '\r\n' : '\n' };
  let after = text;
  for (const { path, value } of changes) {
    if (value === undefined && getValueAt(parse(after) as Values, path) === undefined) continue;
    const isArrayInsertion = path.at(-1) === -1;
    const edits = modify(after, [...path], value, {
      formattingOptions,
      isArrayInsertion,
      getInsertionIndex: (present) => findInsertionIndex(path[0], present, order),
    });
    after = applyEdits(after, edits);
  }
  return after;
}

/**
 * Divides changes into those to write and those to hold back, because a required value is still missing: a scheduled campaign without a date.
 * `held`: the changes held back so far.
 */
export function divideChanges(
  text: string,
  held: readonly FieldChange[],
  changes: readonly FieldChange[],
  { schema, fieldOrder }: { readonly schema: GenericSchema; readonly fieldOrder: readonly string[] },
): { readonly written: readonly FieldChange[]; readonly held: readonly FieldChange[] } {
  const findMissing = (candidate: readonly FieldChange[]) => {
    const reading = parseDetails(applyChanges(text, candidate, fieldOrder));
    if (reading.kind === 'broken') return [];
    const isMissing = ({ path }: Problem) => [undefined, ''].includes(getValueAt(reading.details, path) as string);
    return findProblems(schema, reading.details)
      .filter(isMissing)
      .map(({ path }) => path.join('/'));
  };
  const missing = new Set(findMissing([]));
  const isComplete = (candidate: readonly FieldChange[]) => findMissing(candidate).every((field) => missing.has(field));
  const all = [...held, ...changes];
  if (isComplete(all)) return { written: all, held: [] };
  if (!isComplete(changes)) return { written: [], held: all };
  const replaced = new Set(changes.map(({ path }) => path.join('/')));
  return { written: changes, held: held.filter(({ path }) => !replaced.has(path.join('/'))) };
}

/** Returns the index after the last field that precedes a new one. Nested fields have no order. */
function findInsertionIndex(field: string | number | undefined, present: readonly string[], order: readonly string[]) {
  const own = order.indexOf(String(field));
  if (own < 0) return present.length;
  return present.findLastIndex((name) => order.indexOf(name) >= 0 && order.indexOf(name) < own) + 1;
}

/** Returns the value at a path, or undefined. */
export function getValueAt(details: Values, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (value as Readonly<Record<string | number, unknown>>)[key]
        : undefined,
    details,
  );
}

/** Returns the changes that add an id to a list or remove all its occurrences. */
export function getIdChanges(
  details: Values,
  path: readonly (string | number)[],
  id: number,
  isSelected: boolean,
): readonly FieldChange[] {
  const ids = getValueAt(details, path);
  if (!Array.isArray(ids)) return isSelected ? [{ path, value: [id] }] : [];
  const indices = ids.flatMap((each: unknown, index) => (each === id ? [index] : []));
  if (!isSelected) return indices.toReversed().map((index) => ({ path: [...path, index] }));
  return indices.length > 0 ? [] : [{ path: [...path, -1], value: id }];
}
