import { isLastPage } from '../../service/client/paginate.ts';
import type { PageRequest } from './model.ts';

/** What a branch reads, and how. */
export interface BranchSource<R extends { readonly id: number }, T> {
  readonly pageSize: number;
  fetch(page: PageRequest, signal: AbortSignal): Promise<readonly R[]>;
  /** False for records that the service can't leave out by itself. */
  matchesFilter(record: R): boolean;
  /**
   * What is kept of a record: a template carries its whole body, and thousands may be loaded. `before`: what was kept of it so far, which
   * may be given again.
   */
  toItem(record: R, before: T | undefined): T;
  /** Called when what `view` gives has changed without `load` having been asked for: the tail alone, or more than that. */
  onChanged(what: 'tail' | 'view'): void;
}

/** What stands below the records: nothing, "Load more…", the same while it loads, why that failed, or that there are no more. */
export type Tail = 'none' | 'more' | 'loading' | 'failed' | 'end';

export interface BranchView<T> {
  readonly items: readonly T[];
  /** Why the records could not be read (again). What was read before stays. */
  readonly failure?: unknown;
  readonly tail: Tail;
  /** Why the next page could not be read, where `tail` is `failed`. */
  readonly tailFailure?: unknown;
}

/** A refresh reads as many pages as had been loaded, but no more than these: the rest comes back with "Load more…". */
export const MAX_RELOADED_PAGES = 10;
/** So many pages without a single record that is kept are read in one go, before the user is asked whether to go on. */
const MAX_EMPTY_PAGES = 10;

interface LoadedRecords<T> {
  readonly items: T[];
  /** What is shown of each record received, by id: nothing of those that aren't kept. */
  readonly itemsById: Map<number, T | undefined>;
  /** Records received: the offset of the next page. */
  offset: number;
  pages: number;
  /** Records of the largest page. */
  largestPageSize: number;
  /** The last page was shorter than asked for, which alone doesn't make it the last: services cap what they give. */
  isShort: boolean;
  isComplete: boolean;
}

/** What runs: reading anew, reading on because the user asked for it, or only to see whether a short page was the last. */
type Task = 'read' | 'more' | 'probe';

interface Run {
  readonly task: Task;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

/**
 * The records of one collection, read a page at a time. One request runs at a time: who asks for what is already under way waits
 * for it. Errors are kept to be shown, never thrown.
 */
export class RecordBranch<R extends { readonly id: number }, T> {
  readonly #source: BranchSource<R, T>;
  #loaded: LoadedRecords<T> = createEmpty();
  #isStale = true;
  #isDisposed = false;
  #run: Run | undefined;
  #failure: { readonly cause: unknown; readonly atEnd: boolean } | undefined;

  constructor(source: BranchSource<R, T>) {
    this.#source = source;
  }

  get view(): BranchView<T> {
    const { items } = this.#loaded;
    if (this.#failure && !this.#failure.atEnd) return { items, failure: this.#failure.cause, tail: 'none' };
    if (this.#failure) return { items, tail: 'failed', tailFailure: this.#failure.cause };
    return { items, tail: this.#tail() };
  }

  /** True when all records are loaded. */
  get isComplete(): boolean {
    return this.#loaded.isComplete;
  }

  /** True once something was read, or was tried to be. */
  get wasOpened(): boolean {
    return !this.#isStale || this.#run !== undefined || this.#loaded.pages > 0;
  }

  /** True while a request runs. What comes of one that nobody waits for is told by `changed`. */
  get isReading(): boolean {
    return this.#run !== undefined;
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Reads what isn't read yet: the first page, or after `refresh` the pages that had been loaded. */
  async load(): Promise<void> {
    const reads = this.#isStale;
    while (this.#isStale && !this.#isDisposed) {
      this.#run ??= this.#start('read', (signal) => this.#reload(signal));
      await this.#run.done;
    }
    // Nobody has to wait to see a short first page, and nobody has to ask whether there is more.
    if (reads && !this.#isStale && !this.#run && !this.#failure && this.#loaded.isShort && !this.#loaded.isComplete) {
      this.#run = this.#start('probe', (signal) => this.#readNextPages(signal));
    }
  }

  /** Reads the next page. */
  async loadMore(): Promise<void> {
    if (this.#isStale) return this.load();
    if (!this.#run && !this.#loaded.isComplete && !this.#isDisposed) {
      this.#failure = undefined;
      this.#run = this.#start('more', (signal) => this.#readNextPages(signal));
      this.#source.onChanged('tail');
    }
    await this.#run?.done;
  }

  /** Does again what failed. */
  async retry(): Promise<void> {
    if (this.#failure?.atEnd) return this.loadMore();
    this.refresh();
    return this.load();
  }

  /** What is loaded is out of date: the next `load` reads it again. What is under way is cancelled. */
  refresh(): void {
    this.#run?.controller.abort();
    this.#run = undefined;
    this.#isStale = true;
  }

  /**
   * A record was read by itself: what is shown of it follows. False where the branch has to be read again for that: while it is being
   * read, and where the record came to be among those that are kept, for which nobody knows its place.
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

  /** Forgets everything: the next `load` reads the first page. */
  reset(): void {
    this.refresh();
    this.#loaded = createEmpty();
    this.#failure = undefined;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.refresh();
  }

  #toItem(record: R): T | undefined {
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

  #start(task: Task, work: (signal: AbortSignal) => Promise<void>): Run {
    const controller = new AbortController();
    const done = work(controller.signal).finally(() => {
      if (this.#run === run) this.#run = undefined;
      if (task !== 'read' && !controller.signal.aborted) this.#source.onChanged('view');
    });
    const run: Run = { task, controller, done };
    return run;
  }

  async #reload(signal: AbortSignal): Promise<void> {
    const fresh = createEmpty<T>();
    const wanted = Math.min(this.#loaded.offset, MAX_RELOADED_PAGES * this.#source.pageSize);
    try {
      do await this.#readPage(fresh, signal);
      while (!fresh.isComplete && (fresh.offset < wanted || needsAnotherPage(fresh)));
      this.#loaded = fresh;
      this.#failure = undefined;
    } catch (cause) {
      if (signal.aborted) return;
      this.#failure = { cause, atEnd: false };
    }
    this.#isStale = false;
  }

  async #readNextPages(signal: AbortSignal): Promise<void> {
    const { items, pages } = this.#loaded;
    const before = items.length;
    try {
      do await this.#readPage(this.#loaded, signal);
      while (!this.#loaded.isComplete && items.length === before && this.#loaded.pages - pages < MAX_EMPTY_PAGES);
    } catch (cause) {
      if (!signal.aborted) this.#failure = { cause, atEnd: true };
    }
  }

  async #readPage(into: LoadedRecords<T>, signal: AbortSignal): Promise<void> {
    const { pageSize } = this.#source;
    const records = await this.#source.fetch({ offset: into.offset, limit: pageSize }, signal);
    signal.throwIfAborted();
    const known = into.itemsById.size;
    for (const record of records) {
      // Records move between pages when others come and go: one that was seen already must not stand there twice.
      if (into.itemsById.has(record.id)) continue;
      const item = this.#toItem(record);
      into.itemsById.set(record.id, item);
      if (item !== undefined) into.items.push(item);
    }
    into.offset += records.length;
    into.pages += 1;
    into.isShort = records.length < pageSize;
    // A service that ignores `offset` gives its first page again and again.
    into.isComplete = into.itemsById.size === known || isLastPage(records.length, pageSize, into.largestPageSize);
    into.largestPageSize = Math.max(into.largestPageSize, records.length);
  }
}

function createEmpty<T>(): LoadedRecords<T> {
  return {
    items: [],
    itemsById: new Map(),
    offset: 0,
    pages: 0,
    largestPageSize: 0,
    isShort: false,
    isComplete: false,
  };
}

function needsAnotherPage(loaded: LoadedRecords<unknown>): boolean {
  return loaded.items.length === 0 && loaded.pages < MAX_EMPTY_PAGES;
}
