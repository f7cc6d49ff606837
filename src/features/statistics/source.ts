import { t } from '@vscode/l10n';
import type { Campaign, CampaignStatistics, MailingClient } from '../../service/client/index.ts';
import { MAX_PAGE_SIZE, type Page } from '../../service/client/paginate.ts';
import type { Connections } from '../../platform/connections/connections.ts';
import type { RecordKey } from '../../platform/connections/model.ts';
import { errorText } from '../../ui/errors.ts';
import { toSingleLine } from '../../service/text.ts';
import { getFollowUpDetails, getFollowUpName, toSeconds } from '../followUps/model.ts';
import { describeCampaignState, getCampaignName } from '../campaigns/wording.ts';
import type { StatisticsRow } from '../../service/statistics/model.ts';
import { isNotFound, readCampaignRows } from '../../service/statistics/rows.ts';
import { isFollowUp, type CampaignCard, type StatisticsRef } from './model.ts';
import { RecipientReader } from './recipients.ts';

/** A shorter response is complete: no service truncates to fewer links. */
const MIN_TRUNCATED_LINKS = 20;

export type StatisticsConnections = Pick<Connections, 'run' | 'get' | 'getService'>;

/** The operations on one campaign's statistics. All throw `ApiError`, with kind `notFound` only if the campaign was deleted. */
export class CampaignSource {
  protected readonly services: StatisticsConnections;
  protected readonly ref: RecordKey;

  constructor(services: StatisticsConnections, ref: RecordKey) {
    this.services = services;
    this.ref = ref;
  }

  campaign(signal?: AbortSignal): Promise<Campaign> {
    return this.run((client) => client.getCampaignById(this.ref.id, { signal }));
  }

  /** Returns one row for each version of the email; empty before it was sent. */
  figures(signal: AbortSignal): Promise<readonly CampaignStatistics[]> {
    return this.#readRows(signal, (client) => client.getCampaignStatistics(this.ref.id, { signal }));
  }

  /** Returns one row for each recipient and clicked link. */
  clicks(signal: AbortSignal): Promise<readonly StatisticsRow[]> {
    return this.#readRows(signal, (client) => client.getCampaignStatisticsClicks(this.ref.id, { signal }));
  }

  /** Returns one row for each clicked link. AcyMailing paginates the links; the API document returns all of them at once. */
  async links(signal: AbortSignal): Promise<readonly StatisticsRow[]> {
    const read = (page: Partial<Page> = {}) =>
      this.#readRows(signal, (client) => client.getCampaignStatisticsLinks(this.ref.id, page, { signal }));
    const links = [...(await read())];
    if (this.services.get(this.ref.connection)?.profile !== 'acymailing') return links;
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
  recipients(): RecipientReader {
    return new RecipientReader((page, { signal }) =>
      this.#readRows(signal, (client) => client.getCampaignStatisticsDetailed(this.ref.id, page, { signal })),
    );
  }

  protected async run<R>(read: (client: MailingClient) => Promise<R>): Promise<R> {
    return this.services.run(this.services.getService(this.ref.connection), read);
  }

  #readRows<R>(signal: AbortSignal, read: (client: MailingClient) => Promise<readonly R[]>) {
    return this.run((client) => readCampaignRows(client, this.ref.id, signal, read));
  }
}

/** The operations on the figures of a follow-up, which has no tables. */
class FollowUpSource extends CampaignSource {
  override async campaign(signal?: AbortSignal): Promise<Campaign> {
    return { id: this.ref.id, name: getFollowUpName(await this.#read(signal)) };
  }

  /** Returns one row for each mail, in the order of the delays. */
  override async figures(signal: AbortSignal): Promise<readonly CampaignStatistics[]> {
    const rows = await this.run((client) => client.getFollowupStatistics(this.ref.id, { signal }));
    const { mails } = getFollowUpDetails(await this.#read(signal));
    const ordered = mails.toSorted((one, other) => toSeconds(one) - toSeconds(other));
    // Only the position tells which mail wasn't sent.
    return rows.map((row, at) => row ?? { mail_id: ordered[at]?.mail_id, sent: 0 });
  }

  #read(signal?: AbortSignal) {
    return this.run((client) => client.getFollowUpById(this.ref.id, { signal }));
  }
}

/** The figures of a campaign. */
interface FiguresState {
  /** The last figures: one row for each version of the email. */
  rows?: readonly CampaignStatistics[];
  /** The figures of the read before the last. */
  previousRows?: readonly CampaignStatistics[];
  readAt?: Date;
  /** Why the last read of the figures failed. */
  failure?: string | undefined;
  isDeleted: boolean;
}

/** A campaign or follow-up with its last figures, which failed reads always keep. Reading never throws. */
export class CampaignFigures {
  readonly source: CampaignSource;
  readonly state: FiguresState = { isDeleted: false };
  readonly #services: StatisticsConnections;
  readonly #ref: StatisticsRef;
  readonly #onCardChange: () => void;
  #record: Campaign | undefined;
  #nameRead: Promise<void> | undefined;

  constructor(services: StatisticsConnections, ref: StatisticsRef, onCardChange: () => void) {
    this.#services = services;
    this.#ref = ref;
    this.#onCardChange = onCardChange;
    this.source = new (isFollowUp([ref]) ? FollowUpSource : CampaignSource)(services, ref);
  }

  /** The campaign as the page's header shows it. */
  get card(): CampaignCard {
    const ref = this.#ref;
    const record = this.#record;
    const { isDeleted } = this.state;
    const connection = this.#services.get(ref.connection);
    const hasState = [record?.sent, record?.draft, record?.sending_type].some((field) => field !== undefined);
    const description = isDeleted
      ? t({ message: 'deleted', comment: 'State of a campaign' })
      : record && hasState
        ? describeCampaignState(record)
        : '';
    return {
      name: record === undefined && isFollowUp([ref]) ? getFollowUpName(ref) : getCampaignName(record ?? ref),
      state: connection === undefined ? t('connection removed') : description,
      isMissing: isDeleted || connection === undefined,
      service: toSingleLine(connection?.name ?? ref.connection),
    };
  }

  /** Whether the last two reads differ. */
  get hasChanged(): boolean {
    const { rows, previousRows, failure } = this.state;
    return failure === undefined && previousRows !== undefined && JSON.stringify(rows) !== JSON.stringify(previousRows);
  }

  /** Reads the campaign's name and state, which the next `readRecord` doesn't repeat. */
  readName(): void {
    this.#nameRead = this.#loadRecord();
  }

  /** Reads the campaign's name and state. Only its card depends on them, so other failures than a deletion are ignored. */
  async readRecord(signal: AbortSignal): Promise<void> {
    const read = this.#nameRead;
    this.#nameRead = undefined;
    await read;
    if (!read || this.#record === undefined) await this.#loadRecord(signal);
  }

  async readFigures(signal: AbortSignal): Promise<void> {
    const { state } = this;
    try {
      const rows = await this.source.figures(signal);
      if (!signal.aborted)
        Object.assign(state, { previousRows: state.rows, rows, readAt: new Date(), failure: undefined });
    } catch (error) {
      if (signal.aborted) return;
      if (isNotFound(error)) this.#setRecord(this.#record, true);
      const isDeleted = isNotFound(error) && !isFollowUp([this.#ref]);
      state.failure = isDeleted ? t('The campaign was deleted on the service.') : errorText(error);
    }
  }

  async #loadRecord(signal?: AbortSignal) {
    try {
      const read = await this.source.campaign(signal);
      if (!signal?.aborted) this.#setRecord(read, false);
    } catch (error) {
      if (!signal?.aborted && isNotFound(error)) this.#setRecord(this.#record, true);
    }
  }

  #setRecord(record: Campaign | undefined, isDeleted: boolean) {
    this.#record = record;
    this.state.isDeleted = isDeleted;
    this.#onCardChange();
  }
}
