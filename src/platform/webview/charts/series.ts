import { draw } from './svg.ts';

/** Series that can be told apart: as many as there are colours and patterns. */
const mostSeries = 5;

let patterns = 0;

/** What is drawn over the thinned colour of a series, in a square of 8: so colour is not all that tells them apart. */
const strokes: readonly (readonly string[])[] = [
  [],
  ['M-2 2 2-2M0 8 8 0M6 10 10 6'],
  ['M4 0V8'],
  ['M-2 6 2 10M0 0 8 8M6-2 10 2', 'M-2 2 2-2M0 8 8 0M6 10 10 6'],
  ['M0 4H8'],
];

/** Fills of the series of a chart, to be put into its drawing. `fill(i)` is that of series `i`. */
export class SeriesFills {
  readonly defs = draw('defs');
  readonly #id = `pattern${(patterns += 1)}`;

  constructor(count: number) {
    for (let series = 0; series < Math.min(count, mostSeries); series += 1) {
      const lines = (strokes[series] ?? []).map((d) => draw('path', { d, class: 'pattern-line' }));
      const ground = draw('rect', {
        width: 8,
        height: 8,
        class: lines.length === 0 ? 'pattern-solid' : 'pattern-ground',
      });
      this.defs.append(
        draw(
          'pattern',
          {
            id: `${this.#id}-${series}`,
            width: 8,
            height: 8,
            patternUnits: 'userSpaceOnUse',
            class: seriesClass(series),
          },
          ground,
          ...lines,
        ),
      );
    }
  }

  fill(series: number): string {
    return `url(#${this.#id}-${series % mostSeries})`;
  }
}

/** The class that gives an element the colour of a series. */
export function seriesClass(series: number): string {
  return `series series-${series % mostSeries}`;
}
