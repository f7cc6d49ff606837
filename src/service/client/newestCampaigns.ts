import { isApiError } from './shapes.ts';
import type { MailingClient } from './client.ts';
import { countRecords, MAX_PAGE_SIZE, readRange, type Page } from './paginate.ts';
import type { Campaign } from './records.ts';
import type { CampaignsQuery } from './requests.ts';

/** Returns the campaigns that match a name (all if it is empty), the newest first, at most one page. @throws `ApiError` */
export function readNewestCampaigns(
  client: MailingClient,
  name: string,
  signal: AbortSignal,
): Promise<readonly Campaign[]> {
  const page = { offset: 0, limit: MAX_PAGE_SIZE };
  return new NewestCampaigns().read(client, page, { name: name || undefined }, { signal });
}

/** No service limits its pages to fewer records, so a shorter first page is the whole collection. */
const SMALLEST_CAP = 100;

/**
 * Reads campaigns page by page, the newest first. Services return the oldest first and no total: if they have more than a page, it is counted
 * with the first page, and pages are read from the end.
 */
export class NewestCampaigns {
  /** The number of campaigns that matched the last filter. A service without it has a single page. */
  readonly #counts = new WeakMap<MailingClient, number>();

  /** @throws `ApiError` */
  async read(
    client: MailingClient,
    { offset, limit }: Page,
    filters: CampaignsQuery['filters'],
    options: { readonly signal?: AbortSignal },
  ): Promise<readonly Campaign[]> {
    const { signal = new AbortController().signal } = options;
    const fetchPage = (page: Page) => client.getCampaigns({ ...page, filters }, options);
    let count = this.#counts.get(client);
    if (offset === 0) {
      const first = await fetchPage({ offset, limit });
      this.#counts.delete(client);
      if (first.length < Math.min(limit, SMALLEST_CAP)) return sortNewestFirst(first);
      const readAt = async (at: number) => (await fetchPage({ offset: at, limit: 1 }))[0]?.id;
      count = await countRecords(readAt, Math.max(count ?? 0, first.length)).catch((error: unknown) => {
        // Services that ignore `offset` have a single page.
        if (isApiError(error) && error.operation === 'count') return first.length;
        throw error;
      });
      if (count === first.length) return sortNewestFirst(first);
      this.#counts.set(client, count);
    }
    if (count === undefined) return fetchPage({ offset, limit });
    const start = Math.max(0, count - offset - limit);
    const { rows } = await readRange(
      fetchPage,
      { offset: start, limit: Math.max(0, count - offset - start) },
      { signal },
    );
    return sortNewestFirst(rows);
  }
}

function sortNewestFirst(campaigns: readonly Campaign[]) {
  return campaigns.toSorted((one, other) => other.id - one.id);
}
