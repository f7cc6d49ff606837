/** Creates a value on first use and returns the same one afterwards. */
export function once<T>(create: () => T): () => T {
  let created: { readonly value: T } | undefined;
  return () => (created ??= { value: create() }).value;
}

/** The pause around a call is at least this many times as long as the call took. */
const PAUSE_FACTOR = 4;

/**
 * Runs the last of several tasks, once no other has come for a while. The delay grows up to `maxDelayMs` if tasks take long, so that they
 * rarely compete with what the user does meanwhile.
 */
export class Debouncer {
  readonly #minDelayMs: number;
  readonly #maxDelayMs: number;
  #delayMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(minDelayMs: number, maxDelayMs = minDelayMs) {
    this.#minDelayMs = minDelayMs;
    this.#maxDelayMs = maxDelayMs;
    this.#delayMs = minDelayMs;
  }

  get isWaiting(): boolean {
    return this.#timer !== undefined;
  }

  run(task: () => unknown): void {
    this.dispose();
    this.#timer = setTimeout(async () => {
      this.#timer = undefined;
      const started = performance.now();
      await task();
      const pauseMs = (performance.now() - started) * PAUSE_FACTOR;
      this.#delayMs = Math.min(this.#maxDelayMs, Math.max(this.#minDelayMs, pauseMs));
    }, this.#delayMs);
  }

  /** Drops the waiting task. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

const MIN_INTERVAL_MS = 120;

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
