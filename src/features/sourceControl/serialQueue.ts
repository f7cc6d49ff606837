/** Runs tasks one after the other. */
export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve();

  /** Runs a task after the earlier ones, even if they failed. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#tail.then(task);
    this.#tail = done.catch(() => undefined);
    return done;
  }
}
