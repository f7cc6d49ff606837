/** A record with any fields. All text is untrusted. */
export type TableRow = Readonly<Record<string, unknown>>;

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
  #total: number | undefined;
  /** The collection has at least this number of rows. */
  #minTotal = 0;

  constructor(pageSize: number, maxPages: number = DEFAULT_MAX_PAGES) {
    this.pageSize = pageSize;
    this.#maxPages = maxPages;
  }

  /** The number of rows, or undefined if unknown. */
  get total(): number | undefined {
    return this.#total;
  }

  /** The number of rows to scroll through. If the end is unknown, one page more than the known rows. */
  get length(): number {
    return this.#total ?? (this.#minTotal === 0 ? 0 : this.#minTotal + this.pageSize);
  }

  /** The minimum number of rows. */
  get atLeast(): number {
    return this.#total ?? this.#minTotal;
  }

  get isEmpty(): boolean {
    return this.#total === 0;
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
    const pages = [...this.#pages.keys()].sort((one, other) => one - other);
    return pages.flatMap((page) => (this.#pages.get(page) ?? []).map((_, index) => page * this.pageSize + index));
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
    this.#failures.delete(page);
    this.#pages.delete(page);
    if (rows.length > 0) this.#pages.set(page, rows);
    this.#minTotal = Math.max(this.#minTotal, rows.length === 0 ? 0 : from + rows.length);
    // An empty page only limits the end.
    if (ended && (rows.length > 0 || page === 0)) this.#setTotal(from + rows.length);
    else if (ended) this.#setTotal(Math.min(this.#total ?? Infinity, from));
    else if (this.#total !== undefined && this.#total < from + rows.length) this.#total = from + rows.length;
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
    this.#total = Math.max(total, this.#minTotal);
  }

  #setTotal(total: number): void {
    this.#total = total;
    this.#minTotal = Math.min(this.#minTotal, total);
    for (const page of [...this.#pages.keys()]) if (page * this.pageSize >= total) this.#pages.delete(page);
  }
}

/** Requests pages of a table: the visible ones, and others in turn while many are loaded. */
export class PageRequests {
  readonly #post: (pages: readonly number[]) => void;
  #pending: readonly number[] = [];
  /** The number of pages still to load beyond the visible ones. */
  #budget = 0;
  #isLoading = false;

  constructor(post: (pages: readonly number[]) => void) {
    this.#post = post;
  }

  /** Requested pages that are not loaded yet. */
  get pending(): readonly number[] {
    return this.#pending;
  }

  /** Whether many pages are being loaded. */
  get isLoading(): boolean {
    return this.#isLoading;
  }

  /** Requests pages and cancels other pending requests. */
  request(pages: readonly number[]): void {
    this.#pending = pages;
    this.#post(pages);
  }

  /** Requests visible pages that are not pending. Loading many pages continues. */
  requestVisible(pages: readonly number[]): void {
    if (pages.every((page) => this.#pending.includes(page)) && (this.#pending.length > 0 || this.#isLoading)) return;
    if (pages.length === 0 && this.#pending.length === 0) return;
    this.request(this.#isLoading ? [...new Set([...this.#pending, ...pages])] : pages);
  }

  /** Loads this number of missing pages, the first ones first, a few at a time. `Infinity`: all. */
  load(pages: number, rows: PagedRows): void {
    this.#budget = pages;
    this.#isLoading = true;
    this.#continue(rows);
  }

  /** Marks a page as loaded. */
  complete(page: number, rows: PagedRows): void {
    this.#pending = this.#pending.filter((each) => each !== page);
    this.#continue(rows);
  }

  /** Requests nothing beyond the pending pages. */
  stop(): void {
    this.#budget = 0;
    this.#isLoading = false;
  }

  #continue(rows: PagedRows): void {
    if (!this.#isLoading) return;
    const freeSlots = Math.min(MAX_CONCURRENT_PAGES - this.#pending.length, this.#budget);
    const next =
      freeSlots > 0
        ? rows
            .getNextPages(freeSlots + this.#pending.length)
            .filter((page) => !this.#pending.includes(page))
            .slice(0, freeSlots)
        : [];
    this.#budget -= next.length;
    if (next.length > 0) this.request([...this.#pending, ...next]);
    // Nothing is missing, or nothing more fits in memory.
    else if (this.#pending.length === 0) this.stop();
  }
}
