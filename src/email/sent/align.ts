/** Items with equal exact keys always match. Items with equal loose keys may match. */
export interface AlignmentItem {
  readonly exactKey: string;
  readonly looseKey: string;
}

const MAX_LOOKAHEAD_ITEMS = 60;

/** Returns for each item of `one` the index of its counterpart in `other`, or -1. Both sequences keep their order. Runs in linear time. */
export function align(one: readonly AlignmentItem[], other: readonly AlignmentItem[]): Int32Array {
  const pairs = new Int32Array(one.length).fill(-1);
  let [i, j] = [0, 0];
  while (i < one.length && j < other.length) {
    const [skippedOne, skippedOther] = findNextMatch(one, other, i, j);
    // Items that differ on both sides at the same position were changed, not added.
    for (let n = 0; n < Math.min(skippedOne, skippedOther); n += 1) {
      if (one[i + n]?.looseKey === other[j + n]?.looseKey) pairs[i + n] = j + n;
    }
    i += skippedOne;
    j += skippedOther;
    if (i < one.length && j < other.length && one[i]?.exactKey === other[j]?.exactKey) {
      pairs[i] = j;
      i += 1;
      j += 1;
    }
  }
  return pairs;
}

/** Returns how many items to skip on each side until both match again. */
function findNextMatch(
  one: readonly AlignmentItem[],
  other: readonly AlignmentItem[],
  i: number,
  j: number,
): readonly [number, number] {
  for (let sum = 0; sum <= MAX_LOOKAHEAD_ITEMS; sum += 1) {
    // Equal skips come first because changes are more common than additions.
    for (let step = 0; step <= sum; step += 1) {
      const skipped = Math.floor(sum / 2) + (step % 2 === 0 ? -step / 2 : (step + 1) / 2);
      if (skipped < 0 || skipped > sum) continue;
      const [a, b] = [one[i + skipped], other[j + sum - skipped]];
      if (a && b && a.exactKey === b.exactKey) return [skipped, sum - skipped];
    }
  }
  return [1, 1];
}
