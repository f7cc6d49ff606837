/** Shortest time between two turns, in ms, and how many times as long as its work a pause is. */
const [MIN_INTERVAL_MS, PAUSE_FACTOR] = [120, 4];

/** Does something again and again as it is asked to, and not so often that nothing else could be done. */
export class Throttle {
  readonly #callback: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #nextStart = 0;

  constructor(callback: () => void) {
    this.#callback = callback;
  }

  /** Does it a moment later, together with what else asks for it until then. */
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
