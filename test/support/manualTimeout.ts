import { eventually } from './eventually.ts';

/** What a client waits for: that the answer begins, or that it ends. */
export type ResponsePhase = 'head' | 'body';

/** How many timeouts a client has set by then: the first is for the connection. */
const TIMERS_SET_BY_PHASE: Readonly<Record<ResponsePhase, number>> = { head: 2, body: 3 };

/** Longer than any test takes. */
const HOUR_MS = 3_600_000;
const timersByMs = new Map<number, (end: () => void) => void>();

/** A client's timeout that ends when the test says so, however slow the machine is: give the client `ms`. */
export class ManualTimeout {
  /** No other client has this timeout: by it the client is known. */
  readonly ms: number;
  #set: (() => void)[] = [];

  constructor() {
    if (timersByMs.size === 0) interceptTimers();
    this.ms = Math.max(HOUR_MS, ...timersByMs.keys()) + 1;
    timersByMs.set(this.ms, (end) => this.#set.push(end));
  }

  /** Ends the timeout of a call as soon as the client waits for its `awaited`, and `ready` does not throw. */
  async end(awaited: ResponsePhase, ready: () => void = () => undefined): Promise<void> {
    await eventually(() => {
      ready();
      if (this.#set.length < TIMERS_SET_BY_PHASE[awaited])
        throw new Error(`The client does not wait for the ${awaited} of the answer.`);
    });
    const last = this.#set.at(-1);
    this.#set = [];
    last?.();
  }
}

/** Tells of each timeout that is set, beside setting it. */
function interceptTimers(): void {
  globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
    apply(set, self, args: Parameters<typeof setTimeout>) {
      timersByMs.get(Number(args[1]))?.(args[0] as () => void);
      return Reflect.apply(set, self, args) as NodeJS.Timeout;
    },
  });
}
