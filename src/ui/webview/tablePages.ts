import type { TableFromPage, TableToPage } from '../page/table/protocol.ts';
import { errorText, isCanceled } from '../errors.ts';

type Rows = Extract<TableToPage, { type: 'rows' }>['rows'];

/** The tables of a page's tabs. */
interface TableSource<Tab extends string> {
  /** `rows` may take longer than the read that determines `isLast`. `closed` is aborted when the table is closed or reloaded. */
  readPage(
    tab: Tab,
    page: number,
    signal: AbortSignal,
    closed: AbortSignal,
  ): Promise<{ readonly rows: Rows | Promise<Rows>; readonly isLast: boolean }>;
  /** Counts the rows. Undefined if their number can't be determined. */
  count(tab: Tab, signal: AbortSignal): Promise<number | undefined>;
}

/** Reads the rows that a page's tables request. Only the page stores them. */
export class TablePages<Tab extends string> {
  readonly #source: TableSource<Tab>;
  readonly #post: (message: TableToPage) => void;
  readonly #pending = new Map<number, AbortController>();
  #generation = -1;
  /** Aborted at the end of the page's current generation. */
  #closed = new AbortController();

  constructor(source: TableSource<Tab>, post: (message: TableToPage) => void) {
    this.#source = source;
    this.#post = post;
  }

  /** Reads the requested pages and cancels reads of all others. A new generation cancels everything. */
  request({ generation, tab, pages }: Extract<TableFromPage<Tab>, { type: 'requestPages' }>): void {
    if (generation !== this.#generation) this.stop();
    this.#generation = generation;
    for (const [page, controller] of this.#pending) {
      if (pages.includes(page)) continue;
      controller.abort();
      this.#pending.delete(page);
    }
    for (const page of pages) if (!this.#pending.has(page)) void this.#read(generation, tab, page);
  }

  /** Cancels all reads. With a message, the page shows it instead of the rows. */
  stop(message?: string): void {
    for (const [page, controller] of this.#pending) {
      controller.abort();
      if (message !== undefined) this.#post({ type: 'failed', generation: this.#generation, page, message });
    }
    this.#pending.clear();
    this.#closed.abort();
    this.#closed = new AbortController();
  }

  async #read(generation: number, tab: Tab, page: number) {
    const controller = new AbortController();
    this.#pending.set(page, controller);
    const { signal } = controller;
    const { signal: closed } = this.#closed;
    try {
      const { rows, isLast } = await this.#source.readPage(tab, page, signal, closed);
      // If the first page is the last one, no counting is needed.
      if (page === 0 && !isLast && !signal.aborted) void this.#count(generation, tab, closed);
      const message: TableToPage = { type: 'rows', generation, page, rows: await rows, isLast };
      if (!signal.aborted) this.#post(message);
    } catch (error) {
      if (!signal.aborted) this.#post({ type: 'failed', generation, page, message: errorText(error) });
    } finally {
      if (this.#pending.get(page) === controller) this.#pending.delete(page);
    }
  }

  /** Counts the rows of the table while its first page is shown. */
  async #count(generation: number, tab: Tab, signal: AbortSignal) {
    try {
      const count = await this.#source.count(tab, signal);
      if (!signal.aborted && count !== undefined) this.#post({ type: 'count', generation, count });
    } catch (error) {
      if (!isCanceled(error) && !signal.aborted) this.#post({ type: 'count', generation, message: errorText(error) });
    }
  }
}
