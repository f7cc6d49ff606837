import { BarChart, FixedScaleAxis } from 'chartist';
import type { Drawing, Mark } from './valueReadout.ts';
import { SeriesFills, getSeriesClass } from './series.ts';
import { createSvg, fitText, createLabel, textWidth } from './svg.ts';

interface Bar {
  /** 0 to 1, or null if unknown. */
  readonly length: number | null;
  /** The text beside the bar. */
  readonly text: string;
  /** The spoken value: "Spring sale: 31.2%". */
  readonly spoken: string;
}

/** A group with one bar for each series. */
interface BarGroup {
  readonly label: string;
  readonly bars: readonly Bar[];
}

const [lineHeight, groupGap, barGap] = [20, 14, 4];
const getThickness = (series: number): number => (series === 1 ? 14 : 12);

const getGroupHeight = (series: number): number =>
  lineHeight + series * getThickness(series) + (series - 1) * barGap + groupGap;

/**
 * Creates a chart of horizontal bars below their group's name, which can use the full width of a side bar. A single bar's value is beside the name,
 * several bars have theirs at their ends.
 */
export function createBarDrawing(groups: readonly BarGroup[]): Drawing {
  const series = Math.max(1, ...groups.map(({ bars }) => bars.length));
  return {
    height: () => Math.max(1, groups.length) * getGroupHeight(series) - groupGap + 1,
    draw: (plot, width, done) => drawBars(plot, width, groups, series, done),
  };
}

function drawBars(
  plot: HTMLElement,
  width: number,
  groups: readonly BarGroup[],
  series: number,
  done: (marks: readonly Mark[]) => void,
): void {
  const step = getGroupHeight(series);
  const isAlone = series === 1;
  const valueWidth = isAlone
    ? 0
    : Math.ceil(Math.max(...groups.flatMap(({ bars }) => bars.map(({ text }) => textWidth(text, plot))))) + 8;
  // Chartist lays out groups and series from the bottom.
  const fromBelow = groups.toReversed();
  const data = {
    labels: fromBelow.map(({ label: name }) => name),
    series: Array.from({ length: series }, (_, at) => fromBelow.map(({ bars }) => bars[series - 1 - at]?.length ?? 0)),
  };
  const hiddenAxis = { offset: 0, showLabel: false, showGrid: false };
  const chart = new BarChart(plot, data, {
    horizontalBars: true,
    width: `${width}px`,
    height: `${groups.length * step}px`,
    low: 0,
    high: 1,
    seriesBarDistance: getThickness(series) + barGap,
    chartPadding: { top: 0, right: valueWidth, bottom: 0, left: 0 },
    axisX: { ...hiddenAxis, type: FixedScaleAxis, ticks: [] },
    axisY: hiddenAxis,
  });
  const fills = new SeriesFills(series);
  const marks: Mark[] = [];
  chart.on('draw', (event) => {
    if (event.type !== 'bar') return;
    const { x1, x2, y1, index, seriesIndex, element, group, chartRect } = event;
    const at = series - 1 - seriesIndex;
    const name = fromBelow[index];
    const bar = name?.bars[at];
    if (!name || !bar) return;
    // Offset from the middle of the group to the middle of its bars, below the name.
    const middle = y1 + (lineHeight - groupGap) / 2;
    const [top, height] = [middle - getThickness(series) / 2, getThickness(series)];
    const length = Math.max(0, x2 - x1);
    const node = group.getNode();
    element.remove();
    node.setAttribute('class', getSeriesClass(at));
    node.append(createSvg('rect', { x: x1, y: top, width: chartRect.width(), height, rx: 2, class: 'track' }));
    if (length > 0)
      node.append(
        createSvg('rect', {
          x: x1,
          y: top,
          width: Math.max(2, length),
          height,
          rx: 2,
          class: 'bar',
          fill: fills.fill(at),
        }),
      );
    if (!isAlone) node.append(createLabel(bar.text, x1 + chartRect.width() + 8, middle + 4, { kind: 'label value' }));
    marks.push({ x: x1 + length, y: middle, title: name.label, lines: [bar.spoken] });
  });
  chart.on('created', ({ svg }) => {
    const node = svg.getNode();
    node.prepend(fills.defs);
    groups.forEach(({ label: name, bars: [first] }, at) => {
      const y = at * step + 13;
      const value = isAlone ? (first?.text ?? '') : '';
      node.append(createLabel(fitText(name, width - textWidth(value, plot) - 12, plot), 0, y, { kind: 'label name' }));
      if (value !== '') node.append(createLabel(value, width, y, { anchor: 'end', kind: 'label value' }));
    });
    done(marks.toSorted((one, other) => one.y - other.y));
    // The card redraws on resize, so Chartist must not.
    queueMicrotask(() => setTimeout(() => chart.detach()));
  });
}
