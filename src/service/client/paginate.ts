import { ApiError, isApiError } from './errors.ts';

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
function isSamePage<R>(a: readonly R[], b: readonly R[]): boolean {
  return (
    a.length === b.length &&
    JSON.stringify(a[0]) === JSON.stringify(b[0]) &&
    JSON.stringify(a.at(-1)) === JSON.stringify(b.at(-1))
  );
}

function createAbortError(): ApiError {
  return new ApiError({
    kind: 'aborted',
    operation: 'paginate',
    outcome: 'refused',
    message: 'Reading was canceled; start again when needed.',
  });
}

export interface PaginateOptions {
  readonly pageSize: number;
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
  for await (const page of paginatePages(fetchPage, options)) {
    for (const record of page) {
      if (options.signal?.aborted) throw createAbortError();
      yield record;
    }
  }
}

/** Page size limit of newer installations. */
export const MAX_PAGE_SIZE = 500;

/** Yields pages instead of records. No page is empty. */
export async function* paginatePages<R>(
  fetchPage: FetchPage<R>,
  { pageSize, signal, offset = 0, prefetch = 1, expectedCount = 0 }: PaginateOptions,
): AsyncGenerator<readonly R[], void, undefined> {
  const stop = new AbortController();
  const forward = () => stop.abort(signal?.reason);
  if (signal?.aborted) throw createAbortError();
  signal?.addEventListener('abort', forward, { once: true });
  const requestPage = (from: number) => {
    const page = fetchPage({ offset: from, limit: pageSize }, { signal: stop.signal });
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
    for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
      const page: readonly R[] = await next.page;
      if (previous !== undefined && page.length > 0 && isSamePage(previous, page)) {
        if (page.length !== pageSize) return; // Every page contains all records.
        throw new ApiError({
          kind: 'server',
          operation: 'paginate',
          outcome: 'refused',
          message:
            'Reading all records failed: the service gives the same page again and again, so only the first can be had; ' +
            'report it to its operator.',
        });
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
    signal?.removeEventListener('abort', forward);
    stop.abort();
  }
}
