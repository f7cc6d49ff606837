import { fileURLToPath } from 'node:url';

/** Path of the repository. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/u, '');

/** @param {readonly number[]} numbers */
export function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle) - 1] ?? NaN)) / 2;
}
