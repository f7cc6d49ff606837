import { setTimeout as pause } from 'node:timers/promises';
import type { Row, TableTab } from '../model.ts';
import { countRecords } from '../../../service/client/count.ts';
import { errorText, isCancelled } from '../../../platform/ui/errors.ts';
import { clicksByUser, withClicks } from '../analysis/clicks.ts';
import type { Records } from './source.ts';
import type { Post } from './report.ts';
import { cancelledMessage } from './readingState.ts';

/** Rows of a page. Newer installations give no more at once. */
export const pageSize = 500;
/**
 * How long recipients wait for the clicks that belong to them, in ms: they are shown without them then, and once more when they are there.
 */
const clicksTimeout = 1000;

/** What the tables are filled from. */
export interface TableSource {
  readonly records: Records;
  /** How many recipients there are, as far as that is known. */
  readonly recipients: number | undefined;
}

interface Part {
  readonly rows: readonly Row[];
  readonly ended: boolean;
}

/** Reads what the page's tables want to see. What was read is the page's alone to keep. */
export class Tables {
  readonly #source: TableSource;
  readonly #post: Post;
  readonly #reading = new Map<number, AbortController>();
  #turn = -1;
  /** What ends with the page's turn: its counting. */
  #turnEnd = new AbortController();
  #waitsForClicks = false;
  /** How often each user clicked, by the rows that were counted: once, and not once for each page. */
  readonly #clicks = new WeakMap<readonly Row[], ReadonlyMap<string, number>>();

  constructor(source: TableSource, post: Post) {
    this.#source = source;
    this.#post = post;
  }

  /** The pages that are wanted now: all others that are under way are given up. */
  want(turn: number, tab: TableTab, pages: readonly number[]): void {
    if (turn !== this.#turn) {
      this.stop();
      this.#turn = turn;
    }
    for (const [page, controller] of this.#reading) {
      if (pages.includes(page)) continue;
      controller.abort();
      this.#reading.delete(page);
    }
    for (const page of pages) if (!this.#reading.has(page)) void this.#read(turn, tab, page);
  }

  /** Gives up what is being read. The page is told of it where it waits for it. */
  cancel(): void {
    for (const [page, controller] of this.#reading) {
      controller.abort();
      this.#post({ type: 'failed', turn: this.#turn, page, message: cancelledMessage });
    }
    this.#reading.clear();
    this.#turnEnd.abort();
    this.#turnEnd = new AbortController();
  }

  /** The page's turn is over. */
  stop(): void {
    for (const controller of this.#reading.values()) controller.abort();
    this.#reading.clear();
    this.#turnEnd.abort();
    this.#turnEnd = new AbortController();
    this.#turn = -1;
  }

  async #read(turn: number, tab: TableTab, page: number): Promise<void> {
    const controller = new AbortController();
    this.#reading.set(page, controller);
    const { signal } = controller;
    try {
      const { rows, ended } = await (tab === 'recipients'
        ? this.#recipients(turn, page, signal)
        : this.#slice(tab, page));
      if (signal.aborted) return;
      this.#post({ type: 'rows', turn, page, rows, ended });
      if (page === 0 && !ended && tab !== 'recipients') void this.#count(turn, tab, this.#turnEnd.signal);
    } catch (error) {
      if (!signal.aborted) this.#post({ type: 'failed', turn, page, message: errorText(error) });
    } finally {
      if (this.#reading.get(page) === controller) this.#reading.delete(page);
    }
  }

  async #recipients(turn: number, page: number, signal: AbortSignal): Promise<Part> {
    const { records } = this.#source;
    const turnEnd = this.#turnEnd.signal;
    const clicks = records.whole('clicks').then(
      (rows) => this.#clicksOf(rows),
      () => undefined,
    );
    const late = Symbol('late');
    const part = records.recipients.part({ offset: page * pageSize, limit: pageSize }, { signal });
    // The first page says by itself how many there are, where it is the last one too. Counting need not wait for the clicks.
    if (page === 0) {
      const count = ({ ended }: Part): void =>
        void (!ended && !signal.aborted && this.#count(turn, 'recipients', turnEnd));
      part.then(count, () => undefined);
    }
    const [{ rows, ended }, known] = await Promise.all([
      part,
      Promise.race([clicks, pause(clicksTimeout, late, { ref: false })]),
    ]);
    if (known === late) this.#showLater(clicks, turnEnd);
    return { rows: withClicks(rows, typeof known === 'symbol' ? undefined : known), ended };
  }

  #clicksOf(rows: readonly Row[]): ReadonlyMap<string, number> {
    const counts = this.#clicks.get(rows) ?? clicksByUser(rows);
    this.#clicks.set(rows, counts);
    return counts;
  }

  /** The rows are wanted once more when the clicks are there. */
  #showLater(clicks: Promise<ReadonlyMap<string, number> | undefined>, turnEnd: AbortSignal): void {
    if (this.#waitsForClicks) return;
    this.#waitsForClicks = true;
    void clicks.then((known) => {
      this.#waitsForClicks = false;
      if (known && !turnEnd.aborted) this.#post({ type: 'reload' });
    });
  }

  async #slice(tab: Exclude<TableTab, 'recipients'>, page: number): Promise<Part> {
    const rows = await this.#source.records.whole(tab, true);
    const from = page * pageSize;
    return { rows: rows.slice(from, from + pageSize), ended: from + pageSize >= rows.length };
  }

  /** Finds out how long the table is while its first rows are looked at. */
  async #count(turn: number, tab: TableTab, signal: AbortSignal): Promise<void> {
    try {
      const count = await (tab === 'recipients'
        ? this.#countRecipients(signal)
        : this.#source.records.whole(tab).then(({ length }) => length));
      if (!signal.aborted && count !== undefined) this.#post({ type: 'count', turn, count });
    } catch (error) {
      if (!isCancelled(error) && !signal.aborted) this.#post({ type: 'count', turn, message: errorText(error) });
    }
  }

  async #countRecipients(signal: AbortSignal): Promise<number | undefined> {
    const {
      recipients: told,
      records: { recipients: reader },
    } = this.#source;
    // Looking at single rows would read all that are before them.
    if (await reader.isByVersion) return told;
    const from = (offset: number, limit: number): Promise<readonly Row[]> => reader.from({ offset, limit }, { signal });
    // What the statistics tell is right as a rule: then there is one row at its end, and none after it.
    if (told !== undefined && told > pageSize && (await from(told - 1, 2)).length === 1) return told;
    const look = async (offset: number): Promise<unknown> => {
      const [row] = await from(offset, 1);
      return row && JSON.stringify(row);
    };
    return countRecords(look, told);
  }
}
