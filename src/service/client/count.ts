import { ApiError } from './errors.ts';

/** More records than any service has: one that gives something at every offset is not asked for ever. */
const MAX_RECORDS = 2 ** 26;

/** Nearer to the beginning, a user who is on several lists may come twice. */
const MIN_COMPARED_OFFSET = 64;

/** The identity of the record at an offset; undefined where there is none. */
type ReadAt = (offset: number) => Promise<unknown>;

/**
 * How many records a collection has, of a service that does not tell it: by looking at single offsets, about two for each doubling of the
 * number (32 for 50,000).
 * @param hint what it may be: where that is right, two of them are enough
 * Throws what `readAt` throws, and `ApiError` (`server`) where the service gives the same at every offset.
 */
export async function countRecords(readAt: ReadAt, hint?: number): Promise<number> {
  const first = await readAt(0);
  if (first === undefined) return 0;
  const exists = async (offset: number): Promise<boolean> => {
    const record = await readAt(offset);
    if (offset >= MIN_COMPARED_OFFSET && record === first) {
      throw new ApiError({
        kind: 'server',
        operation: 'count',
        outcome: 'refused',
        message: 'The records can’t be counted: the service gives the first ones again, whichever are asked for.',
      });
    }
    return record !== undefined;
  };
  let low = 0;
  let high = 1;
  if (hint !== undefined && hint > 0 && hint < MAX_RECORDS) {
    if (await exists(hint - 1)) low = hint - 1;
    else high = hint - 1;
    if (low > 0 || hint === 1) high = hint;
  }
  // From here on there is a record at `low`; whether there is one at `high` is to be seen.
  while (high > low && (await exists(high))) {
    low = high;
    high = Math.min(high * 2, MAX_RECORDS);
    if (low === MAX_RECORDS) return low;
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await exists(middle)) low = middle;
    else high = middle;
  }
  return low + 1;
}
