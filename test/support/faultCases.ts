import { faults } from './faults.ts';
import type { Fault } from './faults.ts';
import { operationCases } from './operations.ts';
import type { OperationCase } from './operations.ts';

/** Which run: `npm test`, or the soak, which tries everything. */
export type Run = 'tests' | 'soak';

/** Both profiles of the client. */
export const PROFILES = 2;

/** The cases of which the same is expected under a fault: reads, writes, and what is an exception. */
function alike(fault: Fault): readonly (readonly OperationCase[])[] {
  const groups = new Map<unknown, OperationCase[]>();
  for (const one of operationCases.filter(({ operation }) => fault.only?.includes(operation) ?? true)) {
    const key = fault.except?.some(({ answer }) => answer === one.answer) === true ? one.answer : one.write;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

/**
 * The cases that a fault is tried on in one profile. In `npm test` it is one of those of which the same is expected; the operations take turns, so
 * that each has its faults. The soak has all.
 * @param profile 0 or 1
 */
export function casesUnder(fault: Fault, profile: number, run: Run): readonly OperationCase[] {
  if (run === 'soak') return alike(fault).flat();
  return alike(fault).flatMap((group) => {
    const turn = faults.indexOf(fault) + profile * Math.floor(group.length / 2);
    return group.slice(turn % group.length).slice(0, 1);
  });
}

/** Calls of the client under a fault, over both profiles. */
export function callsUnder(fault: Fault, run: Run): number {
  return Array.from({ length: PROFILES }, (_, profile) => casesUnder(fault, profile, run).length).reduce(
    (sum, count) => sum + count,
    0,
  );
}
