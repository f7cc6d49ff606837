import * as l10n from '@vscode/l10n';
import { localized } from '../../../l10n.ts';
import type { LoadState } from '../model.ts';

const timeFormat = localized((language) => new Intl.DateTimeFormat(language, { timeStyle: 'medium' }));
const dateTimeFormat = localized(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' }),
);

/** Formats the time of a read in the user's time zone: "10:42:31", with the date if that isn't today. */
export function formatReadTime(readAt: Date, now: Date = new Date()): string {
  return (readAt.toDateString() === now.toDateString() ? timeFormat() : dateTimeFormat()).format(readAt);
}

/** Shown if the first read is canceled. */
export function getCanceledMessage(): string {
  return l10n.t('Reading was canceled.');
}

/** A value that is read repeatedly. The last value survives failed reads. Each change is published as a `LoadState`. */
export class RefreshableValue<T> {
  readonly #publish: (state: LoadState<T>) => void;
  #lastRead: { readonly value: T; readonly at: Date } | undefined;
  /** Why the last read failed. */
  failure: string | undefined;
  #isLoading = false;
  #partial: T | undefined;

  constructor(publish: (state: LoadState<T>) => void) {
    this.#publish = publish;
  }

  /** The value of the last successful read. */
  get value(): T | undefined {
    return this.#lastRead?.value;
  }

  /** Whether the last read succeeded. */
  get isCurrent(): boolean {
    return !this.#isLoading && this.#lastRead !== undefined && this.failure === undefined;
  }

  /** The formatted time of the last successful read. */
  get at(): string | undefined {
    return this.#lastRead && formatReadTime(this.#lastRead.at);
  }

  start(): void {
    this.#isLoading = true;
    this.#partial = undefined;
    this.publish();
  }

  /** Publishes a partial value while loading. It replaces an earlier value only if `replacesValue` is set. */
  reportPartial(partial: T, replacesValue: boolean = this.#lastRead === undefined): void {
    if (!this.#isLoading || !replacesValue) return;
    this.#partial = partial;
    this.publish();
  }

  /** Ends a read with its value. */
  succeed(value: T, readAt: Date = new Date()): void {
    this.#lastRead = { value, at: readAt };
    this.#finish(undefined);
  }

  fail(message: string): void {
    this.#finish(message);
  }

  /** Cancels a read and keeps the last value. */
  cancel(): void {
    if (this.#isLoading) this.#finish(this.#lastRead ? this.failure : (this.failure ?? getCanceledMessage()));
  }

  /** Publishes the current state, unless no read was ever started. */
  publish(): void {
    const { value, at } = this;
    const read = value !== undefined && at !== undefined && { value, at };
    if (this.#isLoading) {
      const partial = this.#partial !== undefined && { value: this.#partial, at: formatReadTime(new Date()) };
      this.#publish({ kind: 'loading', ...read, ...partial });
    } else if (this.failure !== undefined) this.#publish({ kind: 'failed', message: this.failure, ...read });
    else if (read) this.#publish({ kind: 'loaded', ...read });
  }

  #finish(failure: string | undefined): void {
    this.failure = failure;
    this.#isLoading = false;
    this.#partial = undefined;
    this.publish();
  }
}

/** Why statistics are read: their page became visible, the user requested a refresh, or the refresh timer fired. */
export type ReadCause = 'opened' | 'requested' | 'scheduled';

/** The outcome of a read. `failed` is worth a retry, `stopped` isn't. */
export type RefreshOutcome = 'succeeded' | 'failed' | 'stopped';

/** Runs a function after a delay and returns a function that cancels it. */
function scheduleTimeout(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

export type Schedule = typeof scheduleTimeout;

/** Limits the load on the service. */
const MIN_INTERVAL_SECONDS = 10;
const MAX_INTERVAL_SECONDS = 24 * 60 * 60;
/** Longest pause after failures, unless the interval is longer. */
const MAX_BACKOFF_SECONDS = 30 * 60;

/** Parses the setting into seconds between two reads; 0 for none. */
export function parseInterval(setting: unknown): number {
  if (typeof setting !== 'number' || !(setting > 0)) return 0;
  return Math.min(Math.max(setting, MIN_INTERVAL_SECONDS), MAX_INTERVAL_SECONDS);
}

/**
 * Reads repeatedly while the page is visible. The pause starts when a read ends, so that reads never overlap, and doubles with each failure.
 * After the outcome `stopped`, nothing is read until another outcome is recorded.
 */
export class RefreshTimer {
  readonly #read: () => Promise<RefreshOutcome>;
  readonly #schedule: Schedule;
  #seconds = 0;
  #isVisible = false;
  #isStopped = false;
  #failures = 0;
  #isReading = false;
  #cancel: (() => void) | undefined;

  /** @param schedule replaces the timer in tests */
  constructor(read: () => Promise<RefreshOutcome>, schedule: Schedule = scheduleTimeout) {
    this.#read = read;
    this.#schedule = schedule;
  }

  /** Whether the last outcome was `stopped`. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Seconds between two reads; 0 disables the timer. */
  set seconds(seconds: number) {
    this.#seconds = seconds;
    this.#reschedule();
  }

  get seconds(): number {
    return this.#seconds;
  }

  /** Pauses the timer while the page is hidden. */
  set visible(visible: boolean) {
    if (visible === this.#isVisible) return;
    this.#isVisible = visible;
    this.#reschedule();
  }

  /** Records the outcome of any read, also of one outside the timer, and restarts the pause. */
  recordOutcome(outcome: RefreshOutcome): void {
    this.#isStopped = outcome === 'stopped';
    this.#failures = outcome === 'failed' ? this.#failures + 1 : 0;
    this.#reschedule();
  }

  dispose(): void {
    this.seconds = 0;
  }

  #reschedule(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#seconds === 0 || !this.#isVisible || this.#isStopped || this.#isReading) return;
    const pause = Math.min(this.#seconds * 2 ** this.#failures, Math.max(MAX_BACKOFF_SECONDS, this.#seconds));
    this.#cancel = this.#schedule(() => void this.#run(), pause * 1000);
  }

  async #run(): Promise<void> {
    this.#cancel = undefined;
    this.#isReading = true;
    const outcome = await this.#read().catch((): RefreshOutcome => 'failed');
    this.#isReading = false;
    this.recordOutcome(outcome);
  }
}
