/**
 * Steps of an axis of counts: 1, 2 or 5 times a power of ten, so that there are no more than `most` of them above 0. The last is not below
 * `high`.
 */
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
/** Distances of labels on an axis of time, in ms. */
const labelDistances: Readonly<Record<TimeUnit, readonly number[]>> = {
  hour: [1, 2, 3, 6, 12, 24, 48, 168].map((hours) => hours * HOUR_MS),
  day: [1, 2, 7, 14, 28, 91, 182, 364].map((days) => days * DAY_MS),
};

export type TimeUnit = 'hour' | 'day';

/** Length of a unit in ms. */
export const UNIT_MS: Readonly<Record<TimeUnit, number>> = { hour: HOUR_MS, day: DAY_MS };

/**
 * Times to be labelled on an axis: at whole distances on the clock, so many that labels of a width have room.
 * @param first, last ms since 1970, on a clock as if in UTC
 * @param room how many labels fit side by side
 */
export function getTimeTicks(first: number, last: number, unit: TimeUnit, room: number): number[] {
  const all = labelDistances[unit];
  const wanted = (last - first) / Math.max(1, room);
  const distance = all.find((each) => each >= wanted) ?? Math.ceil(wanted / DAY_MS / 364) * 364 * DAY_MS;
  // Hours count from midnight; days from the first one that is shown, since weeks have no natural start here.
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

/** A time as an axis names it: midnights and days by their date, hours by the clock. */
export function formatTimeLabel(time: number, unit: TimeUnit): string {
  return (unit === 'hour' && time % DAY_MS !== 0 ? clock : date).format(time);
}
