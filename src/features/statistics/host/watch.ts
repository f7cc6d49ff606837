/** What came of a reading: it went well, it failed and may go well the next time, or it is of no use to try again. */
export type WatchOutcome = 'done' | 'failed' | 'over';

/** Runs something later, and gives how to prevent it. */
export type Later = (run: () => void, ms: number) => () => void;

/** Seconds between two readings, at least: a service is not to be hammered. */
export const shortest = 10;
/** Seconds between two readings, at most. */
const longest = 24 * 60 * 60;
/** How far the pause grows while readings fail, in seconds; never below the interval itself. */
const longestPause = 30 * 60;

/** The setting's value as seconds between readings; 0 for none. */
export function intervalOf(setting: unknown): number {
  if (typeof setting !== 'number' || !(setting > 0)) return 0;
  return Math.min(Math.max(setting, shortest), longest);
}

const later: Later = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/**
 * Reads something again and again while somebody looks. The pause begins when a reading has ended, so that none overlaps another; it
 * doubles with
 * each failure. Where it is over, nothing is read until it is begun anew.
 */
export class Watch {
  readonly #read: () => Promise<WatchOutcome>;
  readonly #later: Later;
  #seconds = 0;
  #visible = false;
  #over = false;
  #failures = 0;
  #running = false;
  #cancel: (() => void) | undefined;

  constructor(read: () => Promise<WatchOutcome>, after: Later = later) {
    this.#read = read;
    this.#later = after;
  }

  /** Whether it was found to be of no use. */
  get isOver(): boolean {
    return this.#over;
  }

  /** Seconds between readings; 0 ends them. */
  set seconds(seconds: number) {
    if (seconds === this.#seconds) return;
    this.#seconds = seconds;
    this.#plan();
  }

  get seconds(): number {
    return this.#seconds;
  }

  /** Nothing is read while nobody looks. */
  set visible(visible: boolean) {
    if (visible === this.#visible) return;
    this.#visible = visible;
    this.#plan();
  }

  /** Something was read otherwise (by hand, or at the beginning): the pause begins anew, and with it what was over. */
  wasRead(outcome: WatchOutcome): void {
    this.#over = outcome === 'over';
    this.#failures = outcome === 'failed' ? this.#failures + 1 : 0;
    this.#plan();
  }

  dispose(): void {
    this.#seconds = 0;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #plan(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#seconds === 0 || !this.#visible || this.#over || this.#running) return;
    const pause = Math.min(this.#seconds * 2 ** this.#failures, Math.max(longestPause, this.#seconds));
    this.#cancel = this.#later(() => void this.#run(), pause * 1000);
  }

  async #run(): Promise<void> {
    this.#cancel = undefined;
    this.#running = true;
    const outcome = await this.#read().catch((): WatchOutcome => 'failed');
    this.#running = false;
    this.wasRead(outcome);
  }
}
