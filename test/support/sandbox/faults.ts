import type { Intercept } from '../../../src/service/sandbox/index.ts';
import { playFault } from './playFault.ts';
import type { FaultKind } from './faultKinds.ts';

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
  readonly intercept: Intercept;
}

export function createFaults(): FaultRegistry {
  const active: { rule: FaultRule; hits: number; passed: number }[] = [];
  const held = new WeakMap<FaultKind, (() => void)[]>();
  const landed = new WeakSet<FaultKind>();
  const drop = (entry: (typeof active)[number]): void => {
    const at = active.indexOf(entry);
    if (at >= 0) active.splice(at, 1);
  };
  /** The fault that happens to this request, if any; counts as a hit. */
  const take = (operation: string | null): FaultKind | undefined => {
    const entry = active.find((each) => {
      if (each.rule.operation !== undefined && each.rule.operation !== operation) return false;
      each.passed += 1;
      return each.passed > (each.rule.skip ?? 0);
    });
    if (!entry) return undefined;
    entry.hits += 1;
    if (entry.hits >= (entry.rule.times ?? Infinity)) drop(entry);
    return entry.rule;
  };
  /** Holds an operation up until its fault's `land`. */
  const hold = (fault: FaultKind, run: () => void): void => {
    if (landed.has(fault)) return run();
    held.set(fault, [...(held.get(fault) ?? []), run]);
  };
  return {
    intercept(operation) {
      const fault = take(operation);
      return fault && { name: fault.kind, answer: (exchange) => playFault(fault, exchange, (run) => hold(fault, run)) };
    },
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
  };
}
