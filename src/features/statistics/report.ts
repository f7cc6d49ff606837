import { t } from '@vscode/l10n';
import { formatPair, quote } from '../../l10n.ts';
import { compareCampaigns, compareMails } from '../../service/statistics/comparison.ts';
import { createOverview } from '../../service/statistics/overview.ts';
import type { Comparison, Overview } from '../../service/statistics/model.ts';
import { isFollowUp, type CampaignCard, type CampaignSelection } from './model.ts';
import type { ToPage } from './protocol.ts';
import { CampaignRecords } from './records.ts';
import { formatReadTime, Refreshable, type ReadCause } from './refresh.ts';
import { CampaignFigures, type StatisticsConnections } from './source.ts';

/** The statistics of the selected campaigns. At most one read always runs. Campaigns that can't be read keep their last figures. */
export class StatisticsReport {
  readonly #selection: CampaignSelection;
  readonly #campaigns: readonly CampaignFigures[];
  readonly #figures: Refreshable<Overview | Comparison>;
  #abort = new AbortController();
  /** The tables and the timeline; undefined unless a single campaign is selected. */
  readonly records: CampaignRecords | undefined;

  constructor(services: StatisticsConnections, selection: CampaignSelection, post: (message: ToPage) => void) {
    const postCards = () => post({ type: 'cards', cards: this.cards });
    this.#selection = selection;
    this.#campaigns = selection.map((ref) => new CampaignFigures(services, ref, postCards));
    const [campaign, ...others] = this.#campaigns;
    if (campaign && others.length === 0 && !isFollowUp(selection)) this.records = new CampaignRecords(campaign, post);
    this.#figures = new Refreshable((figures) => post({ type: 'figures', figures, failures: this.#listFailures() }));
  }

  get cards(): readonly CampaignCard[] {
    return this.#campaigns.map(({ card }) => card);
  }

  /** Cancels a running read and keeps the last values. */
  cancel(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#figures.cancel();
    this.records?.cancel();
  }

  /** Reads the campaigns' names, which the tab's title needs even while the tab is hidden. */
  readNames(): void {
    for (const each of this.#campaigns) each.readName();
  }

  /** Posts the current state to the page. */
  publish(): void {
    this.#figures.publish();
    this.records?.timeline.publish();
  }

  /**
   * Reads the report and cancels a running read. The service's operations fail independently of each other. Returns false if it is aborted.
   * Never throws; errors are posted to the page.
   */
  async read(cause: ReadCause): Promise<boolean> {
    const { records } = this;
    this.cancel();
    const { signal } = this.#abort;
    this.#figures.start();
    if (cause === 'opened') records?.invalidate();
    if (cause === 'requested') records?.reload();
    const showPartial = () => {
      if (!records && !signal.aborted && this.#campaigns.some(({ state }) => state.rows))
        this.#figures.reportPartial(this.#analyze());
    };
    await Promise.all(
      this.#campaigns.map(async (each) => {
        const record = each.readRecord(signal).then(showPartial);
        await each.readFigures(signal);
        showPartial();
        // The columns of a comparison have the campaigns' names.
        if (!records) await record;
      }),
    );
    if (signal.aborted) return false;
    this.#finishRead();
    const isOutdated = cause === 'requested' || this.#campaigns.some(({ hasChanged }) => hasChanged);
    if (records && (isOutdated || !records.timeline.isCurrent)) await records.readTimeline();
    return !signal.aborted;
  }

  /** Publishes the figures, or the failure if no campaign could be read. */
  #finishRead() {
    const failures = this.#campaigns.flatMap(({ state }) => state.failure ?? []);
    if (failures[0] === undefined || failures.length < this.#campaigns.length) this.#figures.succeed(this.#analyze());
    else {
      const isLast = this.#figures.value !== undefined && this.#campaigns.every(({ state }) => state.isDeleted);
      this.#figures.fail(isLast ? `${failures[0]} ${t('These are the last figures.')}` : failures[0]);
    }
  }

  #analyze() {
    const { rows = [], previousRows } = this.#campaigns[0]?.state ?? {};
    if (isFollowUp(this.#selection)) return compareMails(rows, previousRows);
    if (this.#campaigns.length < 2) return createOverview(rows, previousRows);
    return compareCampaigns(this.#campaigns.map(({ card: { name }, state }) => ({ ...state, name })));
  }

  /** Returns the compared campaigns that can't be read. */
  #listFailures(): readonly string[] {
    if (this.records) return [];
    return this.#campaigns.flatMap(({ card: { name }, state: { failure, readAt } }) => {
      if (failure === undefined) return [];
      const suffix = readAt === undefined ? '' : ` ${t`The figures are from ${formatReadTime(readAt)}.`}`;
      return [formatPair(quote(name), `${failure}${suffix}`)];
    });
  }
}
