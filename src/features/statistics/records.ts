import { setTimeout as pause } from 'node:timers/promises';
import { t } from '@vscode/l10n';
import { countRecords, MAX_PAGE_SIZE, paginatePages, readRange } from '../../service/client/paginate.ts';
import { errorText, isCanceled } from '../../ui/errors.ts';
import { addClickCounts, countClicksByUser, isUnsent, sumCounts } from '../../service/statistics/counts.ts';
import type { RecipientReader } from './recipients.ts';
import { TimelineCounter } from './analysis/timeline.ts';
import type { StatisticsRow } from '../../service/statistics/model.ts';
import type { ActivityTimeline, TableTab } from './model.ts';
import type { ToPage } from './protocol.ts';
import { Refreshable } from './refresh.ts';
import type { CampaignFigures } from './source.ts';

/** With more recipients, the timeline is only read on request. */
const MAX_AUTOMATIC_RECIPIENTS = 5000;
const PROGRESS_INTERVAL_MS = 200;
/** If the clicks take longer, the recipients are shown without them and reloaded later. */
const CLICKS_TIMEOUT_MS = 1000;

/** Tables that the service returns without pagination. They are read once and sliced. */
type UnpagedTable = 'clicks' | 'links';

type RecordSource = Pick<CampaignFigures, 'state'> & {
  readonly source: Pick<CampaignFigures['source'], UnpagedTable | 'recipients'>;
};

/** The tables and the timeline of one campaign. Its records are always read once between two refreshes. */
export class CampaignRecords {
  readonly #campaign: RecordSource;
  readonly #post: (message: ToPage) => void;
  readonly #tables = new Map<UnpagedTable, { rows: Promise<readonly StatisticsRow[]>; at: Date; hasFailed: boolean }>();
  /** Click counts by user for each set of click rows, so that they are counted once and not for each page. */
  readonly #clickCounts = new WeakMap<readonly StatisticsRow[], ReadonlyMap<string, number>>();
  #recipients: RecipientReader;
  #isWaitingForClicks = false;
  /** Whether the user requested to read all recipients for the timeline. */
  #readsAllRecipients = false;
  #abort = new AbortController();
  #timelineAbort = new AbortController();
  readonly timeline = new Refreshable<ActivityTimeline>((timeline) => this.#post({ type: 'timeline', timeline }));

  constructor(campaign: RecordSource, post: (message: ToPage) => void) {
    this.#campaign = campaign;
    this.#post = post;
    this.#recipients = campaign.source.recipients();
  }

  /** Cancels running reads and keeps the cached rows. */
  cancel(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.timeline.cancel();
  }

  /** Cancels running reads and clears the cache. */
  invalidate(): void {
    this.cancel();
    this.#tables.clear();
    this.#recipients = this.#campaign.source.recipients();
  }

  /** Clears the cache and has the page request its rows again. */
  reload(): void {
    this.invalidate();
    this.#post({ type: 'reload' });
  }

  /** Returns all rows of a table. A failed read is cached too, unless it was canceled, and only repeated if `retriesFailed` is set. */
  readAll(name: UnpagedTable, retriesFailed: boolean = false): Promise<readonly StatisticsRow[]> {
    const cached = this.#tables.get(name);
    if (cached && !(cached.hasFailed && retriesFailed)) return cached.rows;
    const rows = this.#campaign.source[name](this.#abort.signal);
    const newRows = { rows, at: new Date(), hasFailed: false };
    this.#tables.set(name, newRows);
    rows.catch((error: unknown) => {
      newRows.hasFailed = true;
      if (isCanceled(error) && this.#tables.get(name) === newRows) this.#tables.delete(name);
    });
    return rows;
  }

  /** When the cached rows of the links were requested. */
  get linksReadAt(): Date {
    return this.#tables.get('links')?.at ?? new Date();
  }

  /** Reads the timeline. Never throws. */
  async readTimeline(): Promise<void> {
    this.#timelineAbort.abort();
    this.#timelineAbort = new AbortController();
    const signal = AbortSignal.any([this.#abort.signal, this.#timelineAbort.signal]);
    this.timeline.start();
    try {
      const counted = await this.#countActivity(signal);
      if (!signal.aborted) this.timeline.succeed(counted);
    } catch (error) {
      if (signal.aborted) return;
      if (isCanceled(error)) this.timeline.cancel();
      else this.timeline.fail(errorText(error));
    }
  }

  /** Reads all recipients for the timeline, now and in every later read. */
  async readAllRecipients(): Promise<void> {
    this.#readsAllRecipients = true;
    await this.readTimeline();
  }

  async readPage(tab: TableTab, page: number, signal: AbortSignal) {
    const [offset, limit] = [page * MAX_PAGE_SIZE, MAX_PAGE_SIZE];
    if (tab !== 'recipients') {
      const rows = await this.readAll(tab, true);
      return { rows: rows.slice(offset, offset + limit), isLast: offset + limit >= rows.length };
    }
    const counted = this.#readClickCounts();
    const { rows, isLast } = await readRange(this.#recipients.fetchRows, { offset, limit }, { signal });
    return { rows: counted.then((counts) => addClickCounts(rows, counts)), isLast };
  }

  async count(tab: TableTab, signal: AbortSignal): Promise<number | undefined> {
    if (tab !== 'recipients') return (await this.readAll(tab)).length;
    const reader = this.#recipients;
    const reportedCount = this.#reportedCount;
    // In this mode, reading a single row reads all rows before it.
    if (await reader.isPagedByVersion()) return reportedCount;
    // The reported count is usually right: then the last row exists and no row follows.
    if (
      reportedCount !== undefined &&
      reportedCount > MAX_PAGE_SIZE &&
      (await reader.fetchRows({ offset: reportedCount - 1, limit: 2 }, { signal })).length === 1
    )
      return reportedCount;
    return countRecords(async (offset) => {
      const [row] = await reader.fetchRows({ offset, limit: 1 }, { signal });
      return row && JSON.stringify(row);
    }, reportedCount);
  }

  /** The number of recipients, if the service reports a valid one. */
  get #reportedCount() {
    const { total_subscribers: count = -1 } = sumCounts(this.#campaign.state.rows ?? []);
    return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
  }

  /**
   * Counts opens and clicks over time, with at most three pages of recipients in memory. Skips the recipients if there are too many, unless
   * the user requested them. If the clicks can't be read, the timeline's `meaning` says so.
   *
   * Throws `ApiError` if the recipients can't be read.
   */
  async #countActivity(signal: AbortSignal) {
    const counter = new TimelineCounter();
    if (this.#campaign.state.rows?.every(isUnsent) === true)
      return counter.createTimeline({ readCount: 0, totalCount: 0, isComplete: true });
    const count = this.#reportedCount;
    const limit = this.#readsAllRecipients ? Infinity : MAX_AUTOMATIC_RECIPIENTS;
    let isComplete = (count ?? 0) <= limit;
    let readCount = 0;
    let reportedAt = Date.now();
    const createTimeline = () => {
      const totalCount = count ?? (isComplete ? readCount : undefined);
      return counter.createTimeline({
        readCount,
        isComplete,
        ...(totalCount !== undefined && { totalCount: Math.max(totalCount, readCount) }),
      });
    };
    const report = (counted: ActivityTimeline) => {
      if (!signal.aborted) this.timeline.reportPartial(counted, this.timeline.value?.isComplete !== true);
    };
    const clicksError: Promise<unknown> = this.readAll('clicks').then(
      (rows) => counter.addClicks(rows),
      (error: unknown) => error,
    );
    const pages = isComplete ? paginatePages(this.#recipients.fetchRows, { pageSize: MAX_PAGE_SIZE, signal }) : [];
    for await (const page of pages) {
      isComplete = readCount < limit;
      if (!isComplete) break;
      counter.addRecipients(page);
      readCount += page.length;
      if (Date.now() - reportedAt < PROGRESS_INTERVAL_MS) continue;
      reportedAt = Date.now();
      report({ ...createTimeline(), isComplete: false });
    }
    if (readCount > 0) report(createTimeline());
    const error = await clicksError;
    if (isCanceled(error)) throw error;
    const counted = createTimeline();
    return error === undefined
      ? counted
      : { ...counted, meaning: `${counted.meaning} ${t`The clicks are missing: ${errorText(error)}`}` };
  }

  /** Returns the clicks of each user; undefined if they can't be read in time. Has the page reload the rows when late clicks arrive. */
  async #readClickCounts() {
    const clicks = this.readAll('clicks').then(
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
        if (counts) this.#post({ type: 'reload', tab: 'recipients' });
      });
    }
    return undefined;
  }
}
