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
  /** The number of rows became known, or why it can't be. */
  onCount(): void;
}

export type RowLoader = ReturnType<typeof createRowLoader>;

/** Loads the rows of a table, and tracks requests and failures. */
export function createRowLoader({ pageSize, maxPages, requestPages, onChange, onCount }: LoaderOptions) {
  /** Rows of a reload. They replace the shown ones once enough of them are loaded. */
  let incoming: PagedRows | undefined;
  /** Requested pages that are not loaded yet. */
  let pending: readonly number[] = [];
  /** The number of pages still to request while many are loaded. */
  let remaining = 0;
  const createRows = () => new PagedRows(pageSize, maxPages);
  const getLatest = () => incoming ?? loader.rows;

  /** Requests pages and cancels other pending requests. */
  function request(pages: readonly number[]) {
    pending = pages;
    requestPages(pages);
  }

  /** Requests these pages, then as many further pages as the table needs. */
  function begin(pages: readonly number[]) {
    const { loaded, total } = loader.rows;
    loader.stop();
    request(pages);
    if (loader.scope === 'range') return;
    const isWhole = loader.scope === 'all' || loaded === total;
    loader.load(isWhole ? Infinity : Math.max(1, Math.ceil(loaded / pageSize)));
  }

  function goOn() {
    if (!loader.isLoading) return;
    const freeSlots = Math.max(0, Math.min(MAX_CONCURRENT_PAGES - pending.length, remaining));
    const next = getLatest()
      .getNextPages(freeSlots + pending.length)
      .filter((page) => !pending.includes(page))
      .slice(0, freeSlots);
    remaining -= next.length;
    if (next.length > 0) request([...pending, ...next]);
    // Nothing is missing, or nothing more fits in memory.
    else if (pending.length === 0) loader.stop();
  }

  /** Handles a loaded or failed page. A reload replaces the rows once the visible ones are loaded. */
  function update() {
    const replacing = incoming;
    if (replacing) {
      const isCounted = replacing.total !== undefined || loader.countFailure !== undefined;
      if (pending.length > 0 || loader.isLoading || !isCounted) return;
      loader.rows = replacing;
      incoming = undefined;
    }
    onChange(replacing !== undefined);
  }

  const loader = {
    /** The rows that the table needs: those of the range, as many as are loaded, or all. */
    scope: 'range' as 'range' | 'loaded' | 'all',
    /** First and last rendered row. */
    range: [0, -1] as readonly [number, number],
    rows: createRows(),
    /** Whether many rows are being loaded. */
    isLoading: false,
    /** Why the rows can't be counted. */
    countFailure: undefined as string | undefined,
    /** Why a reload failed. The shown rows are then out of date. */
    reloadFailure: undefined as string | undefined,
    /** Whether anything is being loaded. */
    isBusy: () => pending.length > 0,
    /** Returns the share of all rows loaded so far while many are loaded, 0 to 1. */
    getProgress: () => {
      const { loaded, total } = getLatest();
      return loader.isLoading && total ? loaded / total : undefined;
    },
    start: () => begin([0]),
    /** Requests all rows again. The current rows stay until then. */
    reload: () => {
      loader.countFailure = loader.reloadFailure = undefined;
      if (loader.rows.loaded === 0) loader.rows = createRows();
      else incoming = createRows();
      const [first = 0, last = 0] =
        loader.scope === 'range' ? loader.range.map((index) => Math.floor(Math.max(0, index) / pageSize)) : [];
      const pages = new Set([0]);
      for (let page = first; page <= last; page += 1) pages.add(page);
      begin([...pages]);
    },
    addPage: (page: number, rows: readonly TableRow[], ended: boolean) => {
      getLatest().addPage(page, rows, ended);
      pending = pending.filter((each) => each !== page);
      goOn();
      update();
    },
    setFailure: (page: number, message: string) => {
      loader.stop();
      if (incoming) {
        incoming = undefined;
        loader.reloadFailure = message;
        request([]);
      } else {
        loader.rows.setFailure(page, message);
        pending = pending.filter((each) => each !== page);
      }
      update();
    },
    /** Sets the number of rows, or why they can't be counted. */
    setTotal: (count: number | undefined, message?: string) => {
      if (count === undefined) loader.countFailure = message;
      else getLatest().setTotal(count);
      if (incoming) update();
      else onCount();
    },
    /** Requests the missing pages of the range. Loading many pages continues. */
    loadVisible: () => {
      if (incoming || loader.scope !== 'range') return;
      const pages = loader.rows.getMissingPages(...loader.range);
      if (pages.every((page) => pending.includes(page))) return;
      request(loader.isLoading ? [...new Set([...pending, ...pages])] : pages);
    },
    /** Loads this number of missing pages, the first ones first, a few at a time. `Infinity`: all. */
    load: (pages: number) => {
      remaining = pages;
      loader.isLoading = true;
      goOn();
    },
    /** Requests nothing beyond the pending pages. */
    stop: () => {
      remaining = 0;
      loader.isLoading = false;
    },
    /** Cancels pending requests. Loaded rows stay. */
    cancel: () => {
      loader.stop();
      request([]);
      incoming = undefined;
      onChange(false);
    },
    retry: () => {
      if (loader.reloadFailure !== undefined) return loader.reload();
      loader.rows.retry();
      if (loader.rows.length === 0) loader.start();
      else if (loader.scope === 'all') loader.load(Infinity);
      else if (loader.scope === 'range') request(loader.rows.getMissingPages(...loader.range));
    },
  };
  return loader;
}
