import * as l10n from '@vscode/l10n';
import { isApiError } from '../../../service/client/errors.ts';
import type { Campaign, CampaignStatistics, MailingClient } from '../../../service/client/index.ts';
import { MAX_PAGE_SIZE, type Page } from '../../../service/client/paginate.ts';
import type { Connections } from '../../../platform/connections/connections.ts';
import type { RecordRef } from '../../../platform/connections/model.ts';
import { errorText } from '../../../platform/ui/errors.ts';
import { toSingleLine } from '../../../platform/ui/text.ts';
import { describeCampaignState, getCampaignName } from '../../campaigns/wording.ts';
import type { CampaignCard, StatisticsRow } from '../model.ts';
import { createRecipientReader } from './recipients.ts';
import type { RefreshOutcome } from './refresh.ts';

/** A shorter response is complete: no service truncates to fewer links. */
const MIN_TRUNCATED_LINKS = 20;

export type StatisticsConnections = Pick<Connections, 'run' | 'get'>;

/**
 * The operations on one campaign's statistics. All throw `ApiError`, with kind `notFound` only if the campaign was deleted. If the service
 * reports `notFound` for an existing campaign without figures, the result is empty.
 */
export class CampaignSource {
  protected readonly ref: RecordRef;
  protected readonly services: StatisticsConnections;

  constructor(services: StatisticsConnections, ref: RecordRef) {
    this.services = services;
    this.ref = ref;
  }

  campaign(signal?: AbortSignal): Promise<Campaign> {
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
    if (this.services.get(connection)?.profile !== 'acymailing') return links;
    for (let pageLength = links.length; pageLength >= MIN_TRUNCATED_LINKS;) {
      const nextLinks = await read({ offset: links.length, limit: MAX_PAGE_SIZE });
      // A service that ignores the offset returns the first links again.
      if (JSON.stringify(nextLinks[0]) === JSON.stringify(links[0])) break;
      links.push(...nextLinks);
      pageLength = nextLinks.length;
    }
    return links;
  }

  /** Returns a new reader of the campaign's recipients. Each reader detects the service's pagination itself. */
  recipients() {
    return createRecipientReader((page, { signal }) =>
      this.#rows(signal, (client) => client.getCampaignStatisticsDetailed(this.ref.id, page, { signal })),
    );
  }

  #run<T>(operation: (client: MailingClient) => Promise<T>): Promise<T> {
    return this.services.run(this.ref.connection, operation);
  }

  #rows<R>(signal: AbortSignal, read: (client: MailingClient) => Promise<readonly R[]>): Promise<readonly R[]> {
    return this.#run(async (client) => {
      try {
        return await read(client);
      } catch (error) {
        if (!isNotFound(error)) throw error;
        // Services also report "not found" if nothing was sent or clicked yet ("No variations found").
        await client.getCampaignById(this.ref.id, { signal });
        return [];
      }
    });
  }
}

function isNotFound(error: unknown): boolean {
  return isApiError(error) && error.kind === 'notFound';
}

/** A campaign with its last figures. Reading never throws. */
export class CampaignFigures extends CampaignSource {
  /** The last figures: one row for each version of the email. */
  rows: readonly CampaignStatistics[] | undefined;
  /** The figures of the read before the last. */
  previousRows: readonly CampaignStatistics[] | undefined;
  readAt: Date | undefined;
  /** Why the last read of the figures failed. */
  failure: string | undefined;
  isDeleted = false;
  readonly #onCardChange: () => void;
  #record: Campaign | undefined;
  #nameRead: Promise<void> | undefined;

  constructor(services: StatisticsConnections, ref: RecordRef, onCardChange: () => void) {
    super(services, ref);
    this.#onCardChange = onCardChange;
  }

  /** The campaign as the page's header shows it. */
  get card(): CampaignCard {
    const { ref } = this;
    const record = this.#record;
    const connection = this.services.get(ref.connection);
    const hasState = [record?.sent, record?.draft, record?.sending_type].some((field) => field !== undefined);
    const state = this.isDeleted
      ? l10n.t({ message: 'deleted', comment: 'State of a campaign' })
      : record && hasState
        ? describeCampaignState(record)
        : '';
    return {
      name: getCampaignName(record ?? ref),
      state: connection === undefined ? l10n.t('connection removed') : state,
      isMissing: this.isDeleted || connection === undefined,
      service: toSingleLine(connection?.name ?? ref.connection),
    };
  }

  /** Whether the last two reads differ. */
  get hasChanged(): boolean {
    const { rows, previousRows, failure } = this;
    return failure === undefined && previousRows !== undefined && JSON.stringify(rows) !== JSON.stringify(previousRows);
  }

  /** Reads the campaign's name and state, which the next `readRecord` doesn't repeat. */
  readName(): void {
    this.#nameRead = this.#loadRecord();
  }

  /** Reads the campaign's name and state. Only its card depends on them, so other failures than a deletion are ignored. */
  async readRecord(signal: AbortSignal): Promise<void> {
    const nameRead = this.#nameRead;
    this.#nameRead = undefined;
    await nameRead;
    if (!nameRead || this.#record === undefined) await this.#loadRecord(signal);
  }

  async readFigures(signal: AbortSignal): Promise<RefreshOutcome> {
    try {
      const rows = await this.figures(signal);
      if (signal.aborted) return 'succeeded';
      this.previousRows = this.rows;
      this.rows = rows;
      this.readAt = new Date();
      this.failure = undefined;
      return 'succeeded';
    } catch (error) {
      if (signal.aborted) return 'succeeded';
      if (isNotFound(error)) this.#setRecord(this.#record, true);
      this.failure = isNotFound(error) ? l10n.t('The campaign was deleted on the service.') : errorText(error);
      const isStopped =
        this.services.get(this.ref.connection) === undefined ||
        (isApiError(error) && ['notFound', 'unauthorized', 'forbidden'].includes(error.kind));
      return isStopped ? 'stopped' : 'failed';
    }
  }

  async #loadRecord(signal?: AbortSignal): Promise<void> {
    try {
      const record = await this.campaign(signal);
      if (!signal?.aborted) this.#setRecord(record, false);
    } catch (error) {
      if (!signal?.aborted && isNotFound(error)) this.#setRecord(this.#record, true);
    }
  }

  #setRecord(record: Campaign | undefined, isDeleted: boolean): void {
    this.#record = record;
    this.isDeleted = isDeleted;
    this.#onCardChange();
  }
}
