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
