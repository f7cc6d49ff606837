import { t } from '@vscode/l10n';
import { plural } from '../../../l10n.ts';
import { formatServiceDateTime, parseServiceDateTime } from '../../../service/format.ts';
import type { StatisticsRow } from '../../../service/statistics/model.ts';
import type { ActivityTimeline } from '../model.ts';

import { parseNumber, readClickCount } from '../../../service/statistics/counts.ts';

interface EventCounts {
  opens: number;
  clicks: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longer timelines are shown by day. */
const MAX_HOURLY_SPAN_MS = 4 * DAY_MS;
/** Events outside these days are only mentioned in the explanation. */
const MAX_SPAN_MS = 400 * DAY_MS;
/** Dates outside this range are mistakes. They also limit the number of hours in memory. */
const [MIN_TIME_MS, MAX_TIME_MS] = [Date.UTC(1995, 0, 1), Date.UTC(2100, 0, 1)];

type TimelineProgress = Pick<ActivityTimeline, 'readCount' | 'totalCount' | 'isComplete'>;

/** Counts opens and clicks over time. */
export class TimelineCounter {
  /** By the start of the hour, in the service's local time treated as UTC. */
  readonly #hours = new Map<number, EventCounts>();
  #undated = 0;
  /** Number of events with an implausible date. */
  #implausible = 0;

  /** Counts one open for each recipient who opened the message, at the only date that the service stores. */
  addRecipients(rows: readonly StatisticsRow[]): void {
    for (const { open, open_date: date } of rows) if ((parseNumber(open) ?? 0) > 0) this.#add('opens', date);
  }

  /** Counts one click for each link that a recipient clicked. */
  addClicks(rows: readonly StatisticsRow[]): void {
    for (const row of rows) if (readClickCount(row) > 0) this.#add('clicks', row['date_click']);
  }

  /** Returns the timeline of all rows added so far. */
  createTimeline(progress: TimelineProgress): ActivityTimeline {
    const hours = [...this.#hours].sort(([a], [b]) => a - b);
    const isHourly = (hours.at(-1)?.[0] ?? Infinity) - (hours[0]?.[0] ?? 0) < MAX_HOURLY_SPAN_MS;
    const step = isHourly ? HOUR_MS : DAY_MS;
    const counts = new Map<number, EventCounts>();
    for (const [hour, { opens, clicks }] of hours) {
      const count = getCount(counts, hour - (hour % step));
      count.opens += opens;
      count.clicks += clicks;
    }
    const times = [...counts.keys()];
    const [from, to] = findBusiestRange(times, counts);
    const points = Array.from({ length: times.length === 0 ? 0 : (to - from) / step + 1 }, (_, index) => {
      const time = from + index * step;
      const { opens, clicks } = counts.get(time) ?? { opens: 0, clicks: 0 };
      return { time, label: formatTimeLabel(time, isHourly ? 16 : 10), opens, clicks };
    });
    const outside = sumEvents(counts.values()) - sumEvents(points);
    const days = [times[0], times.at(-1), from, to].map((time = 0) => formatTimeLabel(time, 10));
    const sentences = [
      t(
        'The service stores one date for each recipient who opened, and one for each link that a recipient clicked. Each counts once.',
      ),
      outside > 0 &&
        plural(
          outside,
          t('{0} open or click between {1} and {2} is outside the days shown, {3} to {4}.'),
          t('{0} opens and clicks between {1} and {2} are outside the days shown, {3} to {4}.'),
          ...days,
        ),
      this.#implausible > 0 &&
        plural(
          this.#implausible,
          t('{0} open or click has an implausible date and counts as undated.'),
          t('{0} opens and clicks have an implausible date and count as undated.'),
        ),
    ];
    return {
      ...progress,
      unit: isHourly ? 'hour' : 'day',
      points,
      meaning: sentences.filter(Boolean).join(' '),
      undated: this.#undated + this.#implausible,
    };
  }

  #add(type: keyof EventCounts, date: unknown) {
    const time = typeof date === 'string' ? parseServiceDateTime(date)?.getTime() : undefined;
    if (time === undefined) this.#undated += 1;
    else if (time < MIN_TIME_MS || time >= MAX_TIME_MS) this.#implausible += 1;
    else getCount(this.#hours, time - (time % HOUR_MS))[type] += 1;
  }
}

function getCount(counts: Map<number, EventCounts>, time: number) {
  const count = counts.get(time) ?? { opens: 0, clicks: 0 };
  counts.set(time, count);
  return count;
}

function sumEvents(counts: Iterable<EventCounts>) {
  return [...counts].reduce((sum, { opens, clicks }) => sum + opens + clicks, 0);
}

/** Returns the first and last time of the range with the most events, at most `MAX_SPAN_MS` long. */
function findBusiestRange(
  times: readonly number[],
  counts: ReadonlyMap<number, EventCounts>,
): readonly [from: number, to: number] {
  const countAt = (time: number) => sumEvents([counts.get(time) ?? { opens: 0, clicks: 0 }]);
  let best = { sum: -1, range: [0, 0] as readonly [number, number] };
  let sum = 0;
  let start = 0;
  for (const to of times) {
    sum += countAt(to);
    for (; to - (times[start] ?? to) >= MAX_SPAN_MS; start += 1) sum -= countAt(times[start] ?? to);
    if (sum > best.sum) best = { sum, range: [times[start] ?? to, to] };
  }
  return best.range;
}

/** Formats the first characters of an ISO time. */
function formatTimeLabel(time: number, length: number) {
  return formatServiceDateTime(new Date(time).toISOString().slice(0, length)) ?? '';
}
