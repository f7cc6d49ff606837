import type { CampaignRef, Overview, ActivityTimeline } from '../model.ts';
import { errorText, isCanceled } from '../../../platform/ui/errors.ts';
import { sumCounts } from '../analysis/counts.ts';
import { createOverview } from '../analysis/overview.ts';
import { TimelineCounter } from '../analysis/timeline.ts';
import { RefreshableValue } from './refreshableValue.ts';
import { BaseReport, type ReportCampaign, getWorstOutcome, type ReadCause, type Post } from './report.ts';
import { RecordCache, type StatisticsConnections } from './source.ts';
import { MAX_AUTOMATIC_RECIPIENTS, readTimeline } from './readTimeline.ts';
import type { RefreshOutcome } from './refreshTimer.ts';

/** The figures and the timeline of one campaign. The service's operations fail independently of each other. */
export class CampaignReport extends BaseReport<Overview> {
  readonly ref: CampaignRef;
  readonly recordCache: RecordCache;
  readonly #campaign: ReportCampaign;
  readonly #post: Post;
  readonly #timeline: RefreshableValue<ActivityTimeline>;
  /** Number of recipients, if all of them were read. */
  #countedRecipients: number | undefined;
  /** Whether the user requested to read all recipients for the timeline. */
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

  /** The number of recipients; undefined if it is unknown. */
  get recipients(): number | undefined {
    const { recipients: reportedCount } = sumCounts(this.#campaign.rows ?? []);
    return reportedCount !== undefined && Number.isSafeInteger(reportedCount) && reportedCount >= 0
      ? reportedCount
      : this.#countedRecipients;
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

  /** Reads all recipients for the timeline, now and in every later read. */
  async readAllRecipients(): Promise<void> {
    this.#readsAllRecipients = true;
    await this.#readTimeline('requested', this.signal);
  }

  protected async readFromService(cause: ReadCause, signal: AbortSignal): Promise<RefreshOutcome> {
    if (cause === 'opened') this.recordCache.invalidate();
    if (cause === 'requested') this.#invalidateTables();
    const record = this.#campaign.readRecord(signal);
    const { outcome, hasChanged } = await this.#campaign.readFigures(signal);
    if (signal.aborted) return 'succeeded';
    this.finishRead();
    if (cause === 'scheduled' && hasChanged) this.#invalidateTables();
    const isTimelineOld = cause === 'requested' || hasChanged || !this.#timeline.isCurrent;
    return getWorstOutcome([
      outcome,
      ...(await Promise.all([record, ...(isTimelineOld ? [this.#readTimeline(cause, signal)] : [])])),
    ]);
  }

  protected analyze(): Overview {
    const { rows = [], previousRows } = this.#campaign;
    return createOverview(rows, { previousRows, recipients: this.#countedRecipients });
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

  #invalidateTables(): void {
    this.recordCache.invalidate();
    this.#post({ type: 'reload' });
  }

  async #readTimeline(cause: ReadCause, reading: AbortSignal): Promise<RefreshOutcome> {
    const { recipients: recipientCount } = this;
    // Automatic refreshes don't repeat a timeline that takes many requests.
    if (
      cause === 'scheduled' &&
      recipientCount !== undefined &&
      recipientCount > MAX_AUTOMATIC_RECIPIENTS &&
      (this.#timeline.value?.readCount ?? 0) > 0
    )
      return 'succeeded';
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
              recipientCount,
              readsAll: this.#readsAllRecipients,
              signal,
              onProgress: (partial) =>
                !signal.aborted && this.#timeline.reportPartial(partial, this.#timeline.value?.isComplete !== true),
            });
      if (signal.aborted) return 'succeeded';
      this.#timeline.succeed(timeline);
      if (timeline.isComplete) this.#setCountedRecipients(timeline.readCount);
      return 'succeeded';
    } catch (error) {
      if (signal.aborted) return 'succeeded';
      if (isCanceled(error)) this.#timeline.cancel();
      else this.#timeline.fail(errorText(error));
      return 'failed';
    }
  }

  /** Recomputes the rates. Some services report no number of recipients, or a wrong one. */
  #setCountedRecipients(recipients: number): void {
    if (this.#countedRecipients === recipients) return;
    this.#countedRecipients = recipients;
    if (this.#campaign.rows) this.figures.replaceValue(this.analyze());
  }
}

function createEmptyTimeline(): ActivityTimeline {
  return new TimelineCounter().createTimeline({ readCount: 0, totalCount: 0, isComplete: true });
}
