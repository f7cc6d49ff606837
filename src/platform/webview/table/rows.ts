import type { TableRow } from './protocol.ts';

/** Limits the memory of a table. */
const DEFAULT_MAX_PAGES = 100;
/** Concurrent requests while many pages are loaded. */
const MAX_CONCURRENT_PAGES = 4;

/** The loaded pages of a collection whose length may be unknown. The least recently viewed pages are dropped to limit memory. */
export class PagedRows {
  readonly pageSize: number;
  readonly #maxPages: number;
  /** Ordered by last view, the oldest first. */
  readonly #pages = new Map<number, readonly TableRow[]>();
  readonly #failures = new Map<number, string>();
  /** The number of rows, or undefined if unknown. */
  total: number | undefined;
  /** The collection has at least this number of rows. */
  #minTotal = 0;

  constructor(pageSize: number, maxPages: number = DEFAULT_MAX_PAGES) {
    this.pageSize = pageSize;
    this.#maxPages = maxPages;
  }

  /** The number of rows to scroll through. If the end is unknown, one page more than the rows found. */
  get length(): number {
    return this.total ?? (this.#minTotal === 0 ? 0 : this.#minTotal + this.pageSize);
  }

  /** The minimum number of rows. */
  get atLeast(): number {
    return this.total ?? this.#minTotal;
  }

  /** The number of loaded rows. */
  get loaded(): number {
    let count = 0;
    for (const rows of this.#pages.values()) count += rows.length;
    return count;
  }

  /** Maximum number of rows in memory. */
  get capacity(): number {
    return this.#maxPages * this.pageSize;
  }

  /** The first failure of a page. */
  get failure(): string | undefined {
    return this.#failures.values().next().value;
  }

  at(index: number): TableRow | undefined {
    return this.#pages.get(Math.floor(index / this.pageSize))?.[index % this.pageSize];
  }

  /** Returns the indices of the loaded rows, in order. */
  indices(): number[] {
    const pages = [...this.#pages].sort(([one], [other]) => one - other);
    return pages.flatMap(([page, rows]) => rows.map((_, index) => page * this.pageSize + index));
  }

  /** Returns the missing pages of a range of rows. Loaded ones count as viewed. */
  getMissingPages(first: number, last: number): number[] {
    const missing: number[] = [];
    const end = Math.min(last, this.length - 1);
    for (let page = Math.floor(Math.max(0, first) / this.pageSize); page * this.pageSize <= end; page += 1) {
      const rows = this.#pages.get(page);
      if (rows) {
        this.#pages.delete(page);
        this.#pages.set(page, rows);
      } else if (!this.#failures.has(page)) missing.push(page);
    }
    return missing;
  }

  /** Returns the first missing pages that fit in memory. */
  getNextPages(limit: number): number[] {
    const maxCount = Math.min(limit, this.#maxPages - this.#pages.size);
    const pages: number[] = [];
    for (let page = 0; pages.length < maxCount && page * this.pageSize < this.length; page += 1)
      if (!this.#pages.has(page)) pages.push(page);
    return pages;
  }

  /** Adds a page. `ended`: no rows follow. */
  addPage(page: number, rows: readonly TableRow[], ended: boolean): void {
    const from = page * this.pageSize;
    const end = from + rows.length;
    this.#failures.delete(page);
    this.#pages.delete(page);
    if (rows.length > 0) {
      this.#pages.set(page, rows);
      this.#minTotal = Math.max(this.#minTotal, end);
    }
    if (ended) {
      // An empty page only limits the end.
      const total = rows.length > 0 || page === 0 ? end : Math.min(this.total ?? Infinity, from);
      this.total = total;
      this.#minTotal = Math.min(this.#minTotal, total);
      for (const each of [...this.#pages.keys()]) if (each * this.pageSize >= total) this.#pages.delete(each);
    } else if (this.total !== undefined) this.total = Math.max(this.total, this.#minTotal);
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= this.#maxPages) break;
      this.#pages.delete(oldest);
    }
  }

  setFailure(page: number, message: string): void {
    this.#failures.set(page, message);
  }

  /** Clears failures, so that failed pages are requested again. */
  retry(): void {
    this.#failures.clear();
  }

  /** Sets the counted number of rows. */
  setTotal(total: number): void {
    this.total = Math.max(total, this.#minTotal);
  }
}

interface LoaderOptions {
  readonly pageSize: number;
  /** Maximum number of pages in memory. */
  readonly maxPages?: number | undefined;
  /** Requests pages and cancels previous requests for others. */
  requestPages(pages: readonly number[]): void;
  /** The loaded rows changed. `isReplaced`: a reload replaced all of them. */
  onChange(isReplaced: boolean): void;
}

/** Loads the rows of a table, and tracks requests and failures. */
export class RowLoader {
  /** The rows that the table needs: those of the range, as many as are loaded, or all. */
  scope: 'range' | 'loaded' | 'all' = 'range';
  /** First and last rendered row. */
  range: readonly [number, number] = [0, -1];
  readonly #options: LoaderOptions;
  rows: PagedRows;
  /** Rows of a reload. They replace the shown ones once enough of them are loaded. */
  #incoming: PagedRows | undefined;
  /** Requested pages that are not loaded yet. */
  #pending: readonly number[] = [];
  /** Whether many rows are being loaded. */
  isLoading = false;
  /** The number of pages still to request while many are loaded. */
  #remaining = 0;
  /** Why the rows can't be counted. */
  countFailure: string | undefined;
  /** Why a reload failed. The shown rows are then out of date. */
  reloadFailure: string | undefined;

  constructor(options: LoaderOptions) {
    this.#options = options;
    this.rows = this.#createRows();
  }

  /** Whether anything is being loaded. */
  get isBusy(): boolean {
    return this.#pending.length > 0;
  }

  /** Share of all rows loaded so far while many are loaded, 0 to 1. */
  get progress(): number | undefined {
    const { loaded, total } = this.#latest;
    return this.isLoading && total ? loaded / total : undefined;
  }

  start(): void {
    this.#begin([0]);
  }

  /** Requests all rows again. The current rows stay until then. */
  reload(): void {
    this.countFailure = undefined;
    this.reloadFailure = undefined;
    if (this.rows.loaded === 0) this.rows = this.#createRows();
    else this.#incoming = this.#createRows();
    const [first, last] =
      this.scope === 'range' ? this.range.map((index) => Math.floor(Math.max(0, index) / this.#options.pageSize)) : [];
    const pages = new Set([0]);
    for (let page = first ?? 0; page <= (last ?? 0); page += 1) pages.add(page);
    this.#begin([...pages]);
  }

  addPage(page: number, rows: readonly TableRow[], ended: boolean): void {
    this.#latest.addPage(page, rows, ended);
    this.#pending = this.#pending.filter((each) => each !== page);
    this.#continue();
    this.#update();
  }

  setFailure(page: number, message: string): void {
    this.stop();
    if (this.#incoming) {
      this.#incoming = undefined;
      this.reloadFailure = message;
      this.#request([]);
    } else {
      this.rows.setFailure(page, message);
      this.#pending = this.#pending.filter((each) => each !== page);
    }
    this.#update();
  }

  /** Sets the number of rows, or why they can't be counted. */
  setTotal(count: number | undefined, message?: string): void {
    if (count === undefined) this.countFailure = message;
    else this.#latest.setTotal(count);
    this.#update();
  }

  /** Requests the missing pages of the range. Loading many pages continues. */
  loadVisible(): void {
    if (this.#incoming || this.scope !== 'range') return;
    const pages = this.rows.getMissingPages(...this.range);
    if (pages.every((page) => this.#pending.includes(page))) return;
    this.#request(this.isLoading ? [...new Set([...this.#pending, ...pages])] : pages);
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
    this.#options.onChange(false);
  }

  retry(): void {
    if (this.reloadFailure !== undefined) return this.reload();
    this.rows.retry();
    if (this.rows.length === 0) this.start();
    else if (this.scope === 'all') this.load(Infinity);
    else if (this.scope === 'range') this.#request(this.rows.getMissingPages(...this.range));
  }

  get #latest(): PagedRows {
    return this.#incoming ?? this.rows;
  }

  #createRows(): PagedRows {
    return new PagedRows(this.#options.pageSize, this.#options.maxPages);
  }

  /** Requests these pages, then as many further pages as the table needs. */
  #begin(pages: readonly number[]): void {
    const { loaded, total, pageSize } = this.rows;
    this.stop();
    this.#request(pages);
    if (this.scope === 'range') return;
    const isWhole = this.scope === 'all' || loaded === total;
    this.load(isWhole ? Infinity : Math.max(1, Math.ceil(loaded / pageSize)));
  }

  /** Requests pages and cancels other pending requests. */
  #request(pages: readonly number[]): void {
    this.#pending = pages;
    this.#options.requestPages(pages);
  }

  #continue(): void {
    if (!this.isLoading) return;
    const pending = this.#pending;
    const freeSlots = Math.max(0, Math.min(MAX_CONCURRENT_PAGES - pending.length, this.#remaining));
    const next = this.#latest
      .getNextPages(freeSlots + pending.length)
      .filter((page) => !pending.includes(page))
      .slice(0, freeSlots);
    this.#remaining -= next.length;
    if (next.length > 0) this.#request([...pending, ...next]);
    // Nothing is missing, or nothing more fits in memory.
    else if (pending.length === 0) this.stop();
  }

  /** Handles a loaded or failed page. A reload replaces the rows once the visible ones are loaded. */
  #update(): void {
    const incoming = this.#incoming;
    if (incoming) {
      if (this.isBusy || this.isLoading || (incoming.total === undefined && this.countFailure === undefined)) return;
      this.rows = incoming;
      this.#incoming = undefined;
    }
    this.#options.onChange(incoming !== undefined);
  }
}
