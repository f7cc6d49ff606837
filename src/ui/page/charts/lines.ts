import { formatNumber, formatPair, localized } from '../../../l10n.ts';
import { createSvg } from '../dom.ts';
import { createLabel, getSeriesClass, textWidth, type Drawing } from './svg.ts';

/** Returns the ticks of a count axis in steps of 1, 2 or 5 times a power of ten, with at most `maxTicks` above 0. The last one is at least `high`. */
export function getCountTicks(high: number, maxTicks: number): number[] {
  const top = Math.max(1, Math.ceil(high));
  const rough = top / Math.max(1, maxTicks);
  const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? power * 10;
  return Array.from({ length: Math.ceil(top / step) + 1 }, (_, index) => index * step);
}

const UNIT_MS = { hour: 3_600_000, day: 86_400_000 };
type TimeUnit = keyof typeof UNIT_MS;

/** Possible distances of time labels, in units. */
const labelDistances = {
  hour: [1, 2, 3, 6, 12, 24, 48, 168],
  day: [1, 2, 7, 14, 28, 91, 182, 364],
};

/**
 * Returns the times to label on an axis, at round distances.
 * @param first, last milliseconds since 1970 of the local clock, as if it were UTC
 * @param maxLabels number of labels that fit side by side
 */
export function getTimeTicks(first: number, last: number, unit: TimeUnit, maxLabels: number): number[] {
  const wanted = (last - first) / Math.max(1, maxLabels);
  const distance =
    labelDistances[unit].map((count) => count * UNIT_MS[unit]).find((each) => each >= wanted) ??
    Math.ceil(wanted / UNIT_MS.day / 364) * 364 * UNIT_MS.day;
  // Hours start at midnight, days at the first shown one, because weeks have no natural start here.
  const start = unit === 'hour' ? Math.ceil(first / distance) * distance : first;
  return Array.from({ length: Math.floor((last - start) / distance) + 1 }, (_, index) => start + index * distance);
}

const dateFormat = localized(
  (language) => new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
);
const clockFormat = localized(
  (language) =>
    new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' }),
);

/** Formats a time: midnights and days as a date, hours as a time of day. */
function formatTimeLabel(time: number, unit: TimeUnit) {
  return (unit === 'hour' && time % UNIT_MS.day !== 0 ? clockFormat() : dateFormat()).format(time);
}

interface LinePoint {
  /** Milliseconds since 1970 of the local clock, as if it were UTC. */
  readonly time: number;
  readonly label: string;
  /** One for each series. */
  readonly values: readonly number[];
}

interface Lines {
  readonly unit: TimeUnit;
  /** `series` is the index of the color. */
  readonly lines: readonly { readonly label: string; readonly series: number }[];
  readonly points: readonly LinePoint[];
}

const compactFormat = localized((language) => new Intl.NumberFormat(language, { notation: 'compact' }));

/** Margins of the lines. The crosshair has the same ones. */
const [TOP_PX, RIGHT_PX, BOTTOM_PX] = [8, 6, 24];

/** Creates a chart of counts over time: a line with its area for each series. */
export function createLineDrawing({ unit, lines, points }: Lines): Drawing {
  return (width, plot) => {
    const height = Math.round(Math.min(280, Math.max(160, width * 0.42)));
    const ticks = getCountTicks(Math.max(0, ...points.flatMap(({ values }) => values)), Math.floor((height - 40) / 34));
    const left = Math.ceil(Math.max(...ticks.map((tick) => textWidth(compactFormat().format(tick), plot)))) + 8;
    const [begin, end] = [points[0]?.time ?? 0, points.at(-1)?.time ?? 0];
    // A single point is centered.
    const margin = begin === end ? UNIT_MS[unit] : 0;
    const [first, last] = [begin - margin, end + margin];
    const [plotWidth, bottom] = [width - left - RIGHT_PX, height - BOTTOM_PX];
    const x = (time: number) => left + ((time - first) / (last - first)) * plotWidth;
    const y = (value: number) => bottom - (value / (ticks.at(-1) ?? 1)) * (bottom - TOP_PX);
    const svg = createSvg('svg', { width, height });
    for (const tick of ticks)
      svg.append(
        createSvg('path.chart-grid', { d: `M${left} ${y(tick)}h${plotWidth}` }),
        createLabel(compactFormat().format(tick), left - 8, y(tick) + 4, { anchor: 'end' }),
      );
    lines.forEach(({ series }, index) => {
      const places = points.map(({ time, values }) => `${x(time)} ${y(values[index] ?? 0)}`);
      const path = `M${places.join('L')}`;
      const group = createSvg(
        'g',
        { class: getSeriesClass(series) },
        createSvg('path.chart-area', { d: `${path}V${bottom}H${x(begin)}Z` }),
        createSvg('path.chart-line', { d: path }),
      );
      // Dense dots would hide the line.
      if (points.length === 1 || points.length * 10 <= plotWidth)
        group.append(createSvg('path.chart-point', { d: places.map((place) => `M${place}h.01`).join('') }));
      svg.append(group);
    });
    const labelWidth = textWidth(formatTimeLabel(first - (first % UNIT_MS.day), unit), plot) + 22;
    for (const time of getTimeTicks(first, last, unit, Math.max(1, Math.floor(plotWidth / labelWidth)))) {
      const text = formatTimeLabel(time, unit);
      const half = textWidth(text, plot) / 2;
      svg.append(createLabel(text, Math.min(width - half, Math.max(half, x(time))), bottom + 18, { anchor: 'middle' }));
    }
    const marks = points.map(({ time, label: title, values }) => ({
      x: x(time),
      y: y(Math.max(...values)),
      title,
      lines: lines.map(({ label }, index) => formatPair(label, formatNumber(values[index] ?? 0))),
    }));
    return { svg, marks, along: 'x' };
  };
}
