import { faults, type Fault } from './faults.ts';
import { operationCases, type OperationCase, type ResponseKind } from './operations.ts';

/** `tests`: `npm test`. `soak`: every combination. */
export type Run = 'tests' | 'soak';

/** Number of client profiles. */
export const PROFILES = 2;

/** Groups the cases by their expected result under a fault: reads, writes and each exception. */
function groupCases(fault: Fault): readonly (readonly OperationCase[])[] {
  const groups = new Map<ResponseKind | boolean, OperationCase[]>();
  for (const operationCase of operationCases.filter(
    ({ operation }) => fault.onlyOperations?.includes(operation) ?? true,
  )) {
    const { responseKind, isWrite } = operationCase;
    const isException = fault.exceptions?.some((exception) => exception.responseKind === responseKind) === true;
    const key = isException ? responseKind : isWrite;
    groups.set(key, [...(groups.get(key) ?? []), operationCase]);
  }
  return [...groups.values()];
}

/**
 * Selects the cases to try under a fault. `npm test` tries one case of each group and rotates, so that every operation is tested under some faults;
 * the soak tries all of them.
 * @param profile 0 or 1
 */
export function selectCases(fault: Fault, profile: number, run: Run): readonly OperationCase[] {
  if (run === 'soak') return groupCases(fault).flat();
  return groupCases(fault).flatMap((group) => {
    const turn = faults.indexOf(fault) + profile * Math.floor(group.length / 2);
    return group.slice(turn % group.length).slice(0, 1);
  });
}

/** Counts the client calls under a fault in both profiles. */
export function countCalls(fault: Fault, run: Run): number {
  return Array.from({ length: PROFILES }, (_, profile) => selectCases(fault, profile, run).length).reduce(
    (sum, count) => sum + count,
    0,
  );
}
