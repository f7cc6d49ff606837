import { PagedRows } from './pagedRows.ts';
import type { RowsPage } from './protocol.ts';

/** Concurrent requests while many pages are loaded. */
const MAX_CONCURRENT_PAGES = 4;

/** What the rows are loaded from, and what shows them. */
interface LoaderOptions {
  readonly pageSize: number;
  /** Maximum number of pages in memory. */
  readonly maxPages?: number | undefined;
  readPage(page: number, signal: AbortSignal): Promise<RowsPage>;
  /** Counts the rows. Undefined if their number can't be determined. */
  count(signal: AbortSignal): Promise<number | undefined>;
  /** The loaded rows or their number changed. `replaced`: the rows before a reload. */
  onChange(replaced?: PagedRows): void;
}

/** Loads the rows of a table. Each page has at most one pending request. */
export class RowLoader {
  readonly #options: LoaderOptions;
  /** The rows that the table needs: those of the range, as many as are loaded, or all. */
  scope: 'range' | 'loaded' | 'all' = 'range';
  /** First and last rendered row. */
  range: readonly [number, number] = [0, -1];
  rows: PagedRows;
  /** Whether many rows are being loaded. */
  isLoading = false;
  /** Why the rows can't be counted. */
  countFailure: string | undefined;
  /** Why a reload failed. The shown rows are then out of date. */
  reloadFailure: string | undefined;
  /** Rows of a reload. They replace the shown ones once enough of them are loaded. */
  #incoming: PagedRows | undefined;
  /** Cancels the requests of the pages that are not loaded yet. */
  readonly #pending = new Map<number, AbortController>();
  /** Cancels the running count. */
  #counting: AbortController | undefined;
  /** The number of pages still to request while many are loaded. */
  #remaining = 0;

  constructor(options: LoaderOptions) {
    this.#options = options;
    this.rows = this.#createRows();
  }

  /** Whether anything is being loaded. */
  get isBusy(): boolean {
    return this.#pending.size > 0;
  }

  /** The share of all rows loaded so far while many are loaded, 0 to 1. */
  get progress(): number | undefined {
    const { loaded, total } = this.#latest;
    return this.isLoading && total ? loaded / total : undefined;
  }

  start(): void {
    this.#begin([0]);
  }

  /** Requests all rows again. The current rows stay until then. */
  reload(): void {
    this.countFailure = this.reloadFailure = undefined;
    if (this.rows.loaded === 0) this.rows = this.#createRows();
    else this.#incoming = this.#createRows();
    const pages = new Set([0]);
    const { pageSize } = this.rows;
    const [first, last] = this.scope === 'range' ? this.range : [0, 0];
    for (let page = Math.floor(first / pageSize); page * pageSize <= last; page += 1) pages.add(page);
    this.#begin([...pages]);
  }

  /** Requests the missing pages of the range. Loading many pages continues. */
  loadVisible(): void {
    if (this.#incoming || this.scope !== 'range') return;
    const pages = this.rows.getMissingPages(...this.range);
    if (pages.every((page) => this.#pending.has(page))) return;
    this.#request(this.isLoading ? [...this.#pending.keys(), ...pages] : pages);
  }

  /** Loads this number of missing pages, the first ones first, a few at a time. `Infinity`: all. */
  load(pages: number): void {
    this.#remaining = pages;
    this.isLoading = true;
    this.#continue();
  }

  /** Requests nothing beyond the pending pages. */
  stop(): void {
    this.#remaining = 0;
    this.isLoading = false;
  }

  /** Cancels pending requests. Loaded rows stay. */
  cancel(): void {
    this.stop();
    this.#request([]);
    this.#incoming = undefined;
    this.#options.onChange();
  }

  /** Cancels everything. Call it when the table is dropped. */
  dispose(): void {
    this.stop();
    this.#request([]);
    this.#counting?.abort();
  }

  retry(): void {
    if (this.reloadFailure !== undefined) return this.reload();
    this.rows.retry();
    if (this.rows.length === 0) this.start();
    else if (this.scope === 'all') this.load(Infinity);
    else if (this.scope === 'range') this.#request(this.rows.getMissingPages(...this.range));
  }

  get #latest() {
    return this.#incoming ?? this.rows;
  }

  #createRows() {
    return new PagedRows(this.#options.pageSize, this.#options.maxPages);
  }

  /** Requests these pages and the number of rows, then as many further pages as the table needs. */
  #begin(pages: readonly number[]) {
    const { loaded, total } = this.rows;
    this.dispose();
    this.#request(pages);
    void this.#count();
    if (this.scope === 'range') return;
    const isWhole = this.scope === 'all' || loaded === total;
    this.load(isWhole ? Infinity : Math.max(1, Math.ceil(loaded / this.#options.pageSize)));
  }

  /** Requests pages and cancels other pending requests. */
  #request(pages: readonly number[]) {
    for (const [page, request] of this.#pending) {
      if (pages.includes(page)) continue;
      request.abort();
      this.#pending.delete(page);
    }
    for (const page of pages) if (!this.#pending.has(page)) void this.#read(page);
  }

  async #read(page: number) {
    const request = new AbortController();
    this.#pending.set(page, request);
    const read = await this.#options.readPage(page, request.signal).catch(getMessage);
    if (request.signal.aborted) return;
    this.#pending.delete(page);
    if (typeof read === 'string') this.#handleFailure(page, read);
    else {
      this.#latest.addPage(page, read.rows, read.isLast);
      this.#continue();
    }
    this.#update();
  }

  async #count() {
    const request = (this.#counting = new AbortController());
    const count = await this.#options.count(request.signal).catch(getMessage);
    if (request.signal.aborted) return;
    this.#counting = undefined;
    if (typeof count === 'number') this.#latest.setTotal(count);
    else this.countFailure = count;
    this.#update();
  }

  /** A failure ends loading many pages, and a reload. */
  #handleFailure(page: number, message: string) {
    this.stop();
    if (!this.#incoming) return this.rows.setFailure(page, message);
    this.#incoming = undefined;
    this.reloadFailure = message;
    this.#request([]);
  }

  #continue() {
    if (!this.isLoading) return;
    const { size } = this.#pending;
    const freeSlots = Math.max(0, Math.min(MAX_CONCURRENT_PAGES - size, this.#remaining));
    const next = this.#latest
      .getNextPages(freeSlots + size)
      .filter((page) => !this.#pending.has(page))
      .slice(0, freeSlots);
    this.#remaining -= next.length;
    if (next.length > 0) this.#request([...this.#pending.keys(), ...next]);
    // Nothing is missing, or nothing more fits in memory.
    else if (size === 0) this.stop();
  }

  /** Reports the change. A reload replaces the rows once the visible ones are loaded and all are counted. */
  #update() {
    const { rows } = this;
    const replacing = this.#incoming;
    if (replacing) {
      if (this.isBusy || this.isLoading || (replacing.total === undefined && this.#counting)) return;
      this.rows = replacing;
      this.#incoming = undefined;
    }
    this.#options.onChange(replacing && rows);
  }
}

function getMessage(error: Error) {
  return error.message;
}
