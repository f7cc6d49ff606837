import { FixedScaleAxis, LineChart } from 'chartist';
import type { Drawing, Mark } from './valueReadout.ts';
import { getCountTicks, formatTimeLabel, getTimeTicks, UNIT_MS, type TimeUnit } from './scale.ts';
import { getSeriesClass } from './series.ts';
import { createLabel, textWidth } from './svg.ts';

interface LinePoint {
  /** Milliseconds since 1970 of the local clock, as if it were UTC. */
  readonly time: number;
  readonly title: string;
  /** One for each series. */
  readonly values: readonly number[];
}

interface Lines {
  readonly unit: TimeUnit;
  readonly names: readonly string[];
  /** Color index of each series. */
  readonly colors: readonly number[];
  readonly points: readonly LinePoint[];
}

const valueFormat = new Intl.NumberFormat();
const compactFormat = new Intl.NumberFormat(undefined, { notation: 'compact' });

/** Creates a chart of counts over time: a line for each series, the first one with its area. */
export function createLineDrawing(lines: Lines): Drawing {
  return {
    height: (width) => Math.round(Math.min(280, Math.max(160, width * 0.42))),
    draw: (plot, width, done) => drawLines(plot, width, lines, done),
  };
}

function drawLines(
  plot: HTMLElement,
  width: number,
  { unit, names, colors, points }: Lines,
  done: (marks: readonly Mark[]) => void,
): void {
  const height = createLineDrawing({ unit, names, colors, points }).height(width);
  const ticks = getCountTicks(Math.max(0, ...points.flatMap(({ values }) => values)), Math.floor((height - 40) / 34));
  const high = ticks.at(-1) ?? 1;
  const left = Math.ceil(Math.max(...ticks.map((tick) => textWidth(compactFormat.format(tick), plot)))) + 8;
  const [begin, end] = [points[0]?.time ?? 0, points.at(-1)?.time ?? 0];
  // A single point is centered.
  const [first, last] = begin === end ? [begin - UNIT_MS[unit], end + UNIT_MS[unit]] : [begin, end];
  const plotWidth = width - left - 6;
  const labeledTimes = getTimeTicks(
    first,
    last,
    unit,
    Math.max(1, Math.floor(plotWidth / (textWidth(formatTimeLabel(first - (first % 86_400_000), unit), plot) + 22))),
  );
  // Dense dots would hide the line.
  const isSparse = points.length * 10 <= plotWidth;
  const chart = new LineChart(
    plot,
    {
      series: names.map((name, series) => ({
        name,
        className: `${getSeriesClass(colors[series] ?? series)} line-${series}`,
        data: points.map(({ time, values }) => ({ x: time, y: values[series] ?? 0 })),
      })),
    },
    {
      width: `${width}px`,
      height: `${height}px`,
      lineSmooth: false,
      showArea: true,
      showPoint: isSparse || points.length === 1,
      chartPadding: { top: 8, right: 6, bottom: 0, left: 0 },
      axisX: {
        type: FixedScaleAxis,
        low: first,
        high: last,
        ticks: labeledTimes,
        offset: 24,
        showLabel: false,
        showGrid: false,
      },
      axisY: { type: FixedScaleAxis, low: 0, high, ticks, offset: left, showLabel: false, showGrid: true },
    },
  );
  chart.on('created', ({ svg, axisX, axisY, chartRect }) => {
    const node = svg.getNode();
    const x = (time: number): number => chartRect.x1 + axisX.projectValue({ x: time, y: 0 });
    const y = (value: number): number => chartRect.y1 - axisY.projectValue({ x: 0, y: value });
    for (const tick of ticks)
      node.append(createLabel(compactFormat.format(tick), left - 8, y(tick) + 4, { anchor: 'end' }));
    for (const time of labeledTimes) {
      const text = formatTimeLabel(time, unit);
      const half = textWidth(text, plot) / 2;
      node.append(
        createLabel(text, Math.min(width - half, Math.max(half, x(time))), chartRect.y1 + 18, { anchor: 'middle' }),
      );
    }
    done(
      points.map(({ time, title, values }): Mark => ({
        x: x(time),
        y: y(Math.max(...values)),
        title,
        lines: names.map((name, series) => `${name}: ${valueFormat.format(values[series] ?? 0)}`),
      })),
    );
    queueMicrotask(() => setTimeout(() => chart.detach()));
  });
}
