import type { StatisticsRow, ActivityTimeline } from '../model.ts';
import { formatAmount, formatServiceDateTime } from '../../../platform/ui/format.ts';
import { isBlank, parseNumber, getRoleValue } from './fields.ts';
import { DAY_MS, HOUR_MS, parseServiceTime } from './serviceTime.ts';
import { readClickCount } from './clicks.ts';

interface EventCounts {
  opens: number;
  clicks: number;
}

type EventType = keyof EventCounts;

/** Longer timelines are shown by day. */
const MAX_HOURLY_SPAN_MS = 4 * DAY_MS;
/** If there are more hours, only days are counted. */
const MAX_HOURS = 10_000;
/** Events outside these days are only mentioned in the explanation. */
const MAX_DAYS = 400;

export interface TimelineProgress {
  /** Number of recipients read so far, and in total if that is known. */
  readonly readCount: number;
  readonly totalCount?: number;
  readonly isComplete: boolean;
}

/** Counts opens and clicks by hour and day. The required memory doesn't depend on the number of rows. */
export class TimelineCounter {
  /** By the start of the hour; undefined once there are too many hours. */
  #hours: Map<number, EventCounts> | undefined = new Map<number, EventCounts>();
  readonly #days = new Map<number, EventCounts>();
  #undated = 0;
  /** Number of events with an implausible date. */
  #implausible = 0;

  /** Counts one open for each recipient who opened the message, at the only date that the service stores. */
  addRecipients(rows: readonly StatisticsRow[]): void {
    for (const row of rows) {
      const date = getRoleValue('user', row, 'openDate');
      if (isOpened(getRoleValue('user', row, 'opens'), date)) this.#add('opens', date);
    }
  }

  /** Counts one click for each link that a recipient clicked. */
  addClicks(rows: readonly StatisticsRow[]): void {
    for (const row of rows) if (readClickCount(row) > 0) this.#add('clicks', getRoleValue('click', row, 'clickDate'));
  }

  /** Returns the timeline of all rows added so far. */
  createTimeline({ readCount, totalCount, isComplete }: TimelineProgress): ActivityTimeline {
    const days = [...this.#days.keys()].sort((a, b) => a - b);
    const [first = 0, last = 0] = [days[0], days.at(-1)];
    const hours = this.#hours === undefined ? [] : [...this.#hours.keys()].sort((a, b) => a - b);
    const isHourly = hours.length > 0 && (hours.at(-1) ?? 0) - (hours[0] ?? 0) < MAX_HOURLY_SPAN_MS;
    const [from, to] = isHourly ? [hours[0] ?? 0, hours.at(-1) ?? 0] : this.#findBusiestRange(days);
    const points =
      days.length === 0
        ? []
        : createPoints(isHourly ? (this.#hours ?? this.#days) : this.#days, from, to, isHourly ? HOUR_MS : DAY_MS);
    const shownEvents = points.reduce((sum, { opens, clicks }) => sum + opens + clicks, 0);
    const datedEvents = [...this.#days.values()].reduce((sum, { opens, clicks }) => sum + opens + clicks, 0);
    return {
      unit: isHourly ? 'hour' : 'day',
      points,
      meaning: describeTimeline({
        outside: datedEvents - shownEvents,
        first,
        last,
        implausible: this.#implausible,
        from,
        to,
      }),
      readCount,
      ...(totalCount === undefined ? {} : { totalCount }),
      isComplete,
      undated: this.#undated + this.#implausible,
    };
  }

  #add(type: EventType, date: unknown): void {
    const time = isBlank(date) ? undefined : parseServiceTime(date);
    if (time === undefined) this.#undated += 1;
    else if (time === null) this.#implausible += 1;
    else {
      addEvent(this.#days, time - (time % DAY_MS), type);
      if (this.#hours === undefined) return;
      addEvent(this.#hours, time - (time % HOUR_MS), type);
      if (this.#hours.size > MAX_HOURS) this.#hours = undefined;
    }
  }

  /** Returns the first and last day of the busiest range of at most `MAX_DAYS`. */
  #findBusiestRange(days: readonly number[]): [from: number, to: number] {
    let best = { sum: -1, from: 0, to: 0 };
    let sum = 0;
    let start = 0;
    for (const [end, to] of days.entries()) {
      sum += this.#sumDay(to);
      while (to - (days[start] ?? to) >= MAX_DAYS * DAY_MS) {
        sum -= this.#sumDay(days[start] ?? to);
        start += 1;
      }
      if (sum > best.sum) best = { sum, from: days[start] ?? to, to: days[end] ?? to };
    }
    return [best.from, best.to];
  }

  #sumDay(day: number): number {
    const { opens, clicks } = this.#days.get(day) ?? { opens: 0, clicks: 0 };
    return opens + clicks;
  }
}

/** Returns whether a recipient opened the message, by the number of opens or else by the date. */
function isOpened(opens: unknown, date: unknown): boolean {
  const number = parseNumber(opens);
  return number === undefined ? !isBlank(date) && parseServiceTime(date) !== undefined : number > 0;
}

function addEvent(tallies: Map<number, EventCounts>, time: number, type: EventType): void {
  const tally = tallies.get(time) ?? { opens: 0, clicks: 0 };
  tally[type] += 1;
  tallies.set(time, tally);
}

function formatTimeLabel(time: number, step: number): string {
  const text = new Date(time).toISOString();
  return formatServiceDateTime(text.slice(0, step === DAY_MS ? 10 : 16)) ?? text;
}

function createPoints(
  tallies: ReadonlyMap<number, EventCounts>,
  from: number,
  to: number,
  step: number,
): ActivityTimeline['points'][number][] {
  return Array.from({ length: Math.round((to - from) / step) + 1 }, (_, index) => {
    const time = from + index * step;
    const { opens, clicks } = tallies.get(time) ?? { opens: 0, clicks: 0 };
    return { time, label: formatTimeLabel(time, step), opens, clicks };
  });
}

interface TimelineGaps {
  /** Number of dated opens and clicks outside the points. */
  readonly outside: number;
  readonly first: number;
  readonly last: number;
  readonly implausible: number;
  readonly from: number;
  readonly to: number;
}

function describeTimeline({ outside, first, last, implausible, from, to }: TimelineGaps): string {
  const sentences = [
    'The service keeps one date for each recipient who opened and one for each link that a recipient clicked: each is counted once.',
  ];
  const formatEvents = (number: number): string => formatAmount(number, 'open or click', 'opens and clicks');
  const formatRange = (start: number, conjunction: string, end: number): string =>
    `${formatTimeLabel(start, DAY_MS)} ${conjunction} ${formatTimeLabel(end, DAY_MS)}`;
  if (outside > 0)
    sentences.push(
      `${formatEvents(outside)} between ${formatRange(first, 'and', last)} lie outside the days shown, ${formatRange(from, 'to', to)}.`,
    );
  if (implausible > 0)
    sentences.push(`${formatEvents(implausible)} have a date that can’t be meant, and count as undated.`);
  return sentences.join(' ');
}
