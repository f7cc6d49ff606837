import { applyEdits, modify, parse, parseTree, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { findDuplicateField, findTooDeepOffset } from '../jsonReader.ts';

/** The fields of a record as the text of its details has them, of whatever type. */
export type Values = Readonly<Record<string, unknown>>;

/** What a text holds: details, or the first place where it is none. `line` is counted from 1. */
type ParsedDetails =
  | { readonly kind: 'details'; readonly details: Values }
  | { readonly kind: 'broken'; readonly line: number; readonly message: string };

/** A field and its new value; without one it is taken away. A negative last index appends to a list. */
export interface FieldChange {
  readonly path: readonly (string | number)[];
  readonly value?: unknown;
}

/** One replaced range, in UTF-16 units of the text before it. */
interface Replacement {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

const STRICT_JSON = { disallowComments: true, allowTrailingComma: false };

/** Reads the text of a details document. Never throws. */
export function parseDetails(text: string): ParsedDetails {
  if (text.trim() === '') return { kind: 'broken', line: 1, message: 'the document is empty' };
  const line = (offset: number): number => text.slice(0, offset).split('\n').length;
  const tooDeep = findTooDeepOffset(text);
  if (tooDeep !== undefined) return { kind: 'broken', line: line(tooDeep), message: 'it is nested too deeply' };
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, STRICT_JSON);
  const [first] = errors;
  if (first !== undefined) {
    const what = printParseErrorCode(first.error)
      .replace(/(?<=[a-z])(?=[A-Z])/gu, ' ')
      .toLowerCase();
    return { kind: 'broken', line: line(first.offset), message: what };
  }
  if (root?.type !== 'object')
    return { kind: 'broken', line: line(root?.offset ?? 0), message: 'the details are one object in braces' };
  const duplicate = findDuplicateField(root);
  if (duplicate !== undefined)
    return {
      kind: 'broken',
      line: line(duplicate.offset),
      message: `${JSON.stringify(duplicate.name.slice(0, 60))} is written twice`,
    };
  return { kind: 'details', details: parse(text, [], STRICT_JSON) as Values };
}

/**
 * The smallest range of the text that makes all the changes; nothing where they change nothing. The rest of the text stays as it is,
 * fields that nobody knows too. `order` says where a new field belongs among those that are there.
 */
export function computeReplacement(
  text: string,
  changes: readonly FieldChange[],
  order: readonly string[],
): Replacement | undefined {
  const formattingOptions = { tabSize: 2, insertSpaces: true, eol: text.includes('\r\n') ? '\r\n' : '\n' };
  let after = text;
  for (const { path, value } of changes) {
    const isArrayInsertion = path.at(-1) === -1;
    const edits = modify(after, [...path], value, {
      formattingOptions,
      isArrayInsertion,
      getInsertionIndex: (present) => findInsertionIndex(path[0], present, order),
    });
    after = applyEdits(after, edits);
  }
  return diffText(text, after);
}

/** Behind the last field that comes before it. A field of a field has no order of its own. */
function findInsertionIndex(
  field: string | number | undefined,
  present: readonly string[],
  order: readonly string[],
): number {
  const own = order.indexOf(String(field));
  if (own < 0) return present.length;
  return present.findLastIndex((name) => order.indexOf(name) >= 0 && order.indexOf(name) < own) + 1;
}

function diffText(before: string, after: string): Replacement | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  // A range must not begin or end within a pair of surrogates: editors would hold half a character.
  if (isLowSurrogate(before[start]) || isLowSurrogate(after[start])) start -= 1;
  if (end > 0 && isLowSurrogate(before.at(-end))) end -= 1;
  return { offset: start, length: before.length - end - start, text: after.slice(start, after.length - end) };
}

function isLowSurrogate(char: string | undefined): boolean {
  return char !== undefined && char >= '\uDC00' && char <= '\uDFFF';
}

/** The value at a path of the details; undefined where there is none. */
export function getValueAt(details: Values, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (value as Readonly<Record<string | number, unknown>>)[key]
        : undefined,
    details,
  );
}

/** The changes that choose an id of a list of ids, or leave it out. Taking one away takes each mention of it. */
export function getIdChanges(
  details: Values,
  path: readonly (string | number)[],
  id: number,
  chosen: boolean,
): readonly FieldChange[] {
  const ids = getValueAt(details, path);
  if (!Array.isArray(ids)) return chosen ? [{ path, value: [id] }] : [];
  const places = ids.flatMap((each: unknown, index) => (each === id ? [index] : []));
  if (!chosen) return places.toReversed().map((index) => ({ path: [...path, index] }));
  return places.length > 0 ? [] : [{ path: [...path, -1], value: id }];
}
