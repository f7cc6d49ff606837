const { setTimeout: begin, clearTimeout: end } = globalThis;

/** Counts the pending timers of one duration that the extension sets. */
export class Timers {
  readonly #ms: number;
  readonly #pending = new Set<object>();

  constructor(ms: number) {
    this.#ms = ms;
  }

  get pending(): number {
    return this.#pending.size;
  }

  watch(): void {
    globalThis.setTimeout = new Proxy(begin, {
      apply: (_set, self, [act, ms, ...rest]: Parameters<typeof setTimeout>) => {
        const run = (...given: unknown[]) => {
          this.#pending.delete(timer);
          (act as (...given: unknown[]) => void)(...given);
        };
        const timer = Reflect.apply(begin, self, [run, ms, ...rest]) as NodeJS.Timeout;
        if (ms === this.#ms) this.#pending.add(timer);
        return timer;
      },
    });
    globalThis.clearTimeout = new Proxy(end, {
      apply: (_clear, self, [timer]: Parameters<typeof clearTimeout>) => {
        if (typeof timer === 'object') this.#pending.delete(timer);
        Reflect.apply(end, self, [timer]);
      },
    });
  }

  restore(): void {
    Object.assign(globalThis, { setTimeout: begin, clearTimeout: end });
    this.#pending.clear();
  }
}
