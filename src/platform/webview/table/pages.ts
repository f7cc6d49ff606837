/** A record: any fields, all text hostile. */
export type TableRow = Readonly<Record<string, unknown>>;

/** Pages that are kept at most, and with them the memory that a table takes. */
const DEFAULT_MAX_PAGES = 100;
/** Pages that are under way at once while many are read. */
const MAX_CONCURRENT_PAGES = 4;

/**
 * The rows of a long table as far as they are here: pages of a collection whose length may not be known yet. Those that were not looked
 * at for longest are dropped, so that memory does not grow with what was scrolled past.
 */
export class PagedRows {
  readonly pageSize: number;
  readonly #maxPages: number;
  /** In the order in which they were last looked at. */
  readonly #pages = new Map<number, readonly TableRow[]>();
  readonly #failures = new Map<number, string>();
  #total: number | undefined;
  /** There are rows up to here. */
  #minTotal = 0;

  constructor(pageSize: number, maxPages: number = DEFAULT_MAX_PAGES) {
    this.pageSize = pageSize;
    this.#maxPages = maxPages;
  }

  /** How many rows there are; undefined while that isn't known. */
  get total(): number | undefined {
    return this.#total;
  }

  /** Rows that can be scrolled to: while it isn't known where they end, a page more than there is for certain. */
  get length(): number {
    return this.#total ?? (this.#minTotal === 0 ? 0 : this.#minTotal + this.pageSize);
  }

  /** Rows that there are for certain. */
  get atLeast(): number {
    return this.#total ?? this.#minTotal;
  }

  get isEmpty(): boolean {
    return this.#total === 0;
  }

  /** Number of rows that are here. */
  get loaded(): number {
    let count = 0;
    for (const rows of this.#pages.values()) count += rows.length;
    return count;
  }

  /** Most rows that can be here at once. */
  get capacity(): number {
    return this.#maxPages * this.pageSize;
  }

  /** What went wrong with the pages that could not be read. */
  get failure(): string | undefined {
    return this.#failures.values().next().value;
  }

  at(index: number): TableRow | undefined {
    return this.#pages.get(Math.floor(index / this.pageSize))?.[index % this.pageSize];
  }

  /** Where each row that is here stands, in order. */
  indices(): number[] {
    const pages = [...this.#pages.keys()].sort((one, other) => one - other);
    return pages.flatMap((page) => (this.#pages.get(page) ?? []).map((_, index) => page * this.pageSize + index));
  }

  /** The pages of a range of rows that have to be read. Those that are here count as looked at. */
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

  /** The first pages that are not here, as many as there is room for. */
  getNextPages(most: number): number[] {
    const room = Math.min(most, this.#maxPages - this.#pages.size);
    const pages: number[] = [];
    for (let page = 0; pages.length < room && page * this.pageSize < this.length; page += 1)
      if (!this.#pages.has(page)) pages.push(page);
    return pages;
  }

  /** `ended`: there are none after these. */
  addPage(page: number, rows: readonly TableRow[], ended: boolean): void {
    const from = page * this.pageSize;
    this.#failures.delete(page);
    this.#pages.delete(page);
    if (rows.length > 0) this.#pages.set(page, rows);
    this.#minTotal = Math.max(this.#minTotal, rows.length === 0 ? 0 : from + rows.length);
    // An empty page tells only that the end is not after it.
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

  /** Pages that could not be read are missing again. */
  retry(): void {
    this.#failures.clear();
  }

  /** How many rows there are, as was found out meanwhile. */
  setTotal(total: number): void {
    this.#total = Math.max(total, this.#minTotal);
  }

  #setTotal(total: number): void {
    this.#total = total;
    this.#minTotal = Math.min(this.#minTotal, total);
    for (const page of [...this.#pages.keys()]) if (page * this.pageSize >= total) this.#pages.delete(page);
  }
}

/** Which pages of a table are asked for: those in sight, and one after the other those that are to be there as well. */
export class PageRequests {
  readonly #post: (pages: readonly number[]) => void;
  #pending: readonly number[] = [];
  /** Pages that are still to be read beyond those in sight. */
  #budget = 0;
  #isLoading = false;

  constructor(post: (pages: readonly number[]) => void) {
    this.#post = post;
  }

  /** Pages that were asked for and are not here yet. */
  get pending(): readonly number[] {
    return this.#pending;
  }

  /** Whether many pages are being read. */
  get isLoading(): boolean {
    return this.#isLoading;
  }

  /** Asks for pages; what was asked for before and is not among them is given up. */
  request(pages: readonly number[]): void {
    this.#pending = pages;
    this.#post(pages);
  }

  /** Asks for the pages in sight, where that is not under way. Reading many goes on. */
  requestVisible(pages: readonly number[]): void {
    if (pages.every((page) => this.#pending.includes(page)) && (this.#pending.length > 0 || this.#isLoading)) return;
    if (pages.length === 0 && this.#pending.length === 0) return;
    this.request(this.#isLoading ? [...new Set([...this.#pending, ...pages])] : pages);
  }

  /** Reads so many pages that are not here, the first ones first, a few at a time. `Infinity`: all of them. */
  load(pages: number, rows: PagedRows): void {
    this.#budget = pages;
    this.#isLoading = true;
    this.#continue(rows);
  }

  /** A page is here. */
  complete(page: number, rows: PagedRows): void {
    this.#pending = this.#pending.filter((each) => each !== page);
    this.#continue(rows);
  }

  /** Reads no more than what is under way. */
  stop(): void {
    this.#budget = 0;
    this.#isLoading = false;
  }

  #continue(rows: PagedRows): void {
    if (!this.#isLoading) return;
    const room = Math.min(MAX_CONCURRENT_PAGES - this.#pending.length, this.#budget);
    const next =
      room > 0
        ? rows
            .getNextPages(room + this.#pending.length)
            .filter((page) => !this.#pending.includes(page))
            .slice(0, room)
        : [];
    this.#budget -= next.length;
    if (next.length > 0) this.request([...this.#pending, ...next]);
    // Nothing is missing, or nothing more has room.
    else if (this.#pending.length === 0) this.stop();
  }
}
