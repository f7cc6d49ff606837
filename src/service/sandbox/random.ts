/** Hashes integers to 32 bits. The result is the same on every machine. */
export function hash(...numbers: readonly number[]): number {
  let mixed = 0x9e3779b9;
  for (const number of numbers) {
    mixed = Math.imul(mixed ^ (number | 0), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    mixed ^= mixed >>> 16;
  }
  return mixed >>> 0;
}

/** Returns `hash` as a fraction: 0 ≤ x < 1. */
export const unit = (...numbers: readonly number[]): number => hash(...numbers) / 2 ** 32;

/** Picks an element by a fraction (0 ≤ x < 1). Throws `RangeError` if there is none. */
export function pick<T>(items: readonly T[], fraction: number): T {
  const item = items[Math.floor(fraction * items.length)];
  if (item === undefined) throw new RangeError('There is nothing to pick from.');
  return item;
}

/** Picks an element by a fraction, in proportion to the weights. */
export function pickWeighted<T extends { readonly weight: number }>(items: readonly T[], fraction: number): T {
  let left = fraction * items.reduce((sum, { weight }) => sum + weight, 0);
  return items.find(({ weight }) => (left -= weight) < 0) ?? pick(items, 0);
}
