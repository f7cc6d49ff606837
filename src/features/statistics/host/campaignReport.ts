import { setTimeout as pause } from 'node:timers/promises';
import { countRecords, paginatePages } from '../../../service/client/paginate.ts';
import { errorText, isCanceled } from '../../../platform/ui/errors.ts';
import type { TableSource } from '../../../platform/ui/tablePages.ts';
import { addClickCounts, countClicksByUser } from '../analysis/clicks.ts';
import { sumCounts } from '../analysis/counts.ts';
import { overviewMarkdown } from '../analysis/markdown.ts';
import { createOverview } from '../analysis/overview.ts';
import { TimelineCounter } from '../analysis/timeline.ts';
import type { ActivityTimeline, CampaignRef, Overview, StatisticsRow, TableTab } from '../model.ts';
import { RefreshableValue, type RefreshOutcome } from './refresh.ts';
import { BaseReport, getWorstOutcome, type Post, type ReadCause, type ReportCampaign } from './report.ts';
import { RecordCache, type StatisticsConnections } from './source.ts';

/** Newer installations return no more rows per request. */
export const TABLE_PAGE_ROWS = 500;
/** With more recipients, the timeline is only read on request. */
const MAX_AUTOMATIC_RECIPIENTS = 5000;
const PROGRESS_INTERVAL_MS = 200;

/** The figures, the timeline and the tables of one campaign. The service's operations fail independently of each other. */
export class CampaignReport extends BaseReport<Overview> {
  readonly ref: CampaignRef;
  readonly recordCache: RecordCache;
  readonly tables: TableSource<TableTab>;
  readonly #campaign: ReportCampaign;
  readonly #post: Post;
  readonly #timeline: RefreshableValue<ActivityTimeline>;
  /** Whether the user requested to read all recipients for the timeline. */
  #readsAllRecipients = false;
  #timelineAbort = new AbortController();

  constructor(services: StatisticsConnections, ref: CampaignRef, post: Post) {
    super(services, [ref], post, (overview) => post({ type: 'overview', overview }));
    this.ref = ref;
    [this.#campaign] = this.campaigns;
    this.recordCache = new RecordCache(this.#campaign.source);
    this.tables = new CampaignTables(
      this.recordCache,
      () => this.#recipientCount,
      () => post({ type: 'reload' }),
    );
    this.#post = post;
    this.#timeline = new RefreshableValue((timeline) => post({ type: 'timeline', timeline }));
  }

  /** The number of recipients, if the service reports a valid one. */
  get #recipientCount(): number | undefined {
    const { total_subscribers: count } = sumCounts(this.#campaign.rows ?? []);
    return count !== undefined && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
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
    const { rows: lastRows } = this.#campaign;
    const outcome = await this.#campaign.readFigures(signal);
    if (signal.aborted) return 'succeeded';
    this.finishRead();
    const hasChanged = lastRows !== undefined && JSON.stringify(lastRows) !== JSON.stringify(this.#campaign.rows);
    if (cause === 'scheduled' && hasChanged) this.#invalidateTables();
    const isTimelineOld = cause === 'requested' || hasChanged || !this.#timeline.isCurrent;
    return getWorstOutcome([
      outcome,
      ...(await Promise.all([record, ...(isTimelineOld ? [this.#readTimeline(cause, signal)] : [])])),
    ]);
  }

  protected analyze(): Overview {
    const { rows = [], previousRows } = this.#campaign;
    return createOverview(rows, previousRows);
  }

  protected override finishRead(): void {
    if (this.#campaign.isDeleted && this.#campaign.failure !== undefined && this.figures.value !== undefined)
      this.figures.fail('The campaign was deleted on the service. These are its last figures.');
    else super.finishRead();
  }

  protected toMarkdown(overview: Overview, at: string): string {
    const { name, service } = this.#campaign.card;
    return overviewMarkdown({ name, service, at, overview, timeline: this.#timeline.value });
  }

  #invalidateTables(): void {
    this.recordCache.invalidate();
    this.#post({ type: 'reload' });
  }

  async #readTimeline(cause: ReadCause, reading: AbortSignal): Promise<RefreshOutcome> {
    // Automatic refreshes don't repeat a timeline that takes many requests.
    const isLong = (this.#recipientCount ?? 0) > MAX_AUTOMATIC_RECIPIENTS;
    if (cause === 'scheduled' && isLong && this.#timeline.value?.readCount) return 'succeeded';
    this.#timelineAbort.abort();
    this.#timelineAbort = new AbortController();
    const signal = AbortSignal.any([reading, this.#timelineAbort.signal]);
    this.#timeline.start();
    try {
      const timeline = await this.#countActivity(signal);
      if (!signal.aborted) this.#timeline.succeed(timeline);
      return 'succeeded';
    } catch (error) {
      if (signal.aborted) return 'succeeded';
      if (isCanceled(error)) this.#timeline.cancel();
      else this.#timeline.fail(errorText(error));
      return 'failed';
    }
  }

  /**
   * Counts opens and clicks over time, with at most three pages of recipients in memory. Skips the recipients if there are too many, unless
   * the user requested them. If the clicks can't be read, the timeline's `meaning` says so.
   *
   * Throws `ApiError` if the recipients can't be read.
   */
  async #countActivity(signal: AbortSignal): Promise<ActivityTimeline> {
    const counter = new TimelineCounter();
    if (this.figures.value?.isUnsent === true)
      return counter.createTimeline({ readCount: 0, totalCount: 0, isComplete: true });
    const count = this.#recipientCount;
    const readsAll = this.#readsAllRecipients;
    let readCount = 0;
    let reportedAt = Date.now();
    const createTimeline = (isComplete: boolean): ActivityTimeline => {
      const totalCount = count ?? (isComplete ? readCount : undefined);
      return counter.createTimeline({
        readCount,
        isComplete,
        totalCount: totalCount && Math.max(totalCount, readCount),
      });
    };
    const report = (isComplete: boolean): void => {
      if (!signal.aborted)
        this.#timeline.reportPartial(createTimeline(isComplete), this.#timeline.value?.isComplete !== true);
    };
    const clicks = this.recordCache.readAll('clicks').then((rows) => counter.addClicks(rows));
    // Awaited below, after the recipients.
    clicks.catch(() => undefined);
    let isComplete = readsAll || (count ?? 0) <= MAX_AUTOMATIC_RECIPIENTS;
    const pages = isComplete
      ? paginatePages(this.recordCache.recipients.fetchRows, { pageSize: TABLE_PAGE_ROWS, signal })
      : [];
    for await (const page of pages) {
      isComplete = readsAll || readCount < MAX_AUTOMATIC_RECIPIENTS;
      if (!isComplete) break;
      counter.addRecipients(page);
      readCount += page.length;
      if (Date.now() - reportedAt < PROGRESS_INTERVAL_MS) continue;
      reportedAt = Date.now();
      report(false);
    }
    if (readCount > 0) report(isComplete);
    try {
      await clicks;
      return createTimeline(isComplete);
    } catch (error) {
      if (isCanceled(error)) throw error;
      const timeline = createTimeline(isComplete);
      return { ...timeline, meaning: `${timeline.meaning} The clicks are missing: ${errorText(error)}` };
    }
  }
}

/** If the clicks take longer, the recipients are shown without them and reloaded later. */
const CLICKS_TIMEOUT_MS = 1000;

/** The tables of a campaign. */
export class CampaignTables implements TableSource<TableTab> {
  readonly #cache: RecordCache;
  /** Returns the reported number of recipients; undefined if there is none. */
  readonly #getRecipientCount: () => number | undefined;
  readonly #reload: () => void;
  /** Click counts by user for each set of click rows, so that they are counted once and not for each page. */
  readonly #clickCounts = new WeakMap<readonly StatisticsRow[], ReadonlyMap<string, number>>();
  #isWaitingForClicks = false;

  constructor(cache: RecordCache, getRecipientCount: () => number | undefined, reload: () => void) {
    this.#cache = cache;
    this.#getRecipientCount = getRecipientCount;
    this.#reload = reload;
  }

  async readPage(tab: TableTab, page: number, signal: AbortSignal, closed: AbortSignal) {
    const [offset, limit] = [page * TABLE_PAGE_ROWS, TABLE_PAGE_ROWS];
    if (tab !== 'recipients') {
      const rows = await this.#cache.readAll(tab, true);
      return { rows: rows.slice(offset, offset + limit), isLast: offset + limit >= rows.length };
    }
    const { recipients } = this.#cache;
    const clickCounts = this.#readClickCounts(closed);
    const { rows, isLast } = await recipients.readRange({ offset, limit }, { signal });
    return { rows: clickCounts.then((counts) => addClickCounts(rows, counts)), isLast };
  }

  async count(tab: TableTab, signal: AbortSignal): Promise<number | undefined> {
    if (tab !== 'recipients') return (await this.#cache.readAll(tab)).length;
    const { recipients: reader } = this.#cache;
    const reportedCount = this.#getRecipientCount();
    // In this mode, reading a single row reads all rows before it.
    if (await reader.isPagedByVersion) return reportedCount;
    // The reported count is usually right: then the last row exists and no row follows.
    if (
      reportedCount !== undefined &&
      reportedCount > TABLE_PAGE_ROWS &&
      (await reader.fetchRows({ offset: reportedCount - 1, limit: 2 }, { signal })).length === 1
    )
      return reportedCount;
    return countRecords(async (offset) => {
      const [row] = await reader.fetchRows({ offset, limit: 1 }, { signal });
      return row && JSON.stringify(row);
    }, reportedCount);
  }

  /** Returns the clicks of each user; undefined if they can't be read in time. Has the page reload the rows when late clicks arrive. */
  async #readClickCounts(closed: AbortSignal): Promise<ReadonlyMap<string, number> | undefined> {
    const clicks = this.#cache.readAll('clicks').then(
      (rows) => {
        const counts = this.#clickCounts.get(rows) ?? countClicksByUser(rows);
        this.#clickCounts.set(rows, counts);
        return counts;
      },
      () => undefined,
    );
    const isLate = await Promise.race([clicks.then(() => false), pause(CLICKS_TIMEOUT_MS, true, { ref: false })]);
    if (!isLate) return clicks;
    if (!this.#isWaitingForClicks) {
      this.#isWaitingForClicks = true;
      void clicks.then((counts) => {
        this.#isWaitingForClicks = false;
        if (counts && !closed.aborted) this.#reload();
      });
    }
    return undefined;
  }
}
