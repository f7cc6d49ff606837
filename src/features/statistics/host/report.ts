import * as l10n from '@vscode/l10n';
import { compareCampaigns } from '../analysis/comparison.ts';
import { comparisonMarkdown, overviewMarkdown } from '../analysis/markdown.ts';
import { createOverview } from '../analysis/overview.ts';
import type { CampaignCard, CampaignSelection, Comparison, Overview } from '../model.ts';
import type { ToPage } from '../protocol.ts';
import { CampaignRecords } from './records.ts';
import {
  formatReadTime,
  getCanceledMessage,
  RefreshableValue,
  type ReadCause,
  type RefreshOutcome,
} from './refresh.ts';
import { CampaignFigures, type StatisticsConnections } from './source.ts';

/** The statistics of the selected campaigns. Campaigns that can't be read keep their last figures. */
export class Report {
  /** The tables and the timeline; undefined unless a single campaign is selected. */
  readonly records: CampaignRecords | undefined;
  readonly #campaigns: readonly CampaignFigures[];
  readonly #figures: RefreshableValue<Overview | Comparison>;
  #abort = new AbortController();

  constructor(services: StatisticsConnections, selection: CampaignSelection, post: (message: ToPage) => void) {
    this.#campaigns = selection.map(
      (ref) => new CampaignFigures(services, ref, () => post({ type: 'cards', cards: this.cards })),
    );
    this.#figures = new RefreshableValue((figures) => post({ type: 'figures', figures, failures: this.#failures }));
    const [campaign, ...others] = this.#campaigns;
    this.records = campaign && others.length === 0 ? new CampaignRecords(campaign, post) : undefined;
  }

  get cards(): readonly CampaignCard[] {
    return this.#campaigns.map(({ card }) => card);
  }

  /** Reads the campaigns' names, which the tab's title needs even while the tab is hidden. */
  readNames(): void {
    for (const campaign of this.#campaigns) campaign.readName();
  }

  /** Posts the current state to the page. */
  publish(): void {
    this.#figures.publish();
    this.records?.publish();
  }

  /**
   * Reads the report and cancels a running read. The service's operations fail independently of each other. Undefined if it is aborted.
   * Never throws; errors are posted to the page.
   */
  async read(cause: ReadCause): Promise<RefreshOutcome | undefined> {
    this.cancel();
    const { signal } = this.#abort;
    const { records } = this;
    this.#figures.start();
    if (cause === 'opened') records?.invalidate();
    if (cause === 'requested') records?.reload();
    const showPartial = (): void => {
      if (!records && !signal.aborted && this.#campaigns.some(({ rows }) => rows))
        this.#figures.reportPartial(this.#analyze());
    };
    const outcomes = await Promise.all(
      this.#campaigns.map(async (campaign) => {
        const record = campaign.readRecord(signal).then(showPartial);
        const outcome = await campaign.readFigures(signal);
        showPartial();
        // The columns of a comparison have the campaigns' names.
        if (!records) await record;
        return outcome;
      }),
    );
    if (signal.aborted) return undefined;
    this.#finishRead();
    // Keep refreshing while at least one campaign can be read.
    const canContinue = outcomes.some((outcome) => outcome !== 'stopped');
    const results = outcomes.filter((outcome) => !canContinue || outcome !== 'stopped');
    const hasChanged = this.#campaigns.some((campaign) => campaign.hasChanged);
    if (cause === 'scheduled' && hasChanged) records?.reload();
    if (records && (cause === 'requested' || hasChanged || !records.isTimelineCurrent))
      results.push(await records.readTimeline(cause));
    if (signal.aborted) return undefined;
    return (['stopped', 'failed'] as const).find((outcome) => results.includes(outcome)) ?? 'succeeded';
  }

  /** Cancels a running read and keeps the last values. */
  cancel(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#figures.cancel();
    this.records?.cancel();
  }

  /** Returns the last figures as Markdown. Throws the reason if there are none. */
  formatMarkdown(): string {
    const { value, at, failure = getCanceledMessage() } = this.#figures;
    if (value === undefined || at === undefined) throw new Error(failure);
    if ('bars' in value) return comparisonMarkdown({ at, comparison: value, failures: this.#failures });
    const [{ name, service } = { name: '', service: '' }] = this.cards;
    return overviewMarkdown({ name, service, at, overview: value, timeline: this.records?.timeline });
  }

  /** Publishes the figures, or the failure if no campaign could be read. */
  #finishRead(): void {
    const failures = this.#campaigns.flatMap(({ failure }) => failure ?? []);
    if (failures[0] === undefined || failures.length < this.#campaigns.length) this.#figures.succeed(this.#analyze());
    else {
      const isLast = this.#figures.value !== undefined && this.#campaigns.every(({ isDeleted }) => isDeleted);
      this.#figures.fail(isLast ? `${failures[0]} ${l10n.t('These are the last figures.')}` : failures[0]);
    }
  }

  #analyze(): Overview | Comparison {
    const [campaign, ...others] = this.#campaigns;
    if (others.length === 0) return createOverview(campaign?.rows ?? [], campaign?.previousRows);
    return compareCampaigns(
      this.#campaigns.map(({ card, rows, previousRows }) => ({ name: card.name, rows, previousRows })),
    );
  }

  /** The compared campaigns that can't be read. */
  get #failures(): readonly string[] {
    if (this.records) return [];
    return this.#campaigns.flatMap(({ card, failure, readAt }) => {
      if (failure === undefined) return [];
      const suffix = readAt === undefined ? '' : ` ${l10n.t`The figures are from ${formatReadTime(readAt)}.`}`;
      return [`"${card.name}": ${failure}${suffix}`];
    });
  }
}
