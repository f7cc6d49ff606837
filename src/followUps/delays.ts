import type { DelayUnit } from '../api/index.ts';

/** The units of a delay, with their length in seconds as the service's answers give them. */
export const unitSeconds: Readonly<Record<DelayUnit, number>> = {
  minutes: 60,
  hours: 3600,
  days: 86_400,
  weeks: 604_800,
  months: 2_628_000,
};

export const delayUnits = Object.keys(unitSeconds) as readonly DelayUnit[];

/** The delay that a mail goes out after. A unit that the API document doesn't know is its number of seconds. */
export interface Delay {
  readonly delay: number;
  readonly delay_unit: DelayUnit | number;
}

/** The delay of a mail as an answer has it (`delay_unit` in seconds), in the words in which it is sent. */
export function delayOf(mail: { readonly delay: number | null; readonly delay_unit: number | null }): Delay {
  const seconds = mail.delay_unit ?? unitSeconds.minutes;
  return { delay: mail.delay ?? 0, delay_unit: delayUnits.find((unit) => unitSeconds[unit] === seconds) ?? seconds };
}

/** Whether a value names a unit that can be sent. */
export function isDelayUnit(value: unknown): value is DelayUnit {
  return typeof value === 'string' && Object.hasOwn(unitSeconds, value);
}

/** A delay in seconds. */
export function inSeconds({ delay, delay_unit }: Delay): number {
  return delay * (typeof delay_unit === 'number' ? delay_unit : unitSeconds[delay_unit]);
}

/** "at once", "after 1 day", "after 10 minutes". */
export function delayWords({ delay, delay_unit }: Delay): string {
  if (delay === 0) return 'at once';
  if (typeof delay_unit === 'number') return `after ${delay * delay_unit} seconds`;
  return `after ${delay} ${delay === 1 ? delay_unit.slice(0, -1) : delay_unit}`;
}
