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
import { createRecipientReader } from './recipients.ts';

/** A shorter response is complete: no service truncates to fewer links. */
const MIN_TRUNCATED_LINKS = 20;

export type StatisticsConnections = Pick<Connections, 'run' | 'get' | 'getService'>;

/**
 * Creates the operations on one campaign's statistics. All throw `ApiError`, with kind `notFound` only if the campaign was deleted.
 */
export function createSource(services: StatisticsConnections, { connection, id }: RecordKey) {
  const run = async <R>(read: (client: MailingClient) => Promise<R>) =>
    services.run(services.getService(connection), read);
  const campaign = (signal?: AbortSignal) => run((client) => client.getCampaignById(id, { signal }));
  const readRows = <R>(signal: AbortSignal, read: (client: MailingClient) => Promise<readonly R[]>) =>
    run((client) => readCampaignRows(client, id, signal, read));
  return {
    campaign,
    /** Returns one row for each version of the email; empty before it was sent. */
    figures: (signal: AbortSignal) => readRows(signal, (client) => client.getCampaignStatistics(id, { signal })),
    /** Returns one row for each recipient and clicked link. */
    clicks: (signal: AbortSignal): Promise<readonly StatisticsRow[]> =>
      readRows(signal, (client) => client.getCampaignStatisticsClicks(id, { signal })),
    /** Returns one row for each clicked link. AcyMailing paginates the links; the API document returns all of them at once. */
    links: async (signal: AbortSignal): Promise<readonly StatisticsRow[]> => {
      const read = (page: Partial<Page> = {}) =>
        readRows(signal, (client) => client.getCampaignStatisticsLinks(id, page, { signal }));
      const links = [...(await read())];
      if (services.get(connection)?.profile !== 'acymailing') return links;
      for (let pageLength = links.length; pageLength >= MIN_TRUNCATED_LINKS;) {
        const nextLinks = await read({ offset: links.length, limit: MAX_PAGE_SIZE });
        // A service that ignores the offset returns the first links again.
        if (JSON.stringify(nextLinks[0]) === JSON.stringify(links[0])) break;
        links.push(...nextLinks);
        pageLength = nextLinks.length;
      }
      return links;
    },
    /** Returns a new reader of the campaign's recipients. Each reader detects the service's pagination itself. */
    recipients: () =>
      createRecipientReader((page, { signal }) =>
        readRows(signal, (client) => client.getCampaignStatisticsDetailed(id, page, { signal })),
      ),
  };
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

/** Creates the operations on the figures of a follow-up, which has no tables. */
function createFollowUpSource(services: StatisticsConnections, { connection, id }: RecordKey) {
  const run = async <R>(read: (client: MailingClient) => Promise<R>) =>
    services.run(services.getService(connection), read);
  const read = (signal?: AbortSignal) => run((client) => client.getFollowUpById(id, { signal }));
  return {
    ...createSource(services, { connection, id }),
    campaign: async (signal?: AbortSignal): Promise<Campaign> => ({ id, name: getFollowUpName(await read(signal)) }),
    /** Returns one row for each mail, in the order of the delays. */
    figures: async (signal: AbortSignal): Promise<readonly CampaignStatistics[]> => {
      const rows = await run((client) => client.getFollowupStatistics(id, { signal }));
      const { mails } = getFollowUpDetails(await read(signal));
      const ordered = mails.toSorted((one, other) => toSeconds(one) - toSeconds(other));
      // Only the position tells which mail wasn't sent.
      return rows.map((row, at) => row ?? { mail_id: ordered[at]?.mail_id, sent: 0 });
    },
  };
}

export type CampaignFigures = ReturnType<typeof createFigures>;

/** Creates a campaign with its last figures. Reading never throws. */
export function createFigures(services: StatisticsConnections, ref: StatisticsRef, onCardChange: () => void) {
  const source = (isFollowUp([ref]) ? createFollowUpSource : createSource)(services, ref);
  const state: FiguresState = { isDeleted: false };
  let record: Campaign | undefined;
  let nameRead: Promise<void> | undefined;

  async function loadRecord(signal?: AbortSignal) {
    try {
      const read = await source.campaign(signal);
      if (!signal?.aborted) setRecord(read, false);
    } catch (error) {
      if (!signal?.aborted && isNotFound(error)) setRecord(record, true);
    }
  }

  function setRecord(read: Campaign | undefined, isDeleted: boolean) {
    record = read;
    state.isDeleted = isDeleted;
    onCardChange();
  }

  return {
    ...source,
    state,
    /** Returns the campaign as the page's header shows it. */
    getCard: (): CampaignCard => {
      const connection = services.get(ref.connection);
      const hasState = [record?.sent, record?.draft, record?.sending_type].some((field) => field !== undefined);
      const description = state.isDeleted
        ? t({ message: 'deleted', comment: 'State of a campaign' })
        : record && hasState
          ? describeCampaignState(record)
          : '';
      return {
        name: record === undefined && isFollowUp([ref]) ? getFollowUpName(ref) : getCampaignName(record ?? ref),
        state: connection === undefined ? t('connection removed') : description,
        isMissing: state.isDeleted || connection === undefined,
        service: toSingleLine(connection?.name ?? ref.connection),
      };
    },
    /** Returns whether the last two reads differ. */
    hasChanged: () => {
      const { rows, previousRows, failure } = state;
      return (
        failure === undefined && previousRows !== undefined && JSON.stringify(rows) !== JSON.stringify(previousRows)
      );
    },
    /** Reads the campaign's name and state, which the next `readRecord` doesn't repeat. */
    readName: () => {
      nameRead = loadRecord();
    },
    /** Reads the campaign's name and state. Only its card depends on them, so other failures than a deletion are ignored. */
    readRecord: async (signal: AbortSignal) => {
      const read = nameRead;
      nameRead = undefined;
      await read;
      if (!read || record === undefined) await loadRecord(signal);
    },
    readFigures: async (signal: AbortSignal): Promise<void> => {
      try {
        const rows = await source.figures(signal);
        if (!signal.aborted)
          Object.assign(state, { previousRows: state.rows, rows, readAt: new Date(), failure: undefined });
      } catch (error) {
        if (signal.aborted) return;
        if (isNotFound(error)) setRecord(record, true);
        state.failure =
          isNotFound(error) && !isFollowUp([ref]) ? t('The campaign was deleted on the service.') : errorText(error);
      }
    },
  };
}
