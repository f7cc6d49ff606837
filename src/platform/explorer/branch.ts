import { isLastPage } from '../../service/client/paginate.ts';
import type { Page } from './model.ts';

/** What a branch reads, and how. */
export interface BranchSource<R extends { readonly id: number }, T> {
  readonly pageSize: number;
  fetch(page: Page, signal: AbortSignal): Promise<readonly R[]>;
  /** False for records that the service can't leave out by itself. */
  keep(record: R): boolean;
  /**
   * What is kept of a record: a template carries its whole body, and thousands may be loaded. `before`: what was kept of it so far, which
   * may be given again.
   */
  show(record: R, before: T | undefined): T;
  /** Called when what `view` gives has changed without `load` having been asked for: the tail alone, or more than that. */
  changed(what: 'tail' | 'view'): void;
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
export const pagesReadAgain = 10;
/** So many pages without a single record that is kept are read in one go, before the user is asked whether to go on. */
const pagesWithoutRecords = 10;

interface Loaded<T> {
  readonly items: T[];
  /** What is shown of each record received, by id: nothing of those that aren't kept. */
  readonly shown: Map<number, T | undefined>;
  /** Records received: the offset of the next page. */
  offset: number;
  pages: number;
  /** Records of the largest page. */
  largest: number;
  /** The last page was shorter than asked for, which alone doesn't make it the last: services cap what they give. */
  short: boolean;
  ended: boolean;
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
export class Branch<R extends { readonly id: number }, T> {
  readonly #source: BranchSource<R, T>;
  #loaded: Loaded<T> = nothing();
  #stale = true;
  #disposed = false;
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
  get complete(): boolean {
    return this.#loaded.ended;
  }

  /** True once something was read, or was tried to be. */
  get opened(): boolean {
    return !this.#stale || this.#run !== undefined || this.#loaded.pages > 0;
  }

  /** True while a request runs. What comes of one that nobody waits for is told by `changed`. */
  get reading(): boolean {
    return this.#run !== undefined;
  }

  get failed(): boolean {
    return this.#failure !== undefined;
  }

  /** Reads what isn't read yet: the first page, or after `refresh` the pages that had been loaded. */
  async load(): Promise<void> {
    const reads = this.#stale;
    while (this.#stale && !this.#disposed) {
      this.#run ??= this.#start('read', (signal) => this.#readAgain(signal));
      await this.#run.done;
    }
    // Nobody has to wait to see a short first page, and nobody has to ask whether there is more.
    if (reads && !this.#stale && !this.#run && !this.#failure && this.#loaded.short && !this.#loaded.ended) {
      this.#run = this.#start('probe', (signal) => this.#readOn(signal));
    }
  }

  /** Reads the next page. */
  async more(): Promise<void> {
    if (this.#stale) return this.load();
    if (!this.#run && !this.#loaded.ended && !this.#disposed) {
      this.#failure = undefined;
      this.#run = this.#start('more', (signal) => this.#readOn(signal));
      this.#source.changed('tail');
    }
    await this.#run?.done;
  }

  /** Does again what failed. */
  async retry(): Promise<void> {
    if (this.#failure?.atEnd) return this.more();
    this.refresh();
    return this.load();
  }

  /** What is loaded is out of date: the next `load` reads it again. What is under way is cancelled. */
  refresh(): void {
    this.#run?.controller.abort();
    this.#run = undefined;
    this.#stale = true;
  }

  /**
   * A record was read by itself: what is shown of it follows. False where the branch has to be read again for that: while it is being
   * read, and where the record came to be among those that are kept, for which nobody knows its place.
   */
  take(record: R): boolean {
    const { items, shown } = this.#loaded;
    if (this.#stale || this.#run) return !this.opened;
    if (!shown.has(record.id)) return true;
    const before = shown.get(record.id);
    const after = this.#itemOf(record);
    if (before === undefined) return after === undefined;
    if (after === before) return true;
    items.splice(items.indexOf(before), 1, ...(after === undefined ? [] : [after]));
    shown.set(record.id, after);
    this.#source.changed('view');
    return true;
  }

  /** Forgets everything: the next `load` reads the first page. */
  reset(): void {
    this.refresh();
    this.#loaded = nothing();
    this.#failure = undefined;
  }

  dispose(): void {
    this.#disposed = true;
    this.refresh();
  }

  #itemOf(record: R): T | undefined {
    return this.#source.keep(record) ? this.#source.show(record, this.#loaded.shown.get(record.id)) : undefined;
  }

  #tail(): Tail {
    const { ended, pages } = this.#loaded;
    if (this.#run?.task === 'more') return 'loading';
    if (pages === 0 || this.#run?.task === 'probe') return 'none';
    if (!ended) return 'more';
    return this.#loaded.offset > this.#source.pageSize ? 'end' : 'none';
  }

  #start(task: Task, work: (signal: AbortSignal) => Promise<void>): Run {
    const controller = new AbortController();
    const done = work(controller.signal).finally(() => {
      if (this.#run === run) this.#run = undefined;
      if (task !== 'read' && !controller.signal.aborted) this.#source.changed('view');
    });
    const run: Run = { task, controller, done };
    return run;
  }

  async #readAgain(signal: AbortSignal): Promise<void> {
    const fresh = nothing<T>();
    const wanted = Math.min(this.#loaded.offset, pagesReadAgain * this.#source.pageSize);
    try {
      do await this.#readPage(fresh, signal);
      while (!fresh.ended && (fresh.offset < wanted || isBarren(fresh)));
      this.#loaded = fresh;
      this.#failure = undefined;
    } catch (cause) {
      if (signal.aborted) return;
      this.#failure = { cause, atEnd: false };
    }
    this.#stale = false;
  }

  async #readOn(signal: AbortSignal): Promise<void> {
    const { items, pages } = this.#loaded;
    const before = items.length;
    try {
      do await this.#readPage(this.#loaded, signal);
      while (!this.#loaded.ended && items.length === before && this.#loaded.pages - pages < pagesWithoutRecords);
    } catch (cause) {
      if (!signal.aborted) this.#failure = { cause, atEnd: true };
    }
  }

  async #readPage(into: Loaded<T>, signal: AbortSignal): Promise<void> {
    const { pageSize } = this.#source;
    const records = await this.#source.fetch({ offset: into.offset, limit: pageSize }, signal);
    signal.throwIfAborted();
    const known = into.shown.size;
    for (const record of records) {
      // Records move between pages when others come and go: one that was seen already must not stand there twice.
      if (into.shown.has(record.id)) continue;
      const item = this.#itemOf(record);
      into.shown.set(record.id, item);
      if (item !== undefined) into.items.push(item);
    }
    into.offset += records.length;
    into.pages += 1;
    into.short = records.length < pageSize;
    // A service that ignores `offset` gives its first page again and again.
    into.ended = into.shown.size === known || isLastPage(records.length, pageSize, into.largest);
    into.largest = Math.max(into.largest, records.length);
  }
}

function nothing<T>(): Loaded<T> {
  return { items: [], shown: new Map(), offset: 0, pages: 0, largest: 0, short: false, ended: false };
}

function isBarren(loaded: Loaded<unknown>): boolean {
  return loaded.items.length === 0 && loaded.pages < pagesWithoutRecords;
}
