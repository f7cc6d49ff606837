import type { LoadingFigures } from './figures.ts';
import { PagedRows, PageRequests, type TableRow } from './pages.ts';

/** The visible part of the table, which decides the pages to load. */
interface TableView {
  /** First and last rendered row. */
  readonly first: number;
  readonly last: number;
  /** Sorted, searched or filtered: the shown rows depend on all loaded rows. */
  readonly isArranged: boolean;
  readonly isFiltered: boolean;
}

interface LoadingOptions {
  readonly pageSize: number;
  /** Maximum number of pages in memory. */
  readonly maxPages?: number | undefined;
  /** See `TableOptions.requestPages`. */
  requestPages(pages: readonly number[]): void;
  getView(): TableView;
  /** The loaded rows changed. `soon`: many more will follow. */
  onChange(soon: boolean): void;
  /** A reload replaced all rows. */
  onReplace(): void;
}

/** Loads the rows of a table, and tracks requests and failures. */
export class TableLoading {
  readonly #options: LoadingOptions;
  readonly #requests: PageRequests;
  #rows: PagedRows;
  /** Rows of a reload. They replace the shown ones once enough of them are loaded. */
  #incoming: PagedRows | undefined;
  #countFailure: string | undefined;
  #reloadFailure: string | undefined;

  constructor(options: LoadingOptions) {
    this.#options = options;
    this.#rows = this.#empty();
    this.#requests = new PageRequests((pages) => options.requestPages(pages));
  }

  get rows(): PagedRows {
    return this.#rows;
  }

  /** Whether many rows are being loaded. */
  get isLoading(): boolean {
    return this.#requests.isLoading;
  }

  /** Whether anything is being loaded. */
  get isBusy(): boolean {
    return this.#requests.pending.length > 0;
  }

  get figures(): LoadingFigures {
    const { loaded, total, atLeast, capacity, failure } = this.#rows;
    const { isLoading } = this;
    const latest = this.#latest;
    return {
      loaded,
      total,
      atLeast,
      capacity,
      failure,
      isLoading,
      countFailure: this.#countFailure,
      reloadFailure: this.#reloadFailure,
      progress: isLoading && latest.total ? latest.loaded / latest.total : undefined,
    };
  }

  start(): void {
    this.#requestInitial(this.#rows, [0]);
  }

  /** Requests all rows again. The current rows stay until then. */
  reload(): void {
    this.#countFailure = undefined;
    this.#reloadFailure = undefined;
    const rows = this.#empty();
    if (this.#rows.loaded === 0) this.#rows = rows;
    else this.#incoming = rows;
    const { first, last, isArranged } = this.#options.getView();
    const pageOf = (index: number): number => (isArranged ? 0 : Math.floor(Math.max(0, index) / rows.pageSize));
    const pages = Array.from({ length: pageOf(last) - pageOf(first) + 1 }, (_, index) => pageOf(first) + index);
    this.#requestInitial(rows, [...new Set([0, ...pages])]);
  }

  addPage(page: number, rows: readonly TableRow[], ended: boolean): void {
    this.#latest.addPage(page, rows, ended);
    this.#requests.complete(page, this.#latest);
    this.#update();
  }

  setFailure(page: number, message: string): void {
    this.#requests.stop();
    if (this.#incoming) {
      this.#incoming = undefined;
      this.#reloadFailure = message;
      this.#requests.request([]);
    } else {
      this.#rows.setFailure(page, message);
      this.#requests.complete(page, this.#rows);
    }
    this.#update();
  }

  /** Sets the number of rows, or why they can't be counted. */
  setTotal(count: number | undefined, message?: string): void {
    if (count === undefined) this.#countFailure = message;
    else this.#latest.setTotal(count);
    this.#update();
  }

  /** Requests the missing pages of the visible rows. */
  loadVisible(): void {
    const { first, last, isArranged } = this.#options.getView();
    if (!this.#incoming && !isArranged) this.#requests.requestVisible(this.#rows.getMissingPages(first, last));
  }

  /** Loads this number of missing pages. `Infinity`: all. */
  load(pages: number): void {
    this.#requests.load(pages, this.#latest);
  }

  /** Requests no further pages. */
  stop(): void {
    this.#requests.stop();
  }

  /** Cancels pending requests. Loaded rows stay. */
  cancel(): void {
    this.#requests.stop();
    this.#requests.request([]);
    this.#incoming = undefined;
    this.#options.onChange(false);
  }

  retry(): void {
    if (this.#reloadFailure !== undefined) {
      this.reload();
      return;
    }
    const { first, last, isArranged, isFiltered } = this.#options.getView();
    this.#rows.retry();
    if (this.#rows.length === 0) this.#requestInitial(this.#rows, [0]);
    else if (isFiltered) this.load(Infinity);
    else if (!isArranged) this.#requests.request(this.#rows.getMissingPages(first, last));
  }

  get #latest(): PagedRows {
    return this.#incoming ?? this.#rows;
  }

  #empty(): PagedRows {
    return new PagedRows(this.#options.pageSize, this.#options.maxPages);
  }

  /** Requests these pages, then as many further pages as the view needs. */
  #requestInitial(rows: PagedRows, pages: readonly number[]): void {
    const { isArranged, isFiltered } = this.#options.getView();
    const before = Math.ceil(this.#rows.loaded / rows.pageSize);
    const isWhole = isFiltered || (isArranged && this.#rows.loaded === this.#rows.total);
    this.#requests.stop();
    this.#requests.request(pages);
    if (isWhole || isArranged) this.#requests.load(isWhole ? Infinity : Math.max(1, before), rows);
  }

  /** Handles a loaded or failed page. A reload replaces the rows once the visible ones are loaded. */
  #update(): void {
    if (this.#incoming) {
      const isRead = !this.isBusy && !this.isLoading;
      if (!isRead || (this.#incoming.total === undefined && this.#countFailure === undefined)) return;
      this.#rows = this.#incoming;
      this.#incoming = undefined;
      this.#options.onReplace();
    }
    this.#options.onChange(this.isLoading);
  }
}
