import type { Comparison } from '../model.ts';
import { compare } from '../analysis/compare.ts';
import { readAtText } from './readingState.ts';
import { Report, worst, type Campaigns, type Cause, type Post } from './report.ts';
import type { Services } from './source.ts';
import type { WatchOutcome } from './watch.ts';

/** The figures of several campaigns side by side. Those that can't be read are named, and keep their last figures. */
export class ComparisonReport extends Report<Comparison> {
  constructor(services: Services, campaigns: Campaigns, post: Post) {
    super(services, campaigns, post, (comparison) =>
      post({ type: 'comparison', comparison, failures: this.#failures }),
    );
  }

  protected async readAnew(_cause: Cause, signal: AbortSignal): Promise<WatchOutcome> {
    const show = (): void => {
      if (!signal.aborted && this.campaigns.some(({ rows }) => rows)) this.figures.progress(this.analyse());
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
    this.settle();
    // As long as one of them can be read, it is of use to watch them.
    return outcomes.every((outcome) => outcome === 'over')
      ? 'over'
      : worst(outcomes.map((outcome) => (outcome === 'over' ? 'done' : outcome)));
  }

  protected analyse(): Comparison {
    return compare(
      this.campaigns.map(({ card, rows }) => ({ name: card.name, rows })),
      this.campaigns.map(({ before }) => before),
    );
  }

  protected async toMarkdown(comparison: Comparison, at: string): Promise<string> {
    const { comparisonMarkdown } = await import('../analysis/markdown.ts');
    return comparisonMarkdown({ at, comparison, failures: this.#failures });
  }

  get #failures(): readonly string[] {
    return this.campaigns.flatMap(({ card, failure, at }) => {
      if (failure === undefined) return [];
      const kept = at === undefined ? '' : ` Its figures are those of ${readAtText(at)}.`;
      return [`“${card.name}”: ${failure.message}${kept}`];
    });
  }
}
