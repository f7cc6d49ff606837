import { setTimeout as pause } from 'node:timers/promises';
import type { StatisticsRow, TableTab } from '../model.ts';
import { countRecords } from '../../../service/client/paginate.ts';
import { errorText, isCanceled } from '../../../platform/ui/errors.ts';
import { countClicksByUser, addClickCounts } from '../analysis/clicks.ts';
import type { RecordCache } from './source.ts';
import type { Post } from './report.ts';
import { CANCELED_MESSAGE } from './refreshableValue.ts';

/** Newer installations return no more rows per request. */
export const TABLE_PAGE_ROWS = 500;
/** If the clicks take longer, the recipients are shown without them and reloaded later. */
const CLICKS_TIMEOUT_MS = 1000;

export interface TableSource {
  readonly recordCache: RecordCache;
  /** The number of recipients; undefined if it is unknown. */
  readonly recipients: number | undefined;
}

interface TablePage {
  readonly rows: readonly StatisticsRow[];
  readonly isLast: boolean;
}

/** Reads the rows that the page's tables request. Only the page stores them. */
export class TableReader {
  readonly #source: TableSource;
  readonly #post: Post;
  readonly #pendingPages = new Map<number, AbortController>();
  #generation = -1;
  /** Aborts the counting of the page's current generation. */
  #generationAbort = new AbortController();
  #isWaitingForClicks = false;
  /** Click counts by user for each set of click rows, so that they are counted once and not for each page. */
  readonly #clickCounts = new WeakMap<readonly StatisticsRow[], ReadonlyMap<string, number>>();

  constructor(source: TableSource, post: Post) {
    this.#source = source;
    this.#post = post;
  }

  /** Reads the requested pages and cancels reads of all others. A new generation cancels everything. */
  requestPages(generation: number, tab: TableTab, pages: readonly number[]): void {
    if (generation !== this.#generation) {
      this.stop();
      this.#generation = generation;
    }
    for (const [page, controller] of this.#pendingPages) {
      if (pages.includes(page)) continue;
      controller.abort();
      this.#pendingPages.delete(page);
    }
    for (const page of pages) if (!this.#pendingPages.has(page)) void this.#read(generation, tab, page);
  }

  /** Cancels all reads and reports that to the page. */
  cancel(): void {
    for (const [page, controller] of this.#pendingPages) {
      controller.abort();
      this.#post({ type: 'failed', generation: this.#generation, page, message: CANCELED_MESSAGE });
    }
    this.#pendingPages.clear();
    this.#generationAbort.abort();
    this.#generationAbort = new AbortController();
  }

  /** Cancels all reads and ends the generation. */
  stop(): void {
    for (const controller of this.#pendingPages.values()) controller.abort();
    this.#pendingPages.clear();
    this.#generationAbort.abort();
    this.#generationAbort = new AbortController();
    this.#generation = -1;
  }

  async #read(generation: number, tab: TableTab, page: number): Promise<void> {
    const controller = new AbortController();
    this.#pendingPages.set(page, controller);
    const { signal } = controller;
    try {
      const { rows, isLast } = await (tab === 'recipients'
        ? this.#readRecipients(generation, page, signal)
        : this.#readSlice(tab, page));
      if (signal.aborted) return;
      this.#post({ type: 'rows', generation, page, rows, isLast });
      if (page === 0 && !isLast && tab !== 'recipients')
        void this.#count(generation, tab, this.#generationAbort.signal);
    } catch (error) {
      if (!signal.aborted) this.#post({ type: 'failed', generation, page, message: errorText(error) });
    } finally {
      if (this.#pendingPages.get(page) === controller) this.#pendingPages.delete(page);
    }
  }

  async #readRecipients(generation: number, page: number, signal: AbortSignal): Promise<TablePage> {
    const { recordCache } = this.#source;
    const generationEnd = this.#generationAbort.signal;
    const clicks = recordCache.readAll('clicks').then(
      (rows) => this.#getClickCounts(rows),
      () => undefined,
    );
    const timedOut = Symbol('late');
    const rangeRead = recordCache.recipients.readRange(
      { offset: page * TABLE_PAGE_ROWS, limit: TABLE_PAGE_ROWS },
      { signal },
    );
    // Count without waiting for the clicks. If the first page is the last one, no counting is needed.
    if (page === 0) {
      const startCounting = ({ isLast }: TablePage): void =>
        void (!isLast && !signal.aborted && this.#count(generation, 'recipients', generationEnd));
      rangeRead.then(startCounting, () => undefined);
    }
    const [{ rows, isLast }, clickCounts] = await Promise.all([
      rangeRead,
      Promise.race([clicks, pause(CLICKS_TIMEOUT_MS, timedOut, { ref: false })]),
    ]);
    if (clickCounts === timedOut) this.#reloadWithClicks(clicks, generationEnd);
    return { rows: addClickCounts(rows, typeof clickCounts === 'symbol' ? undefined : clickCounts), isLast };
  }

  #getClickCounts(rows: readonly StatisticsRow[]): ReadonlyMap<string, number> {
    const counts = this.#clickCounts.get(rows) ?? countClicksByUser(rows);
    this.#clickCounts.set(rows, counts);
    return counts;
  }

  /** Has the page reload the rows when the clicks arrive. */
  #reloadWithClicks(clicks: Promise<ReadonlyMap<string, number> | undefined>, generationEnd: AbortSignal): void {
    if (this.#isWaitingForClicks) return;
    this.#isWaitingForClicks = true;
    void clicks.then((clickCounts) => {
      this.#isWaitingForClicks = false;
      if (clickCounts && !generationEnd.aborted) this.#post({ type: 'reload' });
    });
  }

  async #readSlice(tab: Exclude<TableTab, 'recipients'>, page: number): Promise<TablePage> {
    const rows = await this.#source.recordCache.readAll(tab, true);
    const from = page * TABLE_PAGE_ROWS;
    return { rows: rows.slice(from, from + TABLE_PAGE_ROWS), isLast: from + TABLE_PAGE_ROWS >= rows.length };
  }

  /** Counts the rows of the table while its first page is shown. */
  async #count(generation: number, tab: TableTab, signal: AbortSignal): Promise<void> {
    try {
      const count = await (tab === 'recipients'
        ? this.#countRecipients(signal)
        : this.#source.recordCache.readAll(tab).then(({ length }) => length));
      if (!signal.aborted && count !== undefined) this.#post({ type: 'count', generation, count });
    } catch (error) {
      if (!isCanceled(error) && !signal.aborted) this.#post({ type: 'count', generation, message: errorText(error) });
    }
  }

  async #countRecipients(signal: AbortSignal): Promise<number | undefined> {
    const {
      recipients: reportedCount,
      recordCache: { recipients: reader },
    } = this.#source;
    // In this mode, reading a single row reads all rows before it.
    if (await reader.isPagedByVersion) return reportedCount;
    const readRows = (offset: number, limit: number): Promise<readonly StatisticsRow[]> =>
      reader.fetchRows({ offset, limit }, { signal });
    // The reported count is usually right: then the last row exists and no row follows.
    if (
      reportedCount !== undefined &&
      reportedCount > TABLE_PAGE_ROWS &&
      (await readRows(reportedCount - 1, 2)).length === 1
    )
      return reportedCount;
    const readRecord = async (offset: number): Promise<unknown> => {
      const [row] = await readRows(offset, 1);
      return row && JSON.stringify(row);
    };
    return countRecords(readRecord, reportedCount);
  }
}
