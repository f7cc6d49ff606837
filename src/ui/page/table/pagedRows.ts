import type { TableRow } from './protocol.ts';

/** Limits the memory of a table. */
const DEFAULT_MAX_PAGES = 100;

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
