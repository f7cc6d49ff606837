/** Creates a value on first use and returns the same one afterwards. */
export function once<T>(create: () => T): () => T {
  let created: { readonly value: T } | undefined;
  return () => (created ??= { value: create() }).value;
}

/** Runs the last of several tasks, once no other has come for a while. */
export class Debouncer {
  readonly #delayMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(delayMs: number) {
    this.#delayMs = delayMs;
  }

  get isWaiting(): boolean {
    return this.#timer !== undefined;
  }

  run(task: () => unknown): void {
    this.dispose();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      task();
    }, this.#delayMs);
  }

  /** Drops the waiting task. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

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
