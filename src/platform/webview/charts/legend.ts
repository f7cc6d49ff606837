import { SeriesFills, getSeriesClass } from './series.ts';
import { createSvg } from './svg.ts';

export interface LegendItem {
  readonly label: string;
  /** Index of the color. */
  readonly series: number;
  /** Index of the stroke, for a line. */
  readonly line?: number;
}

/** Size of a legend sample in pixels. */
export const sampleSize = { width: 18, height: 10 } as const;

/** Returns the elements of a series' legend sample. */
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
