import { setTimeout as pause } from 'node:timers/promises';
import type { StatisticsRow, TableTab } from '../model.ts';
import { countRecords } from '../../../service/client/count.ts';
import { errorText, isCancelled } from '../../../platform/ui/errors.ts';
import { countClicksByUser, addClickCounts } from '../analysis/clicks.ts';
import type { RecordCache } from './source.ts';
import type { Post } from './report.ts';
import { CANCELED_MESSAGE } from './refreshableValue.ts';

/** Rows of a page. Newer installations give no more at once. */
export const TABLE_PAGE_ROWS = 500;
/**
 * How long recipients wait for the clicks that belong to them, in ms: they are shown without them then, and once more when they are there.
 */
const CLICKS_TIMEOUT_MS = 1000;

/** What the tables are filled from. */
export interface TableSource {
  readonly recordCache: RecordCache;
  /** How many recipients there are, as far as that is known. */
  readonly recipients: number | undefined;
}

interface TablePage {
  readonly rows: readonly StatisticsRow[];
  readonly isLast: boolean;
}

/** Reads what the page's tables want to see. What was read is the page's alone to keep. */
export class TableReader {
  readonly #source: TableSource;
  readonly #post: Post;
  readonly #pendingPages = new Map<number, AbortController>();
  #generation = -1;
  /** What ends with the page's turn: its counting. */
  #generationAbort = new AbortController();
  #isWaitingForClicks = false;
  /** How often each user clicked, by the rows that were counted: once, and not once for each page. */
  readonly #clickCounts = new WeakMap<readonly StatisticsRow[], ReadonlyMap<string, number>>();

  constructor(source: TableSource, post: Post) {
    this.#source = source;
    this.#post = post;
  }

  /** The pages that are wanted now: all others that are under way are given up. */
  requestPages(turn: number, tab: TableTab, pages: readonly number[]): void {
    if (turn !== this.#generation) {
      this.stop();
      this.#generation = turn;
    }
    for (const [page, controller] of this.#pendingPages) {
      if (pages.includes(page)) continue;
      controller.abort();
      this.#pendingPages.delete(page);
    }
    for (const page of pages) if (!this.#pendingPages.has(page)) void this.#read(turn, tab, page);
  }

  /** Gives up what is being read. The page is told of it where it waits for it. */
  cancel(): void {
    for (const [page, controller] of this.#pendingPages) {
      controller.abort();
      this.#post({ type: 'failed', turn: this.#generation, page, message: CANCELED_MESSAGE });
    }
    this.#pendingPages.clear();
    this.#generationAbort.abort();
    this.#generationAbort = new AbortController();
  }

  /** The page's turn is over. */
  stop(): void {
    for (const controller of this.#pendingPages.values()) controller.abort();
    this.#pendingPages.clear();
    this.#generationAbort.abort();
    this.#generationAbort = new AbortController();
    this.#generation = -1;
  }

  async #read(turn: number, tab: TableTab, page: number): Promise<void> {
    const controller = new AbortController();
    this.#pendingPages.set(page, controller);
    const { signal } = controller;
    try {
      const { rows, isLast: ended } = await (tab === 'recipients'
        ? this.#readRecipients(turn, page, signal)
        : this.#readSlice(tab, page));
      if (signal.aborted) return;
      this.#post({ type: 'rows', turn, page, rows, ended });
      if (page === 0 && !ended && tab !== 'recipients') void this.#count(turn, tab, this.#generationAbort.signal);
    } catch (error) {
      if (!signal.aborted) this.#post({ type: 'failed', turn, page, message: errorText(error) });
    } finally {
      if (this.#pendingPages.get(page) === controller) this.#pendingPages.delete(page);
    }
  }

  async #readRecipients(turn: number, page: number, signal: AbortSignal): Promise<TablePage> {
    const { recordCache: records } = this.#source;
    const turnEnd = this.#generationAbort.signal;
    const clicks = records.readAll('clicks').then(
      (rows) => this.#getClickCounts(rows),
      () => undefined,
    );
    const late = Symbol('late');
    const part = records.recipients.readRange({ offset: page * TABLE_PAGE_ROWS, limit: TABLE_PAGE_ROWS }, { signal });
    // The first page says by itself how many there are, where it is the last one too. Counting need not wait for the clicks.
    if (page === 0) {
      const count = ({ isLast: ended }: TablePage): void =>
        void (!ended && !signal.aborted && this.#count(turn, 'recipients', turnEnd));
      part.then(count, () => undefined);
    }
    const [{ rows, isLast: ended }, known] = await Promise.all([
      part,
      Promise.race([clicks, pause(CLICKS_TIMEOUT_MS, late, { ref: false })]),
    ]);
    if (known === late) this.#reloadWithClicks(clicks, turnEnd);
    return { rows: addClickCounts(rows, typeof known === 'symbol' ? undefined : known), isLast: ended };
  }

  #getClickCounts(rows: readonly StatisticsRow[]): ReadonlyMap<string, number> {
    const counts = this.#clickCounts.get(rows) ?? countClicksByUser(rows);
    this.#clickCounts.set(rows, counts);
    return counts;
  }

  /** The rows are wanted once more when the clicks are there. */
  #reloadWithClicks(clicks: Promise<ReadonlyMap<string, number> | undefined>, turnEnd: AbortSignal): void {
    if (this.#isWaitingForClicks) return;
    this.#isWaitingForClicks = true;
    void clicks.then((known) => {
      this.#isWaitingForClicks = false;
      if (known && !turnEnd.aborted) this.#post({ type: 'reload' });
    });
  }

  async #readSlice(tab: Exclude<TableTab, 'recipients'>, page: number): Promise<TablePage> {
    const rows = await this.#source.recordCache.readAll(tab, true);
    const from = page * TABLE_PAGE_ROWS;
    return { rows: rows.slice(from, from + TABLE_PAGE_ROWS), isLast: from + TABLE_PAGE_ROWS >= rows.length };
  }

  /** Finds out how long the table is while its first rows are looked at. */
  async #count(turn: number, tab: TableTab, signal: AbortSignal): Promise<void> {
    try {
      const count = await (tab === 'recipients'
        ? this.#countRecipients(signal)
        : this.#source.recordCache.readAll(tab).then(({ length }) => length));
      if (!signal.aborted && count !== undefined) this.#post({ type: 'count', turn, count });
    } catch (error) {
      if (!isCancelled(error) && !signal.aborted) this.#post({ type: 'count', turn, message: errorText(error) });
    }
  }

  async #countRecipients(signal: AbortSignal): Promise<number | undefined> {
    const {
      recipients: told,
      recordCache: { recipients: reader },
    } = this.#source;
    // Looking at single rows would read all that are before them.
    if (await reader.isPagedByVersion) return told;
    const from = (offset: number, limit: number): Promise<readonly StatisticsRow[]> =>
      reader.fetchRows({ offset, limit }, { signal });
    // What the statistics tell is right as a rule: then there is one row at its end, and none after it.
    if (told !== undefined && told > TABLE_PAGE_ROWS && (await from(told - 1, 2)).length === 1) return told;
    const look = async (offset: number): Promise<unknown> => {
      const [row] = await from(offset, 1);
      return row && JSON.stringify(row);
    };
    return countRecords(look, told);
  }
}
