import type { LoadingFigures } from './figures.ts';
import { PagedRows, PageRequests, type Row } from './pages.ts';

/** What the user looks at. It decides which pages are needed. */
interface Viewed {
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
  readonly kept?: number | undefined;
  /** See `TableOptions.want`. */
  want(pages: readonly number[]): void;
  viewed(): Viewed;
  /** Other rows are here. `soon`: many more follow. */
  changed(soon: boolean): void;
  /** Newer rows took the place of those before. */
  replaced(): void;
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
    this.#requests = new PageRequests((pages) => options.want(pages));
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
    return this.#requests.wanted.length > 0;
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
      uncounted: this.#countFailure,
      reloadFailure: this.#reloadFailure,
      progress: isLoading && latest.total ? latest.loaded / latest.total : undefined,
    };
  }

  start(): void {
    this.#readAnew(this.#rows, [0]);
  }

  /** Asks for all rows again. Those that are here stay until the new ones are. */
  reload(): void {
    this.#countFailure = undefined;
    this.#reloadFailure = undefined;
    const rows = this.#empty();
    if (this.#rows.loaded === 0) this.#rows = rows;
    else this.#incoming = rows;
    const { first, last, isArranged } = this.#options.viewed();
    const pageOf = (index: number): number => (isArranged ? 0 : Math.floor(Math.max(0, index) / rows.pageSize));
    const pages = Array.from({ length: pageOf(last) - pageOf(first) + 1 }, (_, index) => pageOf(first) + index);
    this.#readAnew(rows, [...new Set([0, ...pages])]);
  }

  arrived(page: number, rows: readonly Row[], ended: boolean): void {
    this.#latest.arrived(page, rows, ended);
    this.#requests.settled(page, this.#latest);
    this.#settle();
  }

  failed(page: number, message: string): void {
    this.#requests.stop();
    if (this.#incoming) {
      this.#incoming = undefined;
      this.#reloadFailure = message;
      this.#requests.ask([]);
    } else {
      this.#rows.failed(page, message);
      this.#requests.settled(page, this.#rows);
    }
    this.#settle();
  }

  /** How many rows there are was found out; or why it could not be. */
  counted(count: number | undefined, message?: string): void {
    if (count === undefined) this.#countFailure = message;
    else this.#latest.counted(count);
    this.#settle();
  }

  /** Asks for what is on the screen and not here. */
  readViewed(): void {
    const { first, last, isArranged } = this.#options.viewed();
    if (!this.#incoming && !isArranged) this.#requests.look(this.#rows.missing(first, last));
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
    this.#requests.ask([]);
    this.#incoming = undefined;
    this.#options.changed(false);
  }

  retry(): void {
    if (this.#reloadFailure !== undefined) {
      this.reload();
      return;
    }
    const { first, last, isArranged, isFiltered } = this.#options.viewed();
    this.#rows.retry();
    if (this.#rows.length === 0) this.#readAnew(this.#rows, [0]);
    else if (isFiltered) this.load(Infinity);
    else if (!isArranged) this.#requests.ask(this.#rows.missing(first, last));
  }

  get #latest(): PagedRows {
    return this.#incoming ?? this.#rows;
  }

  #empty(): PagedRows {
    return new PagedRows(this.#options.pageSize, this.#options.kept);
  }

  /** Asks for the first pages, and for as much after them as is looked at. */
  #readAnew(rows: PagedRows, pages: readonly number[]): void {
    const { isArranged, isFiltered } = this.#options.viewed();
    const before = Math.ceil(this.#rows.loaded / rows.pageSize);
    const isWhole = isFiltered || (isArranged && this.#rows.loaded === this.#rows.total);
    this.#requests.stop();
    this.#requests.ask(pages);
    if (isWhole || isArranged) this.#requests.load(isWhole ? Infinity : Math.max(1, before), rows);
  }

  /** Something arrived or failed. Rows that are newer take their place when what is looked at is among them. */
  #settle(): void {
    if (this.#incoming) {
      const isRead = !this.isBusy && !this.isLoading;
      if (!isRead || (this.#incoming.total === undefined && this.#countFailure === undefined)) return;
      this.#rows = this.#incoming;
      this.#incoming = undefined;
      this.#options.replaced();
    }
    this.#options.changed(this.isLoading);
  }
}
