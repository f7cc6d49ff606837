import type { Exchange } from '../../../src/service/sandbox/index.ts';
import { playFault } from './playFault.ts';
import type { FaultKind } from './faultKinds.ts';

export type FaultRule = FaultKind & {
  /** Affected operation. Default: all. */
  readonly operation?: string;
  /** Number of occurrences. Default: unlimited. */
  readonly times?: number;
  /** Number of requests to skip first. Default 0. */
  readonly skip?: number;
  /** The rule applies only after a request for this operation. Default: at once. */
  readonly afterOperation?: string;
};

export interface FaultHandle {
  /** Number of occurrences so far. */
  readonly hits: number;
  remove(): void;
  /** Runs the operations that a `late` fault holds, oldest first, and stops holding later ones. */
  land(): void;
}

/** Faults of the service. The newest rule takes precedence. */
export interface Faults {
  add(rule: FaultRule): FaultHandle;
  clear(): void;
}

export interface FaultRegistry extends Faults {
  /** Returns the fault for a request, and counts it. */
  take(operation: string | null): FaultKind | undefined;
  /** Answers a request with a fault. */
  play(fault: FaultKind, exchange: Exchange): Promise<void>;
}

export function createFaults(): FaultRegistry {
  const active: { rule: FaultRule; hits: number; passed: number; isArmed: boolean }[] = [];
  const heldOperations = new WeakMap<FaultKind, (() => void)[]>();
  const landed = new WeakSet<FaultKind>();
  const drop = (entry: (typeof active)[number]) => {
    const at = active.indexOf(entry);
    if (at >= 0) active.splice(at, 1);
  };
  return {
    take(operation) {
      for (const each of active) if (each.rule.afterOperation === operation) each.isArmed = true;
      const entry = active.find((each) => {
        if (!each.isArmed) return false;
        if (each.rule.operation !== undefined && each.rule.operation !== operation) return false;
        each.passed += 1;
        return each.passed > (each.rule.skip ?? 0);
      });
      if (!entry) return undefined;
      entry.hits += 1;
      if (entry.hits >= (entry.rule.times ?? Infinity)) drop(entry);
      return entry.rule;
    },
    play: (fault, exchange) =>
      playFault(fault, exchange, (run) => {
        if (landed.has(fault)) return run();
        heldOperations.set(fault, [...(heldOperations.get(fault) ?? []), run]);
      }),
    add(rule) {
      const entry = { rule, hits: 0, passed: 0, isArmed: rule.afterOperation === undefined };
      active.unshift(entry);
      return {
        get hits() {
          return entry.hits;
        },
        remove: () => drop(entry),
        land: () => {
          landed.add(rule);
          for (const run of heldOperations.get(rule)?.splice(0) ?? []) run();
        },
      };
    },
    clear() {
      active.length = 0;
    },
  };
}
