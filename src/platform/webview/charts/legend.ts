import { SeriesFills, seriesClass } from './series.ts';
import { draw } from './svg.ts';

export interface LegendItem {
  readonly label: string;
  /** Place among the colours. */
  readonly series: number;
  /** What the series is drawn as. `line`: place among the strokes. */
  readonly line?: number;
}

/** Size of a sample, in px. */
export const sampleSize = { width: 18, height: 10 } as const;

/** What a series looks like: a piece of it. */
export function sampleParts({ series, line }: LegendItem): SVGElement[] {
  const { width, height } = sampleSize;
  if (line !== undefined)
    return [
      draw(
        'g',
        { class: `${seriesClass(series)} line-${line}` },
        draw('path', { d: `M0 ${height / 2}H${width}`, class: 'ct-line' }),
      ),
    ];
  const fills = new SeriesFills(series + 1);
  return [
    fills.defs,
    draw(
      'g',
      { class: seriesClass(series) },
      draw('rect', { width, height, rx: 2, class: 'bar', fill: fills.fill(series) }),
    ),
  ];
}

export function legendSample(item: LegendItem): SVGSVGElement {
  const { width, height } = sampleSize;
  return draw('svg', { class: 'sample', width, height, viewBox: `0 0 ${width} ${height}` }, ...sampleParts(item));
}
