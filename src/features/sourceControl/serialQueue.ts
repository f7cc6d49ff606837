/** Tasks that follow each other. */
export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve();

  /** Runs a task after those before it, whether they failed or not. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#tail.then(task);
    this.#tail = done.catch(() => undefined);
    return done;
  }
}
