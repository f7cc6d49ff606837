/** Returns the most similar name, or undefined if none is similar enough. */
export function findNearest(text: string, names: Iterable<string>): string | undefined {
  const target = text.toLowerCase();
  if (target.length > MAX_NAME_CHARS) return undefined;
  let best: string | undefined;
  let least = Math.max(1, Math.floor(target.length / 3)) + 0.5;
  for (const name of names) {
    const distance =
      name.toLowerCase() === target
        ? 0
        : Math.abs(name.length - target.length) < least
          ? computeEditDistance(target, name.toLowerCase())
          : Infinity;
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

const MAX_NAME_CHARS = 60;

/** Counts insertions, deletions, substitutions and swaps of adjacent letters. */
function computeEditDistance(one: string, other: string): number {
  let before: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const changed = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      current[column] = isSwap ? Math.min(changed, (before[column - 2] ?? 0) + 1) : changed;
    }
    [before, above] = [above, current];
  }
  return above[other.length] ?? 0;
}
