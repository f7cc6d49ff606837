import type { MailingClient } from '../api/index.ts';

/** How many people are on some lists. `exact` is false where there were more than were counted. */
export interface Audience {
  readonly count: number;
  readonly exact: boolean;
}

const pageSize = 500;

/**
 * Counts the subscribers of lists, each once, page by page. The service has no operation that tells it, so at most `limit` records are
 * read.
 *
 * Throws `ApiError`.
 */
export async function countAudience(
  client: MailingClient,
  listIds: readonly number[],
  { limit, signal }: { limit: number; signal?: AbortSignal },
): Promise<Audience> {
  if (listIds.length === 0) return { count: 0, exact: true };
  const { paginate } = await import('../api/index.ts');
  const seen = new Set<number>();
  let read = 0;
  const pages = paginate((page, options) => client.getSubscribersFromLists(listIds, page, options), {
    pageSize,
    ...(signal === undefined ? {} : { signal }),
  });
  for await (const { id } of pages) {
    if (read === limit) return { count: seen.size, exact: false };
    read += 1;
    seen.add(id);
  }
  return { count: seen.size, exact: true };
}
