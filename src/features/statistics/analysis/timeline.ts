import type { Row, Timeline } from '../model.ts';
import { formatAmount, formatDateTime } from '../../../platform/ui/format.ts';
import { isNothing, numberOf, valueOf } from './fields.ts';
import { day, hour, momentOf } from './moments.ts';
import { clicksIn } from './clicks.ts';

interface Tally {
  opens: number;
  clicks: number;
}

type What = keyof Tally;

/** Up to this span, hours are shown. */
const hourlySpan = 4 * day;
/** More hours than these are not kept: they are shown as days anyhow. */
const mostHours = 10_000;
/** Days that are shown at most: what lies before or after is told in words. */
const mostDays = 400;

/** How far a service was read. */
export interface Progress {
  /** Recipients that were read, and how many there are where that is known. */
  readonly read: number;
  readonly of?: number;
  readonly complete: boolean;
}

/**
 * Counts opens and clicks over time, from the pages of recipients and from the rows of the clicks per user, in memory that doesn't grow
 * with them: each hour and each day has two numbers.
 */
export class TimelineCounter {
  /** By the start of the hour; undefined once there were too many. */
  #hours: Map<number, Tally> | undefined = new Map<number, Tally>();
  readonly #days = new Map<number, Tally>();
  #undated = 0;
  /** With a date that can't be meant. */
  #implausible = 0;

  /** Rows of recipients: each that was opened counts once, at the date that the service keeps. */
  addRecipients(rows: readonly Row[]): void {
    for (const row of rows) {
      const date = valueOf('user', row, 'openDate');
      if (isOpened(valueOf('user', row, 'opens'), date)) this.#add('opens', date);
    }
  }

  /** Rows of the clicks per user: each link that a recipient clicked counts once. */
  addClicks(rows: readonly Row[]): void {
    for (const row of rows) if (clicksIn(row) > 0) this.#add('clicks', valueOf('click', row, 'clickDate'));
  }

  /** What was counted so far. */
  timeline({ read, of, complete }: Progress): Timeline {
    const days = [...this.#days.keys()].sort((a, b) => a - b);
    const [first = 0, last = 0] = [days[0], days.at(-1)];
    const hours = this.#hours === undefined ? [] : [...this.#hours.keys()].sort((a, b) => a - b);
    const isHourly = hours.length > 0 && (hours.at(-1) ?? 0) - (hours[0] ?? 0) < hourlySpan;
    const [from, to] = isHourly ? [hours[0] ?? 0, hours.at(-1) ?? 0] : this.#busiest(days);
    const points =
      days.length === 0
        ? []
        : pointsOf(isHourly ? (this.#hours ?? this.#days) : this.#days, from, to, isHourly ? hour : day);
    const shown = points.reduce((sum, { opens, clicks }) => sum + opens + clicks, 0);
    const dated = [...this.#days.values()].reduce((sum, { opens, clicks }) => sum + opens + clicks, 0);
    return {
      unit: isHourly ? 'hour' : 'day',
      points,
      meaning: meaningOf({ outside: dated - shown, first, last, implausible: this.#implausible, from, to }),
      read,
      ...(of === undefined ? {} : { of }),
      complete,
      undated: this.#undated + this.#implausible,
    };
  }

  #add(what: What, date: unknown): void {
    const time = isNothing(date) ? undefined : momentOf(date);
    if (time === undefined) this.#undated += 1;
    else if (time === null) this.#implausible += 1;
    else {
      count(this.#days, time - (time % day), what);
      if (this.#hours === undefined) return;
      count(this.#hours, time - (time % hour), what);
      if (this.#hours.size > mostHours) this.#hours = undefined;
    }
  }

  /** The first and last day of the time in which most happened, no longer than can be shown. */
  #busiest(days: readonly number[]): [from: number, to: number] {
    let best = { sum: -1, from: 0, to: 0 };
    let sum = 0;
    let start = 0;
    for (const [end, to] of days.entries()) {
      sum += this.#sum(to);
      while (to - (days[start] ?? to) >= mostDays * day) {
        sum -= this.#sum(days[start] ?? to);
        start += 1;
      }
      if (sum > best.sum) best = { sum, from: days[start] ?? to, to: days[end] ?? to };
    }
    return [best.from, best.to];
  }

  #sum(at: number): number {
    const { opens, clicks } = this.#days.get(at) ?? { opens: 0, clicks: 0 };
    return opens + clicks;
  }
}

/** Whether a recipient opened the message: the service says how often, or else when. */
function isOpened(opens: unknown, date: unknown): boolean {
  const number = numberOf(opens);
  return number === undefined ? !isNothing(date) && momentOf(date) !== undefined : number > 0;
}

function count(tallies: Map<number, Tally>, at: number, what: What): void {
  const tally = tallies.get(at) ?? { opens: 0, clicks: 0 };
  tally[what] += 1;
  tallies.set(at, tally);
}

function labelOf(time: number, step: number): string {
  const text = new Date(time).toISOString();
  return formatDateTime(text.slice(0, step === day ? 10 : 16)) ?? text;
}

function pointsOf(
  tallies: ReadonlyMap<number, Tally>,
  from: number,
  to: number,
  step: number,
): Timeline['points'][number][] {
  return Array.from({ length: Math.round((to - from) / step) + 1 }, (_, at) => {
    const time = from + at * step;
    const { opens, clicks } = tallies.get(time) ?? { opens: 0, clicks: 0 };
    return { time, label: labelOf(time, step), opens, clicks };
  });
}

interface Left {
  /** Dated opens and clicks that are not among the points. */
  readonly outside: number;
  readonly first: number;
  readonly last: number;
  readonly implausible: number;
  readonly from: number;
  readonly to: number;
}

function meaningOf({ outside, first, last, implausible, from, to }: Left): string {
  const sentences = [
    'The service keeps one date for each recipient who opened and one for each link that a recipient clicked: each is counted once.',
  ];
  const both = (number: number): string => formatAmount(number, 'open or click', 'opens and clicks');
  const days = (start: number, word: string, end: number): string =>
    `${labelOf(start, day)} ${word} ${labelOf(end, day)}`;
  if (outside > 0)
    sentences.push(
      `${both(outside)} between ${days(first, 'and', last)} lie outside the days shown, ${days(from, 'to', to)}.`,
    );
  if (implausible > 0) sentences.push(`${both(implausible)} have a date that can’t be meant, and count as undated.`);
  return sentences.join(' ');
}
