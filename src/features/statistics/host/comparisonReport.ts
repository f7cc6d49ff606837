import type { Comparison } from '../model.ts';
import { compareCampaigns } from '../analysis/compareCampaigns.ts';
import { formatReadTime } from './refreshableValue.ts';
import { BaseReport, getWorstOutcome, type CampaignRefs, type ReadCause, type Post } from './report.ts';
import type { StatisticsConnections } from './source.ts';
import type { RefreshOutcome } from './refreshTimer.ts';

/** The figures of several campaigns side by side. Those that can't be read are named, and keep their last figures. */
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
    if (signal.aborted) return 'done';
    this.finishRead();
    // As long as one of them can be read, it is of use to watch them.
    return outcomes.every((outcome) => outcome === 'over')
      ? 'over'
      : getWorstOutcome(outcomes.map((outcome) => (outcome === 'over' ? 'done' : outcome)));
  }

  protected analyze(): Comparison {
    return compareCampaigns(
      this.campaigns.map(({ card, rows }) => ({ name: card.name, rows })),
      this.campaigns.map(({ previousRows: before }) => before),
    );
  }

  protected async toMarkdown(comparison: Comparison, at: string): Promise<string> {
    const { comparisonMarkdown } = await import('../analysis/markdown.ts');
    return comparisonMarkdown({ at, comparison, failures: this.#failures });
  }

  get #failures(): readonly string[] {
    return this.campaigns.flatMap(({ card, failure, readAt: at }) => {
      if (failure === undefined) return [];
      const kept = at === undefined ? '' : ` Its figures are those of ${formatReadTime(at)}.`;
      return [`“${card.name}”: ${failure.message}${kept}`];
    });
  }
}
