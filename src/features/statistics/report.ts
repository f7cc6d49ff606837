import { t } from '@vscode/l10n';
import { formatPair, quote } from '../../l10n.ts';
import { compareCampaigns, compareMails } from '../../service/statistics/comparison.ts';
import { createOverview } from '../../service/statistics/overview.ts';
import type { Comparison, Overview } from '../../service/statistics/model.ts';
import { isFollowUp, type CampaignCard, type CampaignSelection } from './model.ts';
import type { ToPage } from './protocol.ts';
import { createRecords } from './records.ts';
import { formatReadTime, createRefreshable, type ReadCause } from './refresh.ts';
import { createFigures, type StatisticsConnections } from './source.ts';

/** Creates the statistics of the selected campaigns. Campaigns that can't be read keep their last figures. */
export function createReport(
  services: StatisticsConnections,
  selection: CampaignSelection,
  post: (message: ToPage) => void,
) {
  const campaigns = selection.map((ref) =>
    createFigures(services, ref, () => post({ type: 'cards', cards: getCards() })),
  );
  const [campaign, ...others] = campaigns;
  /** The tables and the timeline; undefined unless a single campaign is selected. */
  const records = campaign && others.length === 0 && !isFollowUp(selection) ? createRecords(campaign, post) : undefined;
  const figures = createRefreshable<Overview | Comparison>((state) =>
    post({ type: 'figures', figures: state, failures: listFailures() }),
  );
  let abort = new AbortController();

  function getCards(): readonly CampaignCard[] {
    return campaigns.map(({ getCard }) => getCard());
  }

  /** Cancels a running read and keeps the last values. */
  function cancel() {
    abort.abort();
    abort = new AbortController();
    figures.cancel();
    records?.cancel();
  }

  /** Publishes the figures, or the failure if no campaign could be read. */
  function finishRead() {
    const failures = campaigns.flatMap(({ state }) => state.failure ?? []);
    if (failures[0] === undefined || failures.length < campaigns.length) figures.succeed(analyze());
    else {
      const isLast = figures.getValue() !== undefined && campaigns.every(({ state }) => state.isDeleted);
      figures.fail(isLast ? `${failures[0]} ${t('These are the last figures.')}` : failures[0]);
    }
  }

  function analyze() {
    if (isFollowUp(selection)) return compareMails(campaign?.state.rows ?? [], campaign?.state.previousRows);
    if (others.length === 0) return createOverview(campaign?.state.rows ?? [], campaign?.state.previousRows);
    return compareCampaigns(campaigns.map(({ getCard, state }) => ({ ...state, name: getCard().name })));
  }

  /** Returns the compared campaigns that can't be read. */
  function listFailures(): readonly string[] {
    if (records) return [];
    return campaigns.flatMap(({ getCard, state: { failure, readAt } }) => {
      if (failure === undefined) return [];
      const suffix = readAt === undefined ? '' : ` ${t`The figures are from ${formatReadTime(readAt)}.`}`;
      return [formatPair(quote(getCard().name), `${failure}${suffix}`)];
    });
  }

  return {
    records,
    getCards,
    cancel,
    /** Reads the campaigns' names, which the tab's title needs even while the tab is hidden. */
    readNames: () => {
      for (const each of campaigns) each.readName();
    },
    /** Posts the current state to the page. */
    publish: () => {
      figures.publish();
      records?.timeline.publish();
    },
    /**
     * Reads the report and cancels a running read. The service's operations fail independently of each other. Returns false if it is aborted.
     * Never throws; errors are posted to the page.
     */
    read: async (cause: ReadCause): Promise<boolean> => {
      cancel();
      const { signal } = abort;
      figures.start();
      if (cause === 'opened') records?.invalidate();
      if (cause === 'requested') records?.reload();
      const showPartial = () => {
        if (!records && !signal.aborted && campaigns.some(({ state }) => state.rows)) figures.reportPartial(analyze());
      };
      await Promise.all(
        campaigns.map(async (each) => {
          const record = each.readRecord(signal).then(showPartial);
          await each.readFigures(signal);
          showPartial();
          // The columns of a comparison have the campaigns' names.
          if (!records) await record;
        }),
      );
      if (signal.aborted) return false;
      finishRead();
      const isOutdated = cause === 'requested' || campaigns.some((each) => each.hasChanged());
      if (records && (isOutdated || !records.timeline.isCurrent())) await records.readTimeline();
      return !signal.aborted;
    },
  };
}
