/** What is brought together: equal `sure` keys are surely one thing, equal `like` keys may be. */
export interface Aligned {
  readonly sure: string;
  readonly like: string;
}

/** How far ahead the two are looked through for where they meet again. */
const REACH = 60;

/**
 * For each of one sequence, the index of its counterpart in another, or -1. Both keep their order; each may have what the other has not.
 * Linear in their lengths.
 */
export function align(one: readonly Aligned[], other: readonly Aligned[]): Int32Array {
  const pairs = new Int32Array(one.length).fill(-1);
  let [i, j] = [0, 0];
  while (i < one.length && j < other.length) {
    const [skippedOne, skippedOther] = nextMeeting(one, other, i, j);
    // What differs on both sides at one place is what was changed.
    for (let n = 0; n < Math.min(skippedOne, skippedOther); n += 1) {
      if (one[i + n]?.like === other[j + n]?.like) pairs[i + n] = j + n;
    }
    i += skippedOne;
    j += skippedOther;
    if (i < one.length && j < other.length && one[i]?.sure === other[j]?.sure) {
      pairs[i] = j;
      i += 1;
      j += 1;
    }
  }
  return pairs;
}

/** How many are to be skipped on each side until both go on alike. */
function nextMeeting(
  one: readonly Aligned[],
  other: readonly Aligned[],
  i: number,
  j: number,
): readonly [number, number] {
  for (let sum = 0; sum <= REACH; sum += 1) {
    // The middle first: most often something was changed, not added.
    for (let step = 0; step <= sum; step += 1) {
      const skipped = Math.floor(sum / 2) + (step % 2 === 0 ? -step / 2 : (step + 1) / 2);
      if (skipped < 0 || skipped > sum) continue;
      const [a, b] = [one[i + skipped], other[j + sum - skipped]];
      if (a && b && a.sure === b.sure) return [skipped, sum - skipped];
    }
  }
  return [1, 1];
}
