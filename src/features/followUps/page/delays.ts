import type { JsonValue } from '../../../platform/webview/form/protocol.ts';

/** Seconds per unit of a loop delay, longest first. Months are excluded because their length varies. */
const loopUnitSeconds = [
  ['weeks', 604_800],
  ['days', 86_400],
  ['hours', 3600],
  ['minutes', 60],
  ['seconds', 1],
] as const;

export type LoopUnit = (typeof loopUnitSeconds)[number][0];

export const loopUnits: readonly LoopUnit[] = loopUnitSeconds.map(([unit]) => unit).toReversed();

/** Converts seconds to the longest unit that yields a whole number. */
export function toLoopAmount(seconds: number): { readonly value: number; readonly unit: LoopUnit } {
  const [unit, length] = loopUnitSeconds.find(([, each]) => seconds > 0 && seconds % each === 0) ?? ['days', 86_400];
  return { value: seconds / length, unit };
}

export function toLoopSeconds(value: number, unit: LoopUnit): number {
  return value * (loopUnitSeconds.find(([each]) => each === unit)?.[1] ?? 1);
}

/** "3 days", "1 day". */
export function formatAmountWithUnit(value: JsonValue, unit: JsonValue): string {
  const name =
    typeof unit === 'number'
      ? value === 1
        ? `unit of ${unit} seconds`
        : `units of ${unit} seconds`
      : String(unit ?? '');
  return `${String(value)} ${value === 1 ? name.replace(/s$/u, '') : name}`;
}
