/** The pause after a call is at least this long, and this many times as long as the call took. */
const [MIN_INTERVAL_MS, PAUSE_FACTOR] = [120, 4];

/** Throttles a repeated callback, so that other work can run in between. */
export class Throttle {
  readonly #callback: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #nextStart = 0;

  constructor(callback: () => void) {
    this.#callback = callback;
  }

  /** Schedules a call; requests until then are combined. */
  schedule(): void {
    this.#timer ??= setTimeout(() => this.runNow(), Math.max(0, this.#nextStart - performance.now()));
  }

  runNow(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const started = performance.now();
    this.#callback();
    const ended = performance.now();
    this.#nextStart = ended + Math.max(MIN_INTERVAL_MS, (ended - started) * PAUSE_FACTOR);
  }
}
