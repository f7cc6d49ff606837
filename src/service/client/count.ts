import { ApiError } from './errors.ts';

/** Stops the search if a service returns a record at every offset. */
const MAX_RECORDS = 2 ** 26;

/** At smaller offsets, a user on several lists may legitimately appear twice. */
const MIN_COMPARED_OFFSET = 64;

/** Returns the identity of the record at an offset; undefined if there is none. */
type ReadAt = (offset: number) => Promise<unknown>;

/**
 * Counts the records of a collection by probing single offsets, for services that do not report totals. Needs about two reads per doubling
 * of the count (32 for 50,000).
 * @param hint expected count; two reads suffice if it is right
 * Throws errors of `readAt`, and `ApiError` of kind `server` if the service returns the same record at every offset.
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
  // Invariant: a record exists at `low`; `high` has not been checked.
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
