/** What came of a reading: it went well, it failed and may go well the next time, or it is of no use to try again. */
export type RefreshOutcome = 'done' | 'failed' | 'over';

/** Runs something later, and gives how to prevent it. */
export type Schedule = (run: () => void, ms: number) => () => void;

/** Seconds between two readings, at least: a service is not to be hammered. */
export const MIN_INTERVAL_SECONDS = 10;
/** Seconds between two readings, at most. */
const MAX_INTERVAL_SECONDS = 24 * 60 * 60;
/** How far the pause grows while readings fail, in seconds; never below the interval itself. */
const MAX_BACKOFF_SECONDS = 30 * 60;

/** The setting's value as seconds between readings; 0 for none. */
export function parseInterval(setting: unknown): number {
  if (typeof setting !== 'number' || !(setting > 0)) return 0;
  return Math.min(Math.max(setting, MIN_INTERVAL_SECONDS), MAX_INTERVAL_SECONDS);
}

const scheduleTimeout: Schedule = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/**
 * Reads something again and again while somebody looks. The pause begins when a reading has ended, so that none overlaps another; it
 * doubles with
 * each failure. Where it is over, nothing is read until it is begun anew.
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

  /** Whether it was found to be of no use. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Seconds between readings; 0 ends them. */
  set seconds(seconds: number) {
    if (seconds === this.#seconds) return;
    this.#seconds = seconds;
    this.#reschedule();
  }

  get seconds(): number {
    return this.#seconds;
  }

  /** Nothing is read while nobody looks. */
  set visible(visible: boolean) {
    if (visible === this.#isVisible) return;
    this.#isVisible = visible;
    this.#reschedule();
  }

  /** Something was read otherwise (by hand, or at the beginning): the pause begins anew, and with it what was over. */
  recordOutcome(outcome: RefreshOutcome): void {
    this.#isStopped = outcome === 'over';
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
