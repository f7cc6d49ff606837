import { isApiError } from '../../../service/client/errors.ts';
import type { Campaign, CampaignStatistics, MailingClient } from '../../../service/client/index.ts';
import type { Page } from '../../../service/client/paginate.ts';
import type { Connections } from '../../../platform/connections/connections.ts';
import type { CampaignRef, StatisticsRow } from '../model.ts';
import { RecipientReader } from './recipients.ts';

/** A shorter response is complete: no service truncates to fewer links. */
const MIN_TRUNCATED_LINKS = 20;
/** Newer installations return no more links per request. */
const LINKS_PAGE_ROWS = 500;

export type StatisticsConnections = Pick<Connections, 'run' | 'get'>;

/**
 * The operations on one campaign's statistics. All throw `ApiError`, with kind `notFound` only if the campaign was deleted. If the service
 * reports `notFound` for an existing campaign without figures, the result is empty.
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

  /** Returns one row for each version of the email; empty before it was sent. */
  figures(signal: AbortSignal): Promise<readonly CampaignStatistics[]> {
    return this.#rows(signal, (client) => client.getCampaignStatistics(this.ref.id, { signal }));
  }

  /** Returns one row for each recipient and clicked link. */
  clicks(signal: AbortSignal): Promise<readonly StatisticsRow[]> {
    return this.#rows(signal, (client) => client.getCampaignStatisticsClicks(this.ref.id, { signal }));
  }

  /** Returns one row for each clicked link. AcyMailing paginates the links; the API document returns all of them at once. */
  async links(signal: AbortSignal): Promise<readonly StatisticsRow[]> {
    const { id, connection } = this.ref;
    const read = (page: Partial<Page> = {}): Promise<readonly StatisticsRow[]> =>
      this.#rows(signal, (client) => client.getCampaignStatisticsLinks(id, page, { signal }));
    const links = [...(await read())];
    if (this.#services.get(connection)?.profile !== 'acymailing') return links;
    for (let pageLength = links.length; pageLength >= MIN_TRUNCATED_LINKS;) {
      const nextLinks = await read({ offset: links.length, limit: LINKS_PAGE_ROWS });
      // A service that ignores the offset returns the first links again.
      if (JSON.stringify(nextLinks[0]) === JSON.stringify(links[0])) break;
      links.push(...nextLinks);
      pageLength = nextLinks.length;
    }
    return links;
  }

  /** Returns a new reader of the campaign's recipients. Each reader detects the service's pagination itself. */
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
        // Services also report "not found" if nothing was sent or clicked yet ("No variations found").
        return await client.getCampaignById(this.ref.id, { signal }).then(
          () => [],
          (recordError: unknown) => {
            throw isNotFound(recordError) ? error : recordError;
          },
        );
      }
    });
  }
}

export function isNotFound(error: unknown): boolean {
  return isApiError(error) && error.kind === 'notFound';
}

/** Tables that the service returns without pagination. They are read once and sliced. */
type UnpagedTable = 'clicks' | 'links';

interface CachedRows {
  readonly rows: Promise<readonly StatisticsRow[]>;
  hasFailed: boolean;
}

/** Caches the records of one campaign between two refreshes. */
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

  /** Returns all rows of a table. A failed read is cached too, and only repeated if `retriesFailed` is set. */
  readAll(name: UnpagedTable, retriesFailed: boolean = false): Promise<readonly StatisticsRow[]> {
    const cached = this.#tables.get(name);
    if (cached && !(cached.hasFailed && retriesFailed)) return cached.rows;
    const rows = this.#source[name](this.#abort.signal);
    const newRows: CachedRows = { rows, hasFailed: false };
    this.#tables.set(name, newRows);
    rows.catch(() => {
      newRows.hasFailed = true;
    });
    return rows;
  }

  /** Cancels running reads and keeps the cached rows. */
  cancel(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  /** Cancels running reads and clears the cache. */
  invalidate(): void {
    this.cancel();
    this.#tables.clear();
    this.#recipients = this.#source.recipients();
  }
}
