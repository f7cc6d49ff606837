/** Tasks that follow each other. */
export class Turns {
  #tail: Promise<unknown> = Promise.resolve();

  /** Runs a task after those before it, whether they failed or not. */
  next<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#tail.then(task);
    this.#tail = done.catch(() => undefined);
    return done;
  }
}
