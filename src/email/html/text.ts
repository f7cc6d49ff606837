/** A half-open range of a text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Compares ranges by their start, for sorting. */
export const byStart = (one: Range, other: Range): number => one.start - other.start;

/** A replacement in a text. */
export interface TextEdit extends Range {
  readonly text: string;
}

export const insertEdit = (at: number, text: string): TextEdit => ({ start: at, end: at, text });

/** Applies edits that are in order and don't overlap. Without a text, a range is removed. */
export function applyEdits(text: string, edits: readonly (Range & Partial<TextEdit>)[]): string {
  let result = '';
  let from = 0;
  for (const { start, end, text: inserted = '' } of edits) {
    result += text.slice(from, start) + inserted;
    from = end;
  }
  return result + text.slice(from);
}

/** Returns the index of the first matching item, or the number of items. All items after a match must match too. */
export function findFirstIndex<Item>(items: readonly Item[], isMatch: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isMatch(items[middle] as Item)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns a function for the line and the character of an offset in a text, both from 0. */
export function createPositionFinder(text: string): (offset: number) => readonly [line: number, character: number] {
  const starts = [0, ...Array.from(text.matchAll(/\r\n?|\n/g), ({ 0: end, index }) => index + end.length)];
  return (offset) => {
    const line = findFirstIndex(starts, (start) => start > offset) - 1;
    return [line, offset - (starts[line] ?? 0)];
  };
}

/** Merges overlapping and touching ranges, ordered by start. */
export function mergeRanges(ranges: readonly Range[]): readonly Range[] {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of ranges.toSorted(byStart)) {
    const last = merged.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

/** Returns the range that contains an offset. The ranges must be ordered and must not overlap. */
export function findRangeAt<Some extends Range>(ranges: readonly Some[], offset: number): Some | undefined {
  const range = ranges[findFirstIndex(ranges, ({ end }) => end > offset)];
  return range && range.start <= offset ? range : undefined;
}

/** Finds the next match of a pattern from ascending offsets. Scans each character once. */
export class ForwardSearch {
  readonly #text: string;
  readonly #pattern: RegExp;
  #next: Range | undefined | 'unread' = 'unread';

  constructor(text: string, pattern: RegExp) {
    this.#text = text;
    this.#pattern = pattern;
  }

  /** Returns the first match at or after `position`, which must not decrease. */
  from(position: number): Range | undefined {
    if (this.#next === undefined || (this.#next !== 'unread' && this.#next.start >= position)) return this.#next;
    this.#pattern.lastIndex = position;
    const match = this.#pattern.exec(this.#text);
    return (this.#next = match ? { start: match.index, end: match.index + match[0].length } : undefined);
  }
}

/**
 * Replaces the matches of a pattern before `last`, the last occurrence of the pattern's required ending. After it, the pattern would scan
 * to the end of the text from each start.
 */
export function replaceBefore(text: string, last: number, pattern: RegExp, replacement: string): string {
  return text.slice(0, last).replace(pattern, replacement) + text.slice(last);
}

/** Returns the offset after the last match of a global pattern; 0 if there is none. */
export function findLastMatchEnd(text: string, pattern: RegExp): number {
  let last = 0;
  for (const { 0: found, index } of text.matchAll(pattern)) last = index + found.length;
  return last;
}

/** Returns the offset after the last tag of a text; 0 if there is none. */
export const findLastTagEnd = (text: string): number => text.lastIndexOf('>') + 1;

/** Returns a function that computes the result for each text, or list of values, once. */
export function memoizeByText<Key extends string | readonly unknown[], Result>(
  compute: (key: Key) => Result,
): (key: Key) => Result {
  const cache = new Map<string, Result>();
  return (key) => {
    const text = String(key);
    let result = cache.get(text);
    if (result === undefined) cache.set(text, (result = compute(key)));
    return result;
  };
}

/** One replaced range of a text, in UTF-16 units of the text before the change. Several changes are applied in sequence. */
export interface Change {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** Returns the text after a change. */
export function applyChange(text: string, { offset, length, text: inserted }: Change): string {
  return text.slice(0, offset) + inserted + text.slice(offset + length);
}

/** Returns the single change that turns one text into another. It splits no surrogate pair. */
export function findChange(old: string, text: string): Change {
  const maxLength = Math.min(old.length, text.length);
  let start = 0;
  while (start < maxLength && old.charCodeAt(start) === text.charCodeAt(start)) start += 1;
  if (start > 0 && (isLowSurrogate(old, start) || isLowSurrogate(text, start))) start -= 1;
  let suffixLength = 0;
  while (
    suffixLength < maxLength - start &&
    old.charCodeAt(old.length - 1 - suffixLength) === text.charCodeAt(text.length - 1 - suffixLength)
  )
    suffixLength += 1;
  if (suffixLength > 0 && isLowSurrogate(old, old.length - suffixLength)) suffixLength -= 1;
  return {
    offset: start,
    length: old.length - start - suffixLength,
    text: text.slice(start, text.length - suffixLength),
  };
}

const isLowSurrogate = (text: string, at: number) => /[\uDC00-\uDFFF]/.test(text.charAt(at));
