/** What can go wrong between a client and the service. */
export type FaultKind =
  /** Answers this status; the operation is not done. `message` goes into the JSON body. */
  | { readonly kind: 'status'; readonly status: number; readonly message?: string }
  /** The operation's own 500 of the document's error table; nothing is done. */
  | { readonly kind: 'operationError'; readonly detail?: string }
  /** An HTML page instead of JSON; nothing is done. Default status 200. */
  | { readonly kind: 'html'; readonly status?: number }
  /** 200 with JSON that breaks off, under a correct length; the operation is done. */
  | { readonly kind: 'brokenJson' }
  /** The connection ends in the middle of the answer's body; the operation is done. */
  | { readonly kind: 'cut' }
  /** The connection is reset before the body of the request is read; nothing is done. */
  | { readonly kind: 'resetBeforeRead' }
  /** The connection is reset after the request was read; nothing is done. */
  | { readonly kind: 'resetAfterRead' }
  /** No answer at all, or (`after: 'headers'`) nothing after the answer's headers; nothing is done. */
  | { readonly kind: 'hang'; readonly after?: 'request' | 'headers' }
  /** The right answer, `bytes` (default 16) at a time, every `intervalMs` (default 50). */
  | { readonly kind: 'slow'; readonly bytes?: number; readonly intervalMs?: number }
  /**
   * A redirect (default 302); nothing is done. `same` leads to another path of this origin, where the request is answered
   * normally; `other` to an origin that does not exist, unless `location` names one.
   */
  | { readonly kind: 'redirect'; readonly to: 'same' | 'other'; readonly status?: 301 | 302 | 303 | 307 | 308; readonly location?: string }
  /** No body. Default status 200; the operation is not done. */
  | { readonly kind: 'empty'; readonly status?: number }
  /** 429; `retryAfter` in seconds (default 1), or an HTTP date. Nothing is done. */
  | { readonly kind: 'rateLimited'; readonly retryAfter?: number | string }
  /** The operation is done, and the connection reset before a byte of the answer. */
  | { readonly kind: 'lostAnswer' }
  /**
   * A service that goes on after nobody waits for it any more: 504 at once, or (`answer: 'none'`) no answer at all. The operation is done
   * when the handle's `land` is called.
   */
  | { readonly kind: 'late'; readonly answer?: 'gatewayTimeout' | 'none' }
  /** 200 with an `errors` field; the operation is done. */
  | { readonly kind: 'errors'; readonly errors: string | readonly string[]; readonly message?: string }
  /** JSON of `bytes` bytes (default 70 MiB), streamed; nothing is done. */
  | { readonly kind: 'oversized'; readonly bytes?: number };

export type FaultRule = FaultKind & {
  /** The operation it happens to. Default: all. */
  readonly operation?: string;
  /** How often it happens. Default: until removed. */
  readonly times?: number;
  /** Requests that pass before it happens first. Default 0. */
  readonly skip?: number;
};

export interface FaultHandle {
  /** How often it has happened. */
  readonly hits: number;
  remove(): void;
  /** Does the operations that a `late` fault has held up, oldest first, and from then on those that are on their way. */
  land(): void;
}

/** The service's misbehaviour, for tests. The rule added last is asked first. */
export interface Faults {
  add(rule: FaultRule): FaultHandle;
  clear(): void;
}

export interface FaultRegistry extends Faults {
  /** The fault that happens to this request, if any; counts as a hit. */
  take(operation: string | null): FaultKind | undefined;
  /** Holds an operation up until its fault's `land`. */
  hold(fault: FaultKind, run: () => void): void;
}

export function createFaults(): FaultRegistry {
  const active: { rule: FaultRule; hits: number; passed: number }[] = [];
  const held = new WeakMap<FaultKind, (() => void)[]>();
  const landed = new WeakSet<FaultKind>();
  const drop = (entry: (typeof active)[number]): void => {
    const at = active.indexOf(entry);
    if (at >= 0) active.splice(at, 1);
  };
  return {
    add(rule) {
      const entry = { rule, hits: 0, passed: 0 };
      active.unshift(entry);
      return {
        get hits() {
          return entry.hits;
        },
        remove: () => drop(entry),
        land: () => {
          landed.add(rule);
          for (const run of held.get(rule)?.splice(0) ?? []) run();
        },
      };
    },
    clear() {
      active.length = 0;
    },
    take(operation) {
      const entry = active.find((each) => {
        if (each.rule.operation !== undefined && each.rule.operation !== operation) return false;
        each.passed += 1;
        return each.passed > (each.rule.skip ?? 0);
      });
      if (!entry) return undefined;
      entry.hits += 1;
      if (entry.hits >= (entry.rule.times ?? Infinity)) drop(entry);
      return entry.rule;
    },
    hold(fault, run) {
      if (landed.has(fault)) return run();
      held.set(fault, [...(held.get(fault) ?? []), run]);
    },
  };
}
