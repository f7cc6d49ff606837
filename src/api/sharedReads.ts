/** One read that several wait for. */
interface SharedRead {
  readonly result: Promise<unknown>;
  readonly stop: AbortController;
  waiting: number;
}

/**
 * Reads that are asked for while the same one is under way share its answer. It goes on as long as anybody waits for it: whoever gives up
 * gets the reason of their own signal.
 */
export class SharedReads {
  readonly #underWay = new Map<string, SharedRead>();

  async share<T>(what: string, read: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const shared = this.#underWay.get(what) ?? this.#begin(what, read);
    shared.waiting += 1;
    try {
      // What is read under one name is of one type.
      return (await untilAborted(shared.result, signal)) as T;
    } finally {
      shared.waiting -= 1;
      if (shared.waiting === 0) {
        this.#forget(what, shared);
        shared.stop.abort();
      }
    }
  }

  #begin(what: string, read: (signal: AbortSignal) => Promise<unknown>): SharedRead {
    const stop = new AbortController();
    const shared: SharedRead = { result: read(stop.signal), stop, waiting: 0 };
    this.#underWay.set(what, shared);
    // Whoever still waits gets the failure; when nobody does, it is nobody's.
    shared.result.then(() => undefined, () => undefined).finally(() => this.#forget(what, shared));
    return shared;
  }

  /** Who asks from now on begins a read of their own. */
  #forget(what: string, shared: SharedRead): void {
    if (this.#underWay.get(what) === shared) this.#underWay.delete(what);
  }
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
