/** A half-open range of a text. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Returns the index of the first item that a condition holds for, or the number of items. It holds for all that follow, too. */
export function firstIndex<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(items[middle] as Item)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Joins ranges that overlap or touch, in the order of the text. */
export function joined(ranges: readonly Range[]): readonly Range[] {
  const found: { start: number; end: number }[] = [];
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = found.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else found.push({ start, end });
  }
  return found;
}

/** Returns the range that holds an offset, of ranges in order that don't overlap. */
export function rangeAt<Some extends Range>(ranges: readonly Some[], offset: number): Some | undefined {
  const range = ranges[firstIndex(ranges, ({ end }) => end > offset)];
  return range && range.start <= offset ? range : undefined;
}
