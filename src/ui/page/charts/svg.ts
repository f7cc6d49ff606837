import { createSvg, type Attributes } from '../dom.ts';

/** A value and its position in a chart. */
export interface Mark {
  /** In pixels. */
  readonly x: number;
  readonly y: number;
  readonly title: string;
  readonly lines: readonly string[];
}

/** The axis along which marks follow each other. */
export type Axis = 'x' | 'y';

/** Draws a chart of a width for an element, whose font it has. */
export type Drawing = (
  width: number,
  plot: HTMLElement,
) => { readonly svg: SVGSVGElement; readonly marks: readonly Mark[]; readonly along: Axis };

/** Returns the index of the mark nearest to a coordinate, or -1 if there is none. */
export function findNearest(marks: readonly Mark[], place: number, along: Axis): number {
  const distances = marks.map((mark) => Math.abs(mark[along] - place));
  return distances.indexOf(Math.min(...distances));
}

/** Creates a text at a position. `anchor` is the end of the text at this position. */
export function createLabel(
  text: string,
  x: number,
  y: number,
  { anchor = 'start', kind = 'label' }: { readonly anchor?: 'start' | 'middle' | 'end'; readonly kind?: string } = {},
): SVGTextElement {
  return createSvg('text', { x, y, 'text-anchor': anchor, class: kind }, text);
}

let ruler: CanvasRenderingContext2D | null | undefined;

/** Returns the width of a text in pixels, with the font of an element. */
export function textWidth(text: string, beside: Element): number {
  ruler ??= document.createElement('canvas').getContext('2d');
  if (!ruler) return text.length * 7;
  const { fontSize, fontFamily } = getComputedStyle(beside);
  ruler.font = `${fontSize} ${fontFamily}`;
  return ruler.measureText(text).width;
}

/** Longer texts fit in no chart. */
const MAX_FITTED_CHARS = 400;

/** Truncates a text to a width in pixels. */
export function fitText(text: string, maxWidth: number, beside: Element): string {
  if (text.length <= MAX_FITTED_CHARS && textWidth(text, beside) <= maxWidth) return text;
  const shown = [...text].slice(0, MAX_FITTED_CHARS);
  while (shown.length > 0 && textWidth(`${shown.join('')}…`, beside) > maxWidth) shown.pop();
  return `${shown.join('').trimEnd()}…`;
}

/** Pattern strokes in a square of 8 over the lightened color of a series, so that color is not the only distinction. */
const patternStrokes: readonly (readonly string[])[] = [
  [],
  ['M-2 2 2-2M0 8 8 0M6 10 10 6'],
  ['M4 0V8'],
  ['M-2 6 2 10M0 0 8 8M6-2 10 2', 'M-2 2 2-2M0 8 8 0M6 10 10 6'],
  ['M0 4H8'],
];

/** Returns the class that sets the color of a series. */
export function getSeriesClass(series: number): string {
  return `series series-${series % patternStrokes.length}`;
}

let fillsCount = 0;

/** Creates the fill patterns of a chart's series. Insert `defs` into the drawing. */
export function createFills(count: number) {
  const id = `pattern${(fillsCount += 1)}`;
  const size = { width: 8, height: 8 };
  const patterns = patternStrokes
    .slice(0, count)
    .map((strokes, series) =>
      createSvg(
        'pattern',
        { id: `${id}-${series}`, ...size, patternUnits: 'userSpaceOnUse', class: getSeriesClass(series) },
        createSvg('rect', { ...size, class: strokes.length === 0 ? 'pattern-solid' : 'pattern-ground' }),
        ...strokes.map((d) => createSvg('path.pattern-line', { d })),
      ),
    );
  return {
    defs: createSvg('defs', ...patterns),
    /** Creates a rectangle in the color and pattern of a series. */
    createRect: (series: number, rect: Attributes) => {
      const fill = `url(#${id}-${series % patternStrokes.length})`;
      return createSvg('rect.bar', { ...rect, rx: 2, fill });
    },
  };
}

export interface LegendItem {
  readonly label: string;
  /** Index of the color. */
  readonly series: number;
  /** Whether the series is a line. */
  readonly isLine?: boolean;
}

/** Size of a legend sample in pixels. */
const sampleSize = { width: 18, height: 10 } as const;

/** Creates a series' legend sample. */
export function createSample({ series, isLine }: LegendItem): SVGSVGElement {
  const { width, height } = sampleSize;
  const group = createSvg('g', { class: getSeriesClass(series) });
  const sample = createSvg('svg.sample', { ...sampleSize, viewBox: `0 0 ${width} ${height}` }, group);
  if (isLine) group.append(createSvg('path.chart-line', { d: `M0 ${height / 2}H${width}` }));
  else {
    const fills = createFills(series + 1);
    group.append(fills.defs, fills.createRect(series, sampleSize));
  }
  return sample;
}
