import type { CampaignRef, Overview, Timeline } from '../model.ts';
import { errorText, isCancelled } from '../../../platform/ui/errors.ts';
import { sumCounts } from '../analysis/counts.ts';
import { createOverview } from '../analysis/overview.ts';
import { TimelineCounter } from '../analysis/timeline.ts';
import { RefreshableValue } from './refreshableValue.ts';
import { BaseReport, type ReportCampaign, getWorstOutcome, type ReadCause, type Post } from './report.ts';
import { RecordCache, type StatisticsConnections } from './source.ts';
import { MAX_AUTOMATIC_RECIPIENTS, readTimeline } from './readTimeline.ts';
import type { RefreshOutcome } from './refreshTimer.ts';

/**
 * The figures of one campaign and when its mails were opened. Each of the service's operations is read by itself: one that fails leaves the
 * others.
 */
export class CampaignReport extends BaseReport<Overview> {
  readonly ref: CampaignRef;
  readonly recordCache: RecordCache;
  readonly #campaign: ReportCampaign;
  readonly #post: Post;
  readonly #timeline: RefreshableValue<Timeline>;
  /** How many recipients were found, where all were read. */
  #countedRecipients: number | undefined;
  /** The user wants all recipients to be read for the timeline, however many there are. */
  #readsAllRecipients = false;
  #timelineAbort = new AbortController();

  constructor(services: StatisticsConnections, ref: CampaignRef, post: Post) {
    super(services, [ref], post, (overview) => post({ type: 'overview', overview }));
    this.ref = ref;
    [this.#campaign] = this.campaigns;
    this.recordCache = new RecordCache(this.#campaign.source);
    this.#post = post;
    this.#timeline = new RefreshableValue((timeline) => post({ type: 'timeline', timeline }));
  }

  /** How many recipients there are, as far as that is known. */
  get recipients(): number | undefined {
    const { recipients: told } = sumCounts(this.#campaign.rows ?? []);
    return told !== undefined && Number.isSafeInteger(told) && told >= 0 ? told : this.#countedRecipients;
  }

  override publish(): void {
    super.publish();
    this.#timeline.publish();
  }

  override cancel(): void {
    super.cancel();
    this.recordCache.cancel();
    this.#timeline.cancel();
  }

  /** Reads every recipient for the timeline, now and whenever it is asked for again. */
  async readAllRecipients(): Promise<void> {
    this.#readsAllRecipients = true;
    await this.#readTimeline('asked', this.signal);
  }

  protected async readFromService(cause: ReadCause, signal: AbortSignal): Promise<RefreshOutcome> {
    if (cause === 'opened') this.recordCache.invalidate();
    if (cause === 'asked') this.#invalidateTables();
    const record = this.#campaign.readRecord(signal);
    const { outcome, changed } = await this.#campaign.readFigures(signal);
    if (signal.aborted) return 'done';
    this.finishRead();
    if (cause === 'watched' && changed) this.#invalidateTables();
    const isTimelineOld = cause === 'asked' || changed || !this.#timeline.isCurrent;
    return getWorstOutcome([
      outcome,
      ...(await Promise.all([record, ...(isTimelineOld ? [this.#readTimeline(cause, signal)] : [])])),
    ]);
  }

  protected analyze(): Overview {
    const { rows = [], previousRows: before } = this.#campaign;
    return createOverview(rows, { previousRows: before, recipients: this.#countedRecipients });
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
  #invalidateTables(): void {
    this.recordCache.invalidate();
    this.#post({ type: 'reload' });
  }

  async #readTimeline(cause: ReadCause, reading: AbortSignal): Promise<RefreshOutcome> {
    const { recipients: total } = this;
    // Many requests again and again are more than a look at the figures should cost.
    if (
      cause === 'watched' &&
      total !== undefined &&
      total > MAX_AUTOMATIC_RECIPIENTS &&
      (this.#timeline.value?.readCount ?? 0) > 0
    )
      return 'done';
    this.#timelineAbort.abort();
    this.#timelineAbort = new AbortController();
    const signal = AbortSignal.any([reading, this.#timelineAbort.signal]);
    this.#timeline.start();
    try {
      const timeline =
        this.figures.value?.isUnsent === true
          ? createEmptyTimeline()
          : await readTimeline({
              recordCache: this.recordCache,
              total,
              readsAll: this.#readsAllRecipients,
              signal,
              onProgress: (partial) =>
                !signal.aborted && this.#timeline.reportPartial(partial, this.#timeline.value?.isComplete !== true),
            });
      if (signal.aborted) return 'done';
      this.#timeline.succeed(timeline);
      if (timeline.isComplete) this.#setCountedRecipients(timeline.readCount);
      return 'done';
    } catch (error) {
      if (signal.aborted) return 'done';
      if (isCancelled(error)) this.#timeline.cancel();
      else this.#timeline.fail(errorText(error));
      return 'failed';
    }
  }

  /** Rates need the number of recipients, which not every service tells, and some tell another one than there are. */
  #setCountedRecipients(recipients: number): void {
    if (this.#countedRecipients === recipients) return;
    this.#countedRecipients = recipients;
    if (this.#campaign.rows) this.figures.replaceValue(this.analyze());
  }
}

function createEmptyTimeline(): Timeline {
  return new TimelineCounter().createTimeline({ readCount: 0, totalCount: 0, isComplete: true });
}
