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

  run(task: () => unknown): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(task, this.#delayMs);
  }

  /** Drops the waiting task. */
  dispose(): void {
    clearTimeout(this.#timer);
  }
}
