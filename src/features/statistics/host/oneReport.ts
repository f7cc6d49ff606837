import type { CampaignRef, Overview, Timeline } from '../model.ts';
import { errorText, isCancelled } from '../../../platform/ui/errors.ts';
import { countsOf } from '../analysis/counts.ts';
import { overviewOf } from '../analysis/overview.ts';
import { TimelineCounter } from '../analysis/timeline.ts';
import { ReadingState } from './readingState.ts';
import { Report, type CampaignReading, worst, type Cause, type Post } from './report.ts';
import { Records, type Services } from './source.ts';
import { automatic, readTimeline } from './timelineReading.ts';
import type { WatchOutcome } from './watch.ts';

/**
 * The figures of one campaign and when its mails were opened. Each of the service's operations is read by itself: one that fails leaves the
 * others.
 */
export class OneReport extends Report<Overview> {
  readonly ref: CampaignRef;
  readonly records: Records;
  readonly #campaign: CampaignReading;
  readonly #post: Post;
  readonly #timeline: ReadingState<Timeline>;
  /** How many recipients were found, where all were read. */
  #counted: number | undefined;
  /** The user wants all recipients to be read for the timeline, however many there are. */
  #all = false;
  #counting = new AbortController();

  constructor(services: Services, ref: CampaignRef, post: Post) {
    super(services, [ref], post, (overview) => post({ type: 'overview', overview }));
    this.ref = ref;
    [this.#campaign] = this.campaigns;
    this.records = new Records(this.#campaign.source);
    this.#post = post;
    this.#timeline = new ReadingState((timeline) => post({ type: 'timeline', timeline }));
  }

  /** How many recipients there are, as far as that is known. */
  get recipients(): number | undefined {
    const { recipients: told } = countsOf(this.#campaign.rows ?? []);
    return told !== undefined && Number.isSafeInteger(told) && told >= 0 ? told : this.#counted;
  }

  override replay(): void {
    super.replay();
    this.#timeline.replay();
  }

  override giveUp(): void {
    super.giveUp();
    this.records.giveUp();
    this.#timeline.giveUp();
  }

  /** Reads every recipient for the timeline, now and whenever it is asked for again. */
  async readAll(): Promise<void> {
    this.#all = true;
    await this.#readTimeline('asked', this.signal);
  }

  protected async readAnew(cause: Cause, signal: AbortSignal): Promise<WatchOutcome> {
    if (cause === 'opened') this.records.renew();
    if (cause === 'asked') this.#renew();
    const record = this.#campaign.readRecord(signal);
    const { outcome, changed } = await this.#campaign.readFigures(signal);
    if (signal.aborted) return 'done';
    this.settle();
    if (cause === 'watched' && changed) this.#renew();
    const isTimelineOld = cause === 'asked' || changed || !this.#timeline.isKnown;
    return worst([
      outcome,
      ...(await Promise.all([record, ...(isTimelineOld ? [this.#readTimeline(cause, signal)] : [])])),
    ]);
  }

  protected analyse(): Overview {
    const { rows = [], before } = this.#campaign;
    return overviewOf(rows, { before, recipients: this.#counted });
  }

  protected override failureText({ message, isGone }: { readonly message: string; readonly isGone: boolean }): string {
    if (!isGone) return message;
    return `The campaign was deleted on the service${this.figures.value === undefined ? '.' : ': these are its last figures.'}`;
  }

  protected async toMarkdown(overview: Overview, at: string): Promise<string> {
    const { overviewMarkdown } = await import('../analysis/markdown.ts');
    const { name, service } = this.#campaign.card;
    return overviewMarkdown({ name, service, at, overview, timeline: this.#timeline.value });
  }

  /** The rows of the tables are of an earlier time now. */
  #renew(): void {
    this.records.renew();
    this.#post({ type: 'reload' });
  }

  async #readTimeline(cause: Cause, reading: AbortSignal): Promise<WatchOutcome> {
    const { recipients: total } = this;
    // Many requests again and again are more than a look at the figures should cost.
    if (cause === 'watched' && total !== undefined && total > automatic && (this.#timeline.value?.read ?? 0) > 0)
      return 'done';
    this.#counting.abort();
    this.#counting = new AbortController();
    const signal = AbortSignal.any([reading, this.#counting.signal]);
    this.#timeline.start();
    try {
      const timeline =
        this.figures.value?.unsent === true
          ? nothing()
          : await readTimeline({
              records: this.records,
              total,
              all: this.#all,
              signal,
              progress: (partial) =>
                !signal.aborted && this.#timeline.progress(partial, this.#timeline.value?.complete !== true),
            });
      if (signal.aborted) return 'done';
      this.#timeline.settle(timeline);
      if (timeline.complete) this.#count(timeline.read);
      return 'done';
    } catch (error) {
      if (signal.aborted) return 'done';
      if (isCancelled(error)) this.#timeline.giveUp();
      else this.#timeline.fail(errorText(error));
      return 'failed';
    }
  }

  /** Rates need the number of recipients, which not every service tells, and some tell another one than there are. */
  #count(recipients: number): void {
    if (this.#counted === recipients) return;
    this.#counted = recipients;
    if (this.#campaign.rows) this.figures.amend(this.analyse());
  }
}

function nothing(): Timeline {
  return new TimelineCounter().timeline({ read: 0, of: 0, complete: true });
}
