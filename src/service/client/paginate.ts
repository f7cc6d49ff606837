import { t } from '../../l10n.ts';
import { createRefusal } from './errors.ts';
import { isApiError } from './shapes.ts';

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

export type FetchPage<R> = (page: Page, options: { readonly signal: AbortSignal }) => Promise<readonly R[]>;

/**
 * Returns whether a page is the last one of a collection. Services may cap `limit`, so a short page is the last only if it is empty or
 * shorter than an earlier one.
 * @param count records of this page
 * @param limit the requested limit
 * @param largestCount records of the largest page before it, or 0
 */
export function isLastPage(count: number, limit: number, largestCount: number): boolean {
  return count === 0 || (count < limit && count < largestCount);
}

/** Comparing the size and both ends is enough to recognize a repeated page. */
function isSamePage<R>(a: readonly R[], b: readonly R[]) {
  return (
    a.length === b.length &&
    JSON.stringify(a[0]) === JSON.stringify(b[0]) &&
    JSON.stringify(a.at(-1)) === JSON.stringify(b.at(-1))
  );
}

const createAbortError = () => createRefusal('aborted', 'paginate', t('Reading was canceled. Try again.'));

/** Returns the promise, or rejects with the reason of the signal as soon as it is aborted. */
export function raceWithAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

export interface PaginateOptions {
  /** Default 100. */
  readonly pageSize?: number;
  readonly signal?: AbortSignal;
  /** Offset of the first record. Default 0. */
  readonly offset?: number;
  /** Number of pages to prefetch. Default 1. With more, pages are assumed to have as many records as the previous one. */
  readonly prefetch?: number;
  /** Expected number of records on the first page. The next page is then requested at the same time, and again if the number is wrong. */
  readonly expectedCount?: number;
}

/**
 * Yields the records of a paginated operation and prefetches the next page. Rejects with errors of `fetchPage`, and with an `ApiError` of
 * kind `server` if the service repeats a full page: it then ignores `offset`, and the rest can't be read.
 */
export async function* paginate<R>(
  fetchPage: FetchPage<R>,
  options: PaginateOptions,
): AsyncGenerator<R, void, undefined> {
  for await (const page of paginatePages(fetchPage, options))
    for (const record of page) {
      if (options.signal?.aborted) throw createAbortError();
      yield record;
    }
}

/** Page size limit of newer installations. */
export const MAX_PAGE_SIZE = 500;

/** Yields pages instead of records. No page is empty. */
export async function* paginatePages<R>(
  fetchPage: FetchPage<R>,
  { pageSize = 100, signal, offset = 0, prefetch = 1, expectedCount = 0 }: PaginateOptions,
): AsyncGenerator<readonly R[], void, undefined> {
  const stop = new AbortController();
  const options = { signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal };
  if (signal?.aborted) throw createAbortError();
  const requestPage = (from: number) => {
    const page = fetchPage({ offset: from, limit: pageSize }, options);
    // A consumer that stops early never awaits the prefetched page, so its failure must not become an unhandled rejection.
    page.catch(() => undefined);
    return { from, page };
  };
  try {
    let nextOffset = offset;
    let largestCount = 0;
    let previous: readonly R[] | undefined;
    let pending = [requestPage(nextOffset)];
    if (expectedCount > 0) pending.push(requestPage(nextOffset + expectedCount));
    for (let next = pending.shift(); next; next = pending.shift()) {
      const page = await next.page;
      if (previous && page.length > 0 && isSamePage(previous, page)) {
        if (page.length !== pageSize) return; // Every page contains all records.
        throw createRefusal(
          'server',
          'paginate',
          t(
            "Couldn't read everything. The service returns the same page every time. Report the problem to the service's operator.",
          ),
        );
      }
      nextOffset += page.length;
      if (pending[0]?.from !== nextOffset) pending = [];
      if (isLastPage(page.length, pageSize, largestCount)) pending = [];
      else while (pending.length < prefetch) pending.push(requestPage(nextOffset + pending.length * page.length));
      largestCount = Math.max(largestCount, page.length);
      previous = page;
      if (signal?.aborted) throw createAbortError();
      if (page.length > 0) yield page;
    }
  } catch (error) {
    if (signal?.aborted && !isApiError(error)) throw createAbortError();
    throw error;
  } finally {
    stop.abort();
  }
}

/** Reads exactly `limit` records, unless they end. A service may return fewer per request; only an empty response is the end. */
export async function readRange<R>(
  fetchPage: FetchPage<R>,
  { offset, limit }: Page,
  options: { readonly signal: AbortSignal },
): Promise<{ readonly rows: readonly R[]; readonly isLast: boolean }> {
  const rows: R[] = [];
  while (rows.length < limit) {
    const page = await fetchPage({ offset: offset + rows.length, limit: limit - rows.length }, options);
    if (page.length === 0) return { rows, isLast: true };
    rows.push(...page.slice(0, limit - rows.length));
  }
  return { rows, isLast: false };
}

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
  const exists = async (offset: number) => {
    const record = await readAt(offset);
    if (offset >= MIN_COMPARED_OFFSET && record === first)
      throw createRefusal(
        'server',
        'count',
        t("The rows can't be counted. The service returns the first one at every offset."),
      );

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
