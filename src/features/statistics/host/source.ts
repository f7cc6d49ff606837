import { isApiError } from '../../../service/client/errors.ts';
import type { Campaign, CampaignStatistics, MailingClient } from '../../../service/client/index.ts';
import type { Page } from '../../../service/client/paginate.ts';
import type { Connections } from '../../../platform/connections/connections.ts';
import type { CampaignRef, StatisticsRow } from '../model.ts';
import { RecipientReader } from './recipients.ts';

/** Fewer links than these are all there are: no service cuts an answer shorter. */
const MIN_TRUNCATED_LINKS = 20;
/** Links of a request. Newer installations give no more at once. */
const LINKS_PAGE_ROWS = 500;

/** Where the statistics of a campaign come from. */
export type StatisticsConnections = Pick<Connections, 'run' | 'get'>;

/**
 * The operations on one campaign's statistics. All throw `ApiError`, of kind `notFound` only where the campaign is gone: what a service
 * answers to that
 * effect of a campaign that has no figures yet is no rows.
 */
export class CampaignSource {
  readonly ref: CampaignRef;
  readonly #services: StatisticsConnections;

  constructor(services: StatisticsConnections, ref: CampaignRef) {
    this.#services = services;
    this.ref = ref;
  }

  campaign(signal: AbortSignal): Promise<Campaign> {
    return this.#run((client) => client.getCampaignById(this.ref.id, { signal }));
  }

  /** One row for each version of the mail; none before it was sent. */
  figures(signal: AbortSignal): Promise<readonly CampaignStatistics[]> {
    return this.#rows(signal, (client) => client.getCampaignStatistics(this.ref.id, { signal }));
  }

  /** One row for each recipient and link that was clicked. */
  clicks(signal: AbortSignal): Promise<readonly StatisticsRow[]> {
    return this.#rows(signal, (client) => client.getCampaignStatisticsClicks(this.ref.id, { signal }));
  }

  /**
   * One row for each link that was clicked. The API document has one answer for all of them; installations in the field give so many at
   * once, and the
   * rest when they are asked for it.
   */
  async links(signal: AbortSignal): Promise<readonly StatisticsRow[]> {
    const { id, connection } = this.ref;
    const read = (page: Partial<Page> = {}): Promise<readonly StatisticsRow[]> =>
      this.#rows(signal, (client) => client.getCampaignStatisticsLinks(id, page, { signal }));
    const links = [...(await read())];
    if (this.#services.get(connection)?.profile !== 'acymailing') return links;
    for (let got = links.length; got >= MIN_TRUNCATED_LINKS;) {
      const next = await read({ offset: links.length, limit: LINKS_PAGE_ROWS });
      // One that passes over the offset begins anew.
      if (JSON.stringify(next[0]) === JSON.stringify(links[0])) break;
      links.push(...next);
      got = next.length;
    }
    return links;
  }

  /** Those who were sent the mail. What it learns of the service's way to page is its own: one reader for each reading. */
  recipients(): RecipientReader {
    return new RecipientReader((page, { signal }) =>
      this.#rows(signal, (client) => client.getCampaignStatisticsDetailed(this.ref.id, page, { signal })),
    );
  }

  #run<T>(operation: (client: MailingClient) => Promise<T>): Promise<T> {
    return this.#services.run(this.ref.connection, operation);
  }

  #rows<R>(signal: AbortSignal, read: (client: MailingClient) => Promise<readonly R[]>): Promise<readonly R[]> {
    return this.#run(async (client) => {
      try {
        return await read(client);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        // "No variations found" is said where nothing was sent or clicked yet, and other services may have other words for it.
        return await client.getCampaignById(this.ref.id, { signal }).then(
          () => [],
          (reason: unknown) => {
            throw isNotFound(reason) ? error : reason;
          },
        );
      }
    });
  }
}

/** The campaign is not there any more. */
export function isNotFound(error: unknown): boolean {
  return isApiError(error) && error.kind === 'notFound';
}

/** What the service gives as a whole: it is read once, and sliced for the tables. */
export type UnpagedTable = 'clicks' | 'links';

interface CachedRows {
  readonly rows: Promise<readonly StatisticsRow[]>;
  hasFailed: boolean;
}

/** The records of one campaign as they are between two refreshes. Who reads them first has them read; all others are given the same. */
export class RecordCache {
  readonly #source: CampaignSource;
  readonly #tables = new Map<UnpagedTable, CachedRows>();
  #recipients: RecipientReader;
  #abort = new AbortController();

  constructor(source: CampaignSource) {
    this.#source = source;
    this.#recipients = source.recipients();
  }

  get recipients(): RecipientReader {
    return this.#recipients;
  }

  /** Throws what the reading throws, also to those who come later, unless they want it to be tried `again`. */
  readAll(name: UnpagedTable, again: boolean = false): Promise<readonly StatisticsRow[]> {
    const known = this.#tables.get(name);
    if (known && !(known.hasFailed && again)) return known.rows;
    const rows = this.#source[name](this.#abort.signal);
    const whole: CachedRows = { rows, hasFailed: false };
    this.#tables.set(name, whole);
    rows.catch(() => {
      whole.hasFailed = true;
    });
    return rows;
  }

  /** Ends what is being read; what is there stays. */
  cancel(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  /** Everything is to be read anew. */
  invalidate(): void {
    this.cancel();
    this.#tables.clear();
    this.#recipients = this.#source.recipients();
  }
}
