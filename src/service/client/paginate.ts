import { ApiError, isApiError } from './errors.ts';

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

export type FetchPage<R> = (page: Page, options: { readonly signal: AbortSignal }) => Promise<readonly R[]>;

/**
 * Whether a collection ends with this page. A service may give fewer records than asked for (it caps `limit`), so a short page is the last
 * only where it is empty, or shorter than what the service has been seen to give.
 * @param got records of this page
 * @param asked the `limit` it was asked with
 * @param seen records of the largest page before it, 0 where there was none
 */
export function isLastPage(got: number, asked: number, seen: number): boolean {
  return got === 0 || (got < asked && got < seen);
}

/** Compared by size and ends, which is enough to know a page again. */
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
    message: 'Reading was cancelled; start again when needed.',
  });
}

export interface PaginateOptions {
  readonly pageSize: number;
  readonly signal?: AbortSignal;
  /** Records to pass over: where an earlier reading ended. Default 0. */
  readonly offset?: number;
  /** Pages that are read ahead, at most. Default 1. With more, it is guessed that a page has as many records as the one before. */
  readonly prefetch?: number;
  /** Records that the first page is expected to have. The next is read at the same time, and once more where there are more or fewer. */
  readonly expectedCount?: number;
}

/**
 * The records of a paginated operation, one after the other. While the records of one page are used, the next is being read; no more is
 * held. Rejects with what `fetchPage` rejects with, and with an `ApiError` (`server`) where the service gives the same full page again,
 * because it then ignores `offset` and the rest can't be reached.
 */
export async function* paginate<R>(
  fetchPage: FetchPage<R>,
  reading: PaginateOptions,
): AsyncGenerator<R, void, undefined> {
  for await (const page of paginatePages(fetchPage, reading)) {
    for (const record of page) {
      if (reading.signal?.aborted) throw createAbortError();
      yield record;
    }
  }
}

/** All pages of a collection, from the record at `offset` on. */
type ReadPages<R> = (offset: number, signal?: AbortSignal) => AsyncIterable<readonly R[]>;

/** Most records that newer installations give at once. */
export const MAX_PAGE_SIZE = 500;

/** Reads a collection in as few requests as the service allows: for whoever wants all of it. */
export function createLargePageReader<R>(fetchPage: FetchPage<R>): ReadPages<R> {
  return (offset, signal) => paginatePages(fetchPage, { pageSize: MAX_PAGE_SIZE, prefetch: 2, offset, signal });
}

/** Like `paginate`, page by page. No page is empty. */
export async function* paginatePages<R>(
  fetchPage: FetchPage<R>,
  { pageSize, signal, offset = 0, prefetch: ahead = 1, expectedCount: expected = 0 }: PaginateOptions,
): AsyncGenerator<readonly R[], void, undefined> {
  const stop = new AbortController();
  const forward = () => stop.abort(signal?.reason);
  if (signal?.aborted) throw createAbortError();
  signal?.addEventListener('abort', forward, { once: true });
  const readAt = (from: number) => {
    const page = fetchPage({ offset: from, limit: pageSize }, { signal: stop.signal });
    // Whoever stops early never awaits the page ahead: its failure is nobody's then. Who goes on gets it where it is awaited.
    page.catch(() => undefined);
    return { from, page };
  };
  try {
    let reached = offset;
    let seen = 0;
    let before: readonly R[] | undefined;
    let under = [readAt(reached)];
    if (expected > 0) under.push(readAt(reached + expected));
    for (let next = under.shift(); next !== undefined; next = under.shift()) {
      const page: readonly R[] = await next.page;
      if (before !== undefined && page.length > 0 && isSamePage(before, page)) {
        if (page.length !== pageSize) return; // All records fit into each of the equal pages.
        throw new ApiError({
          kind: 'server',
          operation: 'paginate',
          outcome: 'refused',
          message:
            'Reading all records failed: the service gives the same page again and again, so only the first can be had; ' +
            'report it to its operator.',
        });
      }
      reached += page.length;
      if (under[0]?.from !== reached) under = [];
      if (isLastPage(page.length, pageSize, seen)) under = [];
      else while (under.length < ahead) under.push(readAt(reached + under.length * page.length));
      seen = Math.max(seen, page.length);
      before = page;
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
