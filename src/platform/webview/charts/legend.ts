import { SeriesFills, getSeriesClass } from './series.ts';
import { createSvg } from './svg.ts';

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
      createSvg(
        'g',
        { class: `${getSeriesClass(series)} line-${line}` },
        createSvg('path', { d: `M0 ${height / 2}H${width}`, class: 'ct-line' }),
      ),
    ];
  const fills = new SeriesFills(series + 1);
  return [
    fills.defs,
    createSvg(
      'g',
      { class: getSeriesClass(series) },
      createSvg('rect', { width, height, rx: 2, class: 'bar', fill: fills.fill(series) }),
    ),
  ];
}

export function legendSample(item: LegendItem): SVGSVGElement {
  const { width, height } = sampleSize;
  return createSvg('svg', { class: 'sample', width, height, viewBox: `0 0 ${width} ${height}` }, ...sampleParts(item));
}
