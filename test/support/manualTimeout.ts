import { eventually } from './eventually.ts';

/** The part of a response that a client waits for. */
export type ResponsePhase = 'head' | 'body';

/** Number of timers that a client has set once a phase begins. The first is for connecting. */
const TIMERS_SET_BY_PHASE: Readonly<Record<ResponsePhase, number>> = { head: 2, body: 3 };

/** Longer than any test. */
const HOUR_MS = 3_600_000;
const timersByMs = new Map<number, (end: () => void) => void>();

/** A client timeout that a test ends explicitly, independent of the speed of the machine. Pass `ms` to the client. */
export class ManualTimeout {
  /** Unique, to identify the timers of the client. */
  readonly ms: number;
  #set: (() => void)[] = [];

  constructor() {
    if (timersByMs.size === 0) interceptTimers();
    this.ms = Math.max(HOUR_MS, ...timersByMs.keys()) + 1;
    timersByMs.set(this.ms, (end) => this.#set.push(end));
  }

  /** Ends the timeout once the client waits for the given phase and `ready` does not throw. */
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

/** Intercepts `setTimeout`. */
function interceptTimers() {
  globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
    apply(set, self, args: Parameters<typeof setTimeout>) {
      timersByMs.get(Number(args[1]))?.(args[0] as () => void);
      return Reflect.apply(set, self, args) as NodeJS.Timeout;
    },
  });
}
