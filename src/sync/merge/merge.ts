import { normalizeText } from '../fields/fields.ts';
import { diffArrays } from 'diff';

/** Names of the sides in conflict marks. */
export interface SideNames {
  readonly local: string;
  readonly remote: string;
}

/** A line that git counts as a conflict mark; formatters indent them. */
const MARK = /^[^\S\r\n]*([<=>|])\1{6}(?![^\s]).*$/gmu;

/** Returns the lines of both sides between the marks that git writes and VS Code recognizes. */
export function createConflictLines(
  ours: readonly string[],
  theirs: readonly string[],
  { local, remote }: SideNames,
): string[] {
  return [`<<<<<<< ${local}`, ...ours, '=======', ...theirs, `>>>>>>> ${remote}`];
}

/**
 * Returns whether a text contains unresolved conflict marks. A single remaining mark is enough.
 * @param original a text whose lines are not marks, even if they resemble marks
 */
export function hasMarks(text: string, original = ''): boolean {
  const lines = new Set(findMarks(original));
  return findMarks(text).some((line) => !lines.has(line));
}

function findMarks(text: string) {
  return Array.from(text.matchAll(MARK), ([line]) => line.trim());
}

/** UTF-16 units of a text, at most. */
const MAX_LENGTH_CHARS = 2_000_000;
/** Lines that are compared, at most: from the first to the last that differs. */
const MAX_LINES = 50_000;
/** Insertions and deletions between two texts, at most: the time of a comparison grows with the square of them. */
const MAX_EDITS = 3000;

export interface MergeInput {
  /** The text that both sides come from; undefined if there is no record. */
  readonly base: string | undefined;
  readonly local: string;
  readonly remote: string;
  readonly names: SideNames;
}

export interface Merged {
  /** The merged text, with the line ends of the local one. */
  readonly text: string;
  /** The text contains conflict marks. */
  readonly hasConflict: boolean;
  /** The sides are too large or too different to be merged line by line: the whole text is one conflict. */
  readonly isTooLarge: boolean;
}

type Lines = readonly string[];
/** The lines of one segment in each of the texts that were aligned. */
type Segment = readonly Lines[];

/**
 * Merges the changes of both sides line by line, in bounded time. Without a base, each difference is a conflict: a line that only one side
 * has may have been added there, or deleted on the other side.
 */
export function mergeTexts({ base, local, remote, names }: MergeInput): Merged {
  const texts = (base === undefined ? [local, remote] : [base, local, remote]).map(normalizeText);
  const segments = texts.some(({ length }) => length > MAX_LENGTH_CHARS)
    ? undefined
    : align(texts.map((text) => text.split('\n')));
  let hasConflict = false;
  const lines = (segments ?? [texts.map((text) => [text])]).flatMap((segment) => {
    const [ours = [], theirs = []] = segment.slice(-2);
    const resolved = resolve(base === undefined ? undefined : segment[0], ours, theirs);
    if (resolved) return resolved;
    hasConflict = true;
    return createConflictLines(ours, theirs, names);
  });
  const text = lines.join('\n');
  return {
    text: local.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text,
    hasConflict,
    isTooLarge: hasConflict && segments === undefined,
  };
}

/** Returns what a segment becomes; undefined for a conflict. */
function resolve(base: Lines | undefined, ours: Lines, theirs: Lines) {
  if (isEqual(ours, theirs)) return ours;
  if (!base) return undefined;
  if (isEqual(base, theirs)) return ours;
  return isEqual(base, ours) ? theirs : undefined;
}

/**
 * Returns which of two versions a text comes from, judged by what changed between them: whether it has the lines and elements of the older
 * or the newer one there. Undefined if it has neither, or the texts are too large.
 */
export function compareOrigin(text: string, older: string, newer: string): 'older' | 'newer' | undefined {
  // A version may only repeat a line of the other.
  const hasOnly = (lines: Lines, ...versions: readonly [version: Lines, other: Lines]) => {
    const [own, wanted, unwanted] = [lines, ...versions].map(countLines);
    const count = (counts: typeof own, line: string) => counts?.get(line) ?? 0;
    return lines.some(
      (line) => !isBareTag(line) && Math.min(count(own, line), count(wanted, line)) > count(unwanted, line),
    );
  };
  const [olderLines, newerLines, lines] = [splitElements(older), splitElements(newer), splitElements(text)];
  // Among equal lines, such as closing tags, a new line may be aligned with another place.
  if (hasOnly(lines, newerLines, olderLines)) return 'newer';
  let origin: 'older' | undefined;
  for (const [before = [], after = [], own = []] of align([olderLines, newerLines, lines]) ?? []) {
    if (isEqual(before, after)) continue;
    if (isEqual(own, after) || hasOnly(own, after, before)) return 'newer';
    if (isEqual(own, before) || hasOnly(own, before, after)) origin = 'older';
  }
  return origin;
}

function countLines(lines: Lines) {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** Returns whether a text has all lines and elements that a newer version added, and none that it removed. */
export function hasAllChanges(text: string, older: string, newer: string): boolean {
  const [own, before, after] = [text, older, newer].map((one) => new Set(splitElements(one)));
  const isChanged = (line: string) => before?.has(line) !== after?.has(line) && !isBareTag(line);
  const changed = [...splitElements(older), ...splitElements(newer)].filter(isChanged);
  return changed.length > 0 && changed.every((line) => own?.has(line) === after?.has(line));
}

const splitElements = (text: string): Lines =>
  normalizeText(text)
    .trimEnd()
    .split(/\n|(?=[<;}])/u);

/** Returns whether a line is a tag without attributes and text: texts without a common origin share those too. */
const isBareTag = (line: string) => /^\s*<\/?[\w-]+\s*\/?>?\s*$/u.test(line);

/**
 * Cuts texts into segments between runs of lines that all of them have (Khanna, Kunal and Pierce, "A Formal Investigation of Diff3").
 * @returns undefined if they are too large or too different
 */
function align(texts: readonly Lines[]): readonly Segment[] | undefined {
  const [base = [], ...others] = texts;
  const matches = others.map((other) => matchLines(base, other));
  if (!matches.every((match) => match !== undefined)) return undefined;
  const segments: Segment[] = [];
  const zero = texts.map(() => 0);
  let [start, runEnd] = [zero, zero];
  const cut = (ends: number[]) => {
    segments.push(texts.map((lines, text) => lines.slice(start[text], ends[text])));
    start = ends;
  };
  for (const index of base.keys()) {
    const line = [index, ...matches.map((match) => match[index] ?? -1)];
    if (line.includes(-1)) continue;
    if (line.some((at, text) => at !== runEnd[text])) {
      cut(runEnd);
      cut(line);
    }
    runEnd = line.map((at) => at + 1);
  }
  cut(runEnd);
  cut(texts.map(({ length }) => length));
  return segments;
}

/**
 * Matches lines of a text with equal lines of another, as many as possible, both in ascending order.
 * @returns the index in the other text for each line, or -1; undefined if the texts are too large or too different
 */
function matchLines(one: Lines, other: Lines): Int32Array | undefined {
  const matches = new Int32Array(one.length).fill(-1);
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  for (; start < shorter && one[start] === other[start]; start += 1) matches[start] = start;
  let [end, otherEnd] = [one.length, other.length];
  while (end > start && otherEnd > start && one[end - 1] === other[otherEnd - 1]) {
    end -= 1;
    otherEnd -= 1;
    matches[end] = otherEnd;
  }
  if (end - start > MAX_LINES || otherEnd - start > MAX_LINES) return undefined;

  // Lines that only one text has can't match. Without them, comparing a text that was rewritten takes no time.
  const ids = new Map(one.slice(start, end).map((line, id) => [line, id]));
  const otherLines = new Set(other.slice(start, otherEnd));
  const shared = findIndexes(one, start, end, otherLines);
  const otherShared = findIndexes(other, start, otherEnd, ids);
  const idsOf = (lines: Lines, indexes: readonly number[]) => indexes.map((index) => ids.get(lines[index] ?? ''));
  const changes = diffArrays(idsOf(one, shared), idsOf(other, otherShared), { maxEditLength: MAX_EDITS });
  if (!changes) return undefined;
  let [at, otherAt] = [0, 0];
  for (const { count, added, removed } of changes) {
    if (!added && !removed)
      for (let offset = 0; offset < count; offset += 1)
        matches[shared[at + offset] ?? -1] = otherShared[otherAt + offset] ?? -1;

    if (!added) at += count;
    if (!removed) otherAt += count;
  }
  return matches;
}

/** The indexes of lines in a range that are among some others. */
function findIndexes(lines: Lines, start: number, end: number, among: { has(line: string): boolean }) {
  return lines.slice(start, end).flatMap((line, index) => (among.has(line) ? [start + index] : []));
}

function isEqual(one: Lines, other: Lines) {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}
