/** What is brought together: equal `sure` keys are surely one thing, equal `like` keys may be. */
export interface AlignmentItem {
  readonly exactKey: string;
  readonly looseKey: string;
}

/** How far ahead the two are looked through for where they meet again. */
const MAX_LOOKAHEAD_ITEMS = 60;

/**
 * For each of one sequence, the index of its counterpart in another, or -1. Both keep their order; each may have what the other has not.
 * Linear in their lengths.
 */
export function align(one: readonly AlignmentItem[], other: readonly AlignmentItem[]): Int32Array {
  const pairs = new Int32Array(one.length).fill(-1);
  let [i, j] = [0, 0];
  while (i < one.length && j < other.length) {
    const [skippedOne, skippedOther] = findNextMatch(one, other, i, j);
    // What differs on both sides at one place is what was changed.
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

/** How many are to be skipped on each side until both go on alike. */
function findNextMatch(
  one: readonly AlignmentItem[],
  other: readonly AlignmentItem[],
  i: number,
  j: number,
): readonly [number, number] {
  for (let sum = 0; sum <= MAX_LOOKAHEAD_ITEMS; sum += 1) {
    // The middle first: most often something was changed, not added.
    for (let step = 0; step <= sum; step += 1) {
      const skipped = Math.floor(sum / 2) + (step % 2 === 0 ? -step / 2 : (step + 1) / 2);
      if (skipped < 0 || skipped > sum) continue;
      const [a, b] = [one[i + skipped], other[j + sum - skipped]];
      if (a && b && a.exactKey === b.exactKey) return [skipped, sum - skipped];
    }
  }
  return [1, 1];
}
