import type { LoadingFigures } from './figures.ts';
import { PagedRows, PageRequests, type TableRow } from './pages.ts';

/** What the user looks at. It decides which pages are needed. */
interface TableView {
  /** Rows on the screen, or near it. */
  readonly first: number;
  readonly last: number;
  /** Sorted, searched or filtered: what is shown depends on every row that is here. */
  readonly isArranged: boolean;
  readonly isFiltered: boolean;
}

interface LoadingOptions {
  readonly pageSize: number;
  /** Pages kept at most. */
  readonly maxPages?: number | undefined;
  /** See `TableOptions.want`. */
  requestPages(pages: readonly number[]): void;
  getView(): TableView;
  /** Other rows are here. `soon`: many more follow. */
  onChange(soon: boolean): void;
  /** Newer rows took the place of those before. */
  onReplace(): void;
}

/** The rows of a table, those that are being read, and why some can't be. */
export class TableLoading {
  readonly #options: LoadingOptions;
  readonly #requests: PageRequests;
  #rows: PagedRows;
  /** Newer rows that take the place of those that are shown once there are enough of them. */
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

  /** Whether many rows are being read. */
  get isLoading(): boolean {
    return this.#requests.isLoading;
  }

  /** Whether anything is being read. */
  get isBusy(): boolean {
    return this.#requests.pending.length > 0;
  }

  /** What there is to tell of the rows. */
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

  /** Asks for all rows again. Those that are here stay until the new ones are. */
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

  /** How many rows there are was found out; or why it could not be. */
  setTotal(count: number | undefined, message?: string): void {
    if (count === undefined) this.#countFailure = message;
    else this.#latest.setTotal(count);
    this.#update();
  }

  /** Asks for what is on the screen and not here. */
  loadVisible(): void {
    const { first, last, isArranged } = this.#options.getView();
    if (!this.#incoming && !isArranged) this.#requests.requestVisible(this.#rows.getMissingPages(first, last));
  }

  /** Reads so many pages that are not here. `Infinity`: all. */
  load(pages: number): void {
    this.#requests.load(pages, this.#latest);
  }

  /** Begins no more reading. */
  stop(): void {
    this.#requests.stop();
  }

  /** Gives up what is being read: what is here stays. */
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

  /** Asks for the first pages, and for as much after them as is looked at. */
  #requestInitial(rows: PagedRows, pages: readonly number[]): void {
    const { isArranged, isFiltered } = this.#options.getView();
    const before = Math.ceil(this.#rows.loaded / rows.pageSize);
    const isWhole = isFiltered || (isArranged && this.#rows.loaded === this.#rows.total);
    this.#requests.stop();
    this.#requests.request(pages);
    if (isWhole || isArranged) this.#requests.load(isWhole ? Infinity : Math.max(1, before), rows);
  }

  /** Something arrived or failed. Rows that are newer take their place when what is looked at is among them. */
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
