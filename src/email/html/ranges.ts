/** A half-open range of a text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Returns the index of the first item that a condition holds for, or the number of items. It holds for all that follow, too. */
export function findFirstIndex<Item>(items: readonly Item[], isMatch: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isMatch(items[middle] as Item)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Joins ranges that overlap or touch, in the order of the text. */
export function mergeRanges(ranges: readonly Range[]): readonly Range[] {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = merged.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}

/** Returns the range that holds an offset, of ranges in order that don't overlap. */
export function findRangeAt<Some extends Range>(ranges: readonly Some[], offset: number): Some | undefined {
  const range = ranges[findFirstIndex(ranges, ({ end }) => end > offset)];
  return range && range.start <= offset ? range : undefined;
}
