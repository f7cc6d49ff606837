import type { Comparison } from '../model.ts';
import { compareCampaigns } from '../analysis/compareCampaigns.ts';
import { formatReadTime } from './refreshableValue.ts';
import { BaseReport, getWorstOutcome, type CampaignRefs, type ReadCause, type Post } from './report.ts';
import type { StatisticsConnections } from './source.ts';
import type { RefreshOutcome } from './refreshTimer.ts';

/** Compares the figures of several campaigns. Campaigns that can't be read keep their last figures and are listed as failures. */
export class ComparisonReport extends BaseReport<Comparison> {
  constructor(services: StatisticsConnections, campaigns: CampaignRefs, post: Post) {
    super(services, campaigns, post, (comparison) =>
      post({ type: 'comparison', comparison, failures: this.#failures }),
    );
  }

  protected async readFromService(_cause: ReadCause, signal: AbortSignal): Promise<RefreshOutcome> {
    const show = (): void => {
      if (!signal.aborted && this.campaigns.some(({ rows }) => rows)) this.figures.reportPartial(this.analyze());
    };
    const outcomes = await Promise.all(
      this.campaigns.map(async (campaign) => {
        const record = campaign.readRecord(signal).then(show);
        const { outcome } = await campaign.readFigures(signal);
        show();
        await record;
        return outcome;
      }),
    );
    if (signal.aborted) return 'succeeded';
    this.finishRead();
    // Keep refreshing while at least one campaign can be read.
    return outcomes.every((outcome) => outcome === 'stopped')
      ? 'stopped'
      : getWorstOutcome(outcomes.map((outcome) => (outcome === 'stopped' ? 'succeeded' : outcome)));
  }

  protected analyze(): Comparison {
    return compareCampaigns(
      this.campaigns.map(({ card, rows }) => ({ name: card.name, rows })),
      this.campaigns.map(({ previousRows }) => previousRows),
    );
  }

  protected async toMarkdown(comparison: Comparison, readAt: string): Promise<string> {
    const { comparisonMarkdown } = await import('../analysis/markdown.ts');
    return comparisonMarkdown({ at: readAt, comparison, failures: this.#failures });
  }

  get #failures(): readonly string[] {
    return this.campaigns.flatMap(({ card, failure, readAt }) => {
      if (failure === undefined) return [];
      const suffix = readAt === undefined ? '' : ` Its figures are those of ${formatReadTime(readAt)}.`;
      return [`“${card.name}”: ${failure.message}${suffix}`];
    });
  }
}
