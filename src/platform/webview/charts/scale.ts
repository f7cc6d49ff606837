/** Returns the ticks of a count axis in steps of 1, 2 or 5 times a power of ten, with at most `maxTicks` above 0. The last one is at least `high`. */
export function getCountTicks(high: number, maxTicks: number): number[] {
  const top = Math.max(1, Math.ceil(high));
  const rough = top / Math.max(1, maxTicks);
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? power * 10;
  const count = Math.ceil(top / step);
  return Array.from({ length: count + 1 }, (_, index) => index * step);
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Possible distances of time labels, in milliseconds. */
const labelDistances: Readonly<Record<TimeUnit, readonly number[]>> = {
  hour: [1, 2, 3, 6, 12, 24, 48, 168].map((hours) => hours * HOUR_MS),
  day: [1, 2, 7, 14, 28, 91, 182, 364].map((days) => days * DAY_MS),
};

export type TimeUnit = 'hour' | 'day';

export const UNIT_MS: Readonly<Record<TimeUnit, number>> = { hour: HOUR_MS, day: DAY_MS };

/**
 * Returns the times to label on an axis, at round distances.
 * @param first, last milliseconds since 1970 of the local clock, as if it were UTC
 * @param maxLabels number of labels that fit side by side
 */
export function getTimeTicks(first: number, last: number, unit: TimeUnit, maxLabels: number): number[] {
  const all = labelDistances[unit];
  const wanted = (last - first) / Math.max(1, maxLabels);
  const distance = all.find((each) => each >= wanted) ?? Math.ceil(wanted / DAY_MS / 364) * 364 * DAY_MS;
  // Hours start at midnight, days at the first shown one, because weeks have no natural start here.
  const start = unit === 'hour' ? Math.ceil(first / distance) * distance : first;
  const ticks: number[] = [];
  for (let time = start; time <= last; time += distance) ticks.push(time);
  return ticks;
}

const date = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** Formats a time: midnights and days as a date, hours as a time of day. */
export function formatTimeLabel(time: number, unit: TimeUnit): string {
  return (unit === 'hour' && time % DAY_MS !== 0 ? clock : date).format(time);
}
