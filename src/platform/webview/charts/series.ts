import { createSvg } from './svg.ts';

/** Number of distinct colors and patterns. */
const MAX_SERIES = 5;

let patternCount = 0;

/** Pattern strokes in a square of 8 over the lightened color of a series, so that color is not the only distinction. */
const patternStrokes: readonly (readonly string[])[] = [
  [],
  ['M-2 2 2-2M0 8 8 0M6 10 10 6'],
  ['M4 0V8'],
  ['M-2 6 2 10M0 0 8 8M6-2 10 2', 'M-2 2 2-2M0 8 8 0M6 10 10 6'],
  ['M0 4H8'],
];

/** The fill patterns of a chart's series. Insert `defs` into the drawing. */
export class SeriesFills {
  readonly defs = createSvg('defs');
  readonly #id = `pattern${(patternCount += 1)}`;

  constructor(count: number) {
    for (let series = 0; series < Math.min(count, MAX_SERIES); series += 1) {
      const lines = (patternStrokes[series] ?? []).map((d) => createSvg('path', { d, class: 'pattern-line' }));
      const ground = createSvg('rect', {
        width: 8,
        height: 8,
        class: lines.length === 0 ? 'pattern-solid' : 'pattern-ground',
      });
      this.defs.append(
        createSvg(
          'pattern',
          {
            id: `${this.#id}-${series}`,
            width: 8,
            height: 8,
            patternUnits: 'userSpaceOnUse',
            class: getSeriesClass(series),
          },
          ground,
          ...lines,
        ),
      );
    }
  }

  fill(series: number): string {
    return `url(#${this.#id}-${series % MAX_SERIES})`;
  }
}

/** Returns the class that sets the color of a series. */
export function getSeriesClass(series: number): string {
  return `series series-${series % MAX_SERIES}`;
}
