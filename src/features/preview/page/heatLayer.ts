import { make } from '../../../ui/page/dom.ts';
import { getOverlap, type Box } from './heatBoxes.ts';

/** A link's colored boxes and badge. */
export interface Spot {
  readonly boxes: readonly Box[];
  /** Texts of the badge, longest first. The first that fits is shown. */
  readonly texts: readonly string[];
  /** Share of clicks relative to the most clicked link, 0 to 1. */
  readonly heat: number;
  readonly isSelected: boolean;
}

type Size = Pick<Box, 'width' | 'height'>;

/** A badge to place at the first box of a link. `sizes` are those of its texts, longest first. */
export interface Badge {
  readonly boxes: readonly Box[];
  readonly sizes: readonly Size[];
}

/** The position of a badge, and the index of the text that fits. */
export interface PlacedBadge {
  readonly left: number;
  readonly top: number;
  readonly text: number;
}

/** Number of colors from cold to hot. */
const LEVEL_COUNT = 4;
/** How far a badge extends beyond its link's corner. */
const OVERHANG_PX = 6;
/** Height of the horizontal bands that index the occupied boxes. */
const BAND_HEIGHT_PX = 64;
/** A box this many times as high as its badge is not a line of text. The badge may cover it. */
const LARGE_BOX_RATIO = 1.7;

/** Returns the CSS class of a heat from 0 to 1. */
export function getLevelClass(heat: number): string {
  return `level${Math.min(LEVEL_COUNT - 1, Math.floor(heat * LEVEL_COUNT))}`;
}

/** The colors and numbers over the email. Hidden from screen readers, because the panel lists the same data. */
export class HeatLayer {
  readonly #scrollLayer = make('div.drift');
  readonly #ruler = make('div.badge.ruler');
  readonly element = make('div.heat', { 'aria-hidden': 'true', hidden: '' }, this.#scrollLayer, this.#ruler);
  /** Sizes of texts in screen pixels, independent of the zoom. */
  readonly #sizes = new Map<string, Size>();
  #drawn = '';

  /** Follows the email's scrolling without measuring again. */
  scroll({ scrollX, scrollY }: Window): void {
    this.#scrollLayer.style.transform = `translate(${-scrollX}px, ${-scrollY}px)`;
  }

  /** `width` is the email's, in its own pixels. `scale` is the zoom. */
  draw(spots: readonly Spot[], width: number, scale: number): void {
    this.element.style.setProperty('--scale', String(scale));
    // If there is not enough space, the most clicked links keep their badges.
    const ranked = spots
      .filter(({ boxes }) => boxes.length > 0)
      .toSorted((one, other) => Number(other.isSelected) - Number(one.isSelected) || other.heat - one.heat);
    const badges = ranked.map(({ boxes, texts }) => ({
      boxes,
      sizes: texts.map((text) => this.#measure(text, scale)),
    }));
    const places = placeBadges(badges, width);
    const getClass = ({ heat, isSelected }: Spot) => `${getLevelClass(heat)}${isSelected ? ' chosen' : ''}`;
    const marks = ranked.flatMap((spot) =>
      spot.boxes.map((box) => {
        const sides = (['left', 'top', 'width', 'height'] as const).map(
          (side) => `${side}:${Math.round(box[side] * 10) / 10}px`,
        );
        return [`spot ${getClass(spot)}`, [...sides, `--heat:${spot.heat.toFixed(2)}`].join(';'), ''] as const;
      }),
    );
    const labels = ranked.flatMap((spot, at) => {
      const { left, top, text } = places[at] ?? { left: 0, top: 0, text: -1 };
      const style = `left:${Math.round(left)}px;top:${Math.round(top)}px`;
      return spot.texts.slice(text, text + 1).map((label) => [`badge ${getClass(spot)}`, style, label] as const);
    });
    this.#render([...marks, ...labels]);
  }

  clear(): void {
    this.#render([]);
  }

  #render(items: readonly (readonly [classes: string, style: string, text: string])[]) {
    const drawn = JSON.stringify(items);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    this.#scrollLayer.replaceChildren(
      ...items.map(([classes, style, text]) => make('div', { class: classes, style }, text)),
    );
  }

  /** Returns the size of a text's badge in the email's own pixels. On the screen it is the same at any zoom. */
  #measure(text: string, scale: number): Size {
    let size = this.#sizes.get(text);
    if (!size) {
      this.#ruler.textContent = text;
      size = { width: this.#ruler.offsetWidth, height: this.#ruler.offsetHeight };
      this.#sizes.set(text, size);
    }
    return { width: size.width / scale, height: size.height / scale };
  }
}

/** The occupied boxes, indexed by band so that a lookup doesn't compare thousands of badges. */
function createOccupiedArea() {
  const bands = new Map<number, Box[]>();
  const getBands = ({ top, height }: Box) => {
    const first = Math.floor(top / BAND_HEIGHT_PX);
    return Array.from({ length: Math.floor((top + height) / BAND_HEIGHT_PX) - first + 1 }, (_, at) => {
      const boxes = bands.get(first + at) ?? [];
      bands.set(first + at, boxes);
      return boxes;
    });
  };
  return {
    isFree: (box: Box) => !getBands(box).some((boxes) => boxes.some((other) => getOverlap(other, box) > 0)),
    occupy: (box: Box) => getBands(box).forEach((boxes) => boxes.push(box)),
  };
}

type BadgePosition = readonly [left: number, top: number];

/** Returns positions on a link's corners, the best first. */
function getCornerPositions({ left, top, width, height }: Box, size: Size, most: number): readonly BadgePosition[] {
  const [start = 0, end = 0] = [left - OVERHANG_PX, left + width - size.width + OVERHANG_PX].map((x) =>
    Math.max(0, Math.min(x, most)),
  );
  const [above, below] = [Math.max(0, top - size.height / 2), top + height - size.height / 2];
  return [
    [end, above],
    [end, below],
    [start, above],
    [start, below],
  ];
}

/** Returns positions beside a line of text, so that it stays readable, the best first. */
function getAdjacentPositions({ left, top, width, height }: Box, size: Size, most: number) {
  const [middle, end] = [top + (height - size.height) / 2, Math.max(0, Math.min(left + width - size.width, most))];
  const all: readonly BadgePosition[] = [
    [left + width + 3, middle],
    [end, top - size.height - 1],
    [left - size.width - 3, middle],
    [end, top + height + 1],
  ];
  return all.filter(([x, y]) => x >= 0 && x <= most && y >= 0);
}

/**
 * Places badges so that none covers another, and none covers the text of a link if there is space elsewhere. Earlier badges take precedence. Returns
 * undefined for a badge without space. `width` is the email's, in its own pixels.
 */
export function placeBadges(badges: readonly Badge[], width: number): readonly (PlacedBadge | undefined)[] {
  const [occupied, lines] = [createOccupiedArea(), createOccupiedArea()];
  const isLarge = (box: Box, size: Size) => box.height >= size.height * LARGE_BOX_RATIO;
  for (const { boxes, sizes } of badges)
    for (const box of boxes) if (sizes[0] && !isLarge(box, sizes[0])) lines.occupy(box);
  return badges.map(({ boxes: [box], sizes }) => {
    for (const mayCover of [false, true]) {
      if (!box) break;
      for (const [text, size] of sizes.entries()) {
        const getPositions = mayCover || isLarge(box, size) ? getCornerPositions : getAdjacentPositions;
        for (const [left, top] of getPositions(box, size, width - size.width)) {
          const place = { left, top, ...size };
          if (!occupied.isFree(place) || !(mayCover || lines.isFree(place))) continue;
          occupied.occupy(place);
          return { left, top, text };
        }
      }
    }
    return undefined;
  });
}
