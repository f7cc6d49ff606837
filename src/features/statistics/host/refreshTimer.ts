/** The outcome of a read. `failed` is worth a retry, `stopped` isn't. */
export type RefreshOutcome = 'succeeded' | 'failed' | 'stopped';

/** Runs a function after a delay and returns a function that cancels it. */
export type Schedule = (run: () => void, ms: number) => () => void;

/** Limits the load on the service. */
export const MIN_INTERVAL_SECONDS = 10;
const MAX_INTERVAL_SECONDS = 24 * 60 * 60;
/** Longest pause after failures, unless the interval is longer. */
const MAX_BACKOFF_SECONDS = 30 * 60;

/** Parses the setting into seconds between two reads; 0 for none. */
export function parseInterval(setting: unknown): number {
  if (typeof setting !== 'number' || !(setting > 0)) return 0;
  return Math.min(Math.max(setting, MIN_INTERVAL_SECONDS), MAX_INTERVAL_SECONDS);
}

const scheduleTimeout: Schedule = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

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

  constructor(read: () => Promise<RefreshOutcome>, after: Schedule = scheduleTimeout) {
    this.#read = read;
    this.#schedule = after;
  }

  /** Whether the last outcome was `stopped`. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Seconds between two reads; 0 disables the timer. */
  set seconds(seconds: number) {
    if (seconds === this.#seconds) return;
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
    this.#seconds = 0;
    this.#cancel?.();
    this.#cancel = undefined;
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
