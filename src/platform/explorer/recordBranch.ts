import { isLastPage, type Page } from '../../service/client/paginate.ts';

/** The data source of a branch. */
interface BranchSource<R extends { readonly id: number }, T> {
  readonly pageSize: number;
  fetch(page: Page, signal: AbortSignal): Promise<readonly R[]>;
  /** False for records that the service can't filter out. */
  matchesFilter(record: R): boolean;
  /**
   * Converts a record to what the branch stores: a template contains its whole body, and thousands may be loaded.
   * `before`: the record's previous item, which may be reused.
   */
  toItem(record: R, before: T | undefined): T;
  /** Called when `view` changes without a call of `load`: only the tail, or more. */
  onChanged(what: 'tail' | 'view'): void;
}

/** The row below the records: none, "Load more…", loading, failed, or the end of the collection. */
type Tail = 'none' | 'more' | 'loading' | 'failed' | 'end';

/** A refresh reloads at most this many pages; "Load more…" loads the rest. */
export const MAX_RELOADED_PAGES = 10;
/** Maximum number of consecutive pages without matching records that are read before the user is asked to continue. */
const MAX_EMPTY_PAGES = 10;

type LoadedRecords<T> = ReturnType<typeof createEmpty<T>>;

/** Reloading, loading more for the user, or checking whether a short page was the last one. */
type Task = 'read' | 'more' | 'probe';

interface Run {
  readonly task: Task;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

/**
 * Loads the records of one collection page by page. One request runs at a time, and later callers wait for it. Errors
 * are stored in `view`, never thrown.
 */
export class RecordBranch<R extends { readonly id: number }, T> {
  readonly #source: BranchSource<R, T>;
  #loaded = createEmpty<T>();
  #isStale = true;
  #isDisposed = false;
  #run: Run | undefined;
  #failure: { readonly cause: unknown; readonly atEnd: boolean } | undefined;

  constructor(source: BranchSource<R, T>) {
    this.#source = source;
  }

  /** `failure`: why the records could not be read; if `tail` is `failed`, the next page. Records that were loaded before stay. */
  get view(): { readonly items: readonly T[]; readonly failure?: unknown; readonly tail: Tail } {
    const { items } = this.#loaded;
    if (!this.#failure) return { items, tail: this.#tail() };
    const { cause, atEnd } = this.#failure;
    return { items, failure: cause, tail: atEnd ? 'failed' : 'none' };
  }

  get isComplete(): boolean {
    return this.#loaded.isComplete;
  }

  /** True once loading was attempted. */
  get wasOpened(): boolean {
    return !this.#isStale || this.#run !== undefined || this.#loaded.pages > 0;
  }

  /** True while a request runs. Changes that nothing awaits are reported by `onChanged`. */
  get isReading(): boolean {
    return this.#run !== undefined;
  }

  /** Loads missing records: the first page, or after `refresh` the pages that had been loaded. */
  async load(): Promise<void> {
    const reads = this.#isStale;
    while (this.#isStale && !this.#isDisposed) {
      this.#run ??= this.#start('read', (signal) => this.#reload(signal));
      await this.#run.done;
    }
    // Shows a short first page at once, and checks in the background whether there are more.
    if (reads && !this.#isStale && !this.#run && !this.#failure && this.#loaded.isShort && !this.#loaded.isComplete)
      this.#run = this.#start('probe', (signal) => this.#readNextPages(signal));
  }

  async loadMore(): Promise<void> {
    if (this.#isStale) return this.load();
    if (!this.#run && !this.#loaded.isComplete && !this.#isDisposed) {
      this.#failure = undefined;
      this.#run = this.#start('more', (signal) => this.#readNextPages(signal));
      this.#source.onChanged('tail');
    }
    await this.#run?.done;
  }

  /** Repeats the failed request. */
  retry(): Promise<void> {
    if (!this.#failure?.atEnd) this.refresh();
    const done = this.loadMore();
    this.#source.onChanged('view');
    return done;
  }

  /** Marks the records as outdated and cancels requests. The next `load` reads them again. */
  refresh(): void {
    this.#run?.controller.abort();
    this.#run = undefined;
    this.#isStale = true;
  }

  /**
   * Updates the item of a record that was read elsewhere. Returns false if the branch has to be reloaded: while it is
   * loading, or if the record now matches the filter and its position is unknown.
   */
  updateRecord(record: R): boolean {
    const { items, itemsById } = this.#loaded;
    if (this.#isStale || this.#run) return !this.wasOpened;
    if (!itemsById.has(record.id)) return true;
    const before = itemsById.get(record.id);
    const after = this.#toItem(record);
    if (before === undefined) return after === undefined;
    if (after === before) return true;
    items.splice(items.indexOf(before), 1, ...(after === undefined ? [] : [after]));
    itemsById.set(record.id, after);
    this.#source.onChanged('view');
    return true;
  }

  /** Discards everything: the next `load` reads the first page. */
  reset(): void {
    this.refresh();
    this.#loaded = createEmpty();
    this.#failure = undefined;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.refresh();
  }

  #toItem(record: R) {
    return this.#source.matchesFilter(record)
      ? this.#source.toItem(record, this.#loaded.itemsById.get(record.id))
      : undefined;
  }

  #tail(): Tail {
    const { isComplete, pages } = this.#loaded;
    if (this.#run?.task === 'more') return 'loading';
    if (pages === 0 || this.#run?.task === 'probe') return 'none';
    if (!isComplete) return 'more';
    return this.#loaded.offset > this.#source.pageSize ? 'end' : 'none';
  }

  #start(task: Task, work: (signal: AbortSignal) => Promise<void>) {
    const controller = new AbortController();
    const done = work(controller.signal).finally(() => {
      if (this.#run === run) this.#run = undefined;
      if (task !== 'read' && !controller.signal.aborted) this.#source.onChanged('view');
    });
    const run: Run = { task, controller, done };
    return run;
  }

  async #reload(signal: AbortSignal) {
    const fresh = createEmpty<T>();
    const wanted = Math.min(this.#loaded.offset, MAX_RELOADED_PAGES * this.#source.pageSize);
    try {
      do await this.#readPage(fresh, signal);
      while (
        !fresh.isComplete &&
        (fresh.offset < wanted || (fresh.items.length === 0 && fresh.pages < MAX_EMPTY_PAGES))
      );
      this.#loaded = fresh;
      this.#failure = undefined;
    } catch (cause) {
      if (signal.aborted) return;
      this.#failure = { cause, atEnd: false };
    }
    this.#isStale = false;
  }

  async #readNextPages(signal: AbortSignal) {
    const { items, pages } = this.#loaded;
    const before = items.length;
    try {
      do await this.#readPage(this.#loaded, signal);
      while (!this.#loaded.isComplete && items.length === before && this.#loaded.pages - pages < MAX_EMPTY_PAGES);
    } catch (cause) {
      if (!signal.aborted) this.#failure = { cause, atEnd: true };
    }
  }

  async #readPage(into: LoadedRecords<T>, signal: AbortSignal) {
    const { pageSize } = this.#source;
    const records = await this.#source.fetch({ offset: into.offset, limit: pageSize }, signal);
    signal.throwIfAborted();
    const previousCount = into.itemsById.size;
    for (const record of records) {
      // Records move between pages when others are added or removed. Skip duplicates.
      if (into.itemsById.has(record.id)) continue;
      const item = this.#toItem(record);
      into.itemsById.set(record.id, item);
      if (item !== undefined) into.items.push(item);
    }
    into.offset += records.length;
    into.pages += 1;
    into.isShort = records.length < pageSize;
    // Services that ignore `offset` return the first page again and again.
    into.isComplete =
      into.itemsById.size === previousCount || isLastPage(records.length, pageSize, into.largestPageSize);
    into.largestPageSize = Math.max(into.largestPageSize, records.length);
  }
}

function createEmpty<T>() {
  return {
    items: [] as T[],
    /** Items of all received records by id; undefined for records that don't match the filter. */
    itemsById: new Map<number, T | undefined>(),
    /** Number of received records: the offset of the next page. */
    offset: 0,
    pages: 0,
    largestPageSize: 0,
    /** The last page was shorter than requested. It may still not be the last one: services limit page sizes. */
    isShort: false,
    isComplete: false,
  };
}
