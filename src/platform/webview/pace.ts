/** Shortest time between two turns, in ms, and how many times as long as its work a pause is. */
const [shortest, pause] = [120, 4];

/** Does something again and again as it is asked to, and not so often that nothing else could be done. */
export class Pace {
  readonly #act: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #free = 0;

  constructor(act: () => void) {
    this.#act = act;
  }

  /** Does it a moment later, together with what else asks for it until then. */
  soon(): void {
    this.#timer ??= setTimeout(() => this.now(), Math.max(0, this.#free - performance.now()));
  }

  now(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const started = performance.now();
    this.#act();
    const ended = performance.now();
    this.#free = ended + Math.max(shortest, (ended - started) * pause);
  }
}
