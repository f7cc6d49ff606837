import { getOverlap } from './heatBoxes.ts';
import type { Box } from './heatBoxes.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A badge to place at the first box of a link. `sizes` are those of its texts, longest first. */
export interface Badge {
  readonly boxes: readonly [Box, ...Box[]];
  readonly sizes: readonly Size[];
}

/** The position of a badge, and the index of the text that fits. */
export interface PlacedBadge {
  readonly left: number;
  readonly top: number;
  readonly text: number;
}

/** How far a badge extends beyond its link's corner. */
const OVERHANG_PX = 6;
/** Height of the horizontal bands that index the occupied boxes. */
const BAND_HEIGHT_PX = 64;

/** A box this many times as high as its badge is not a line of text. The badge may cover it. */
const LARGE_BOX_RATIO = 1.7;

const isLarge = ({ height }: Box, size: Size): boolean => height >= size.height * LARGE_BOX_RATIO;

type BadgePosition = readonly [left: number, top: number];

/** Returns positions on a link's corners, the best first. */
function getCornerPositions({ left, top, width, height }: Box, size: Size, most: number): BadgePosition[] {
  const [start, end] = [left - OVERHANG_PX, left + width - size.width + OVERHANG_PX].map((x) =>
    Math.max(0, Math.min(x, most)),
  ) as [number, number];
  const [above, below] = [Math.max(0, top - size.height / 2), top + height - size.height / 2];
  return [
    [end, above],
    [end, below],
    [start, above],
    [start, below],
  ];
}

/** Returns positions beside a line of text, so that it stays readable, the best first. */
function getAdjacentPositions({ left, top, width, height }: Box, size: Size, most: number): BadgePosition[] {
  const [middle, end] = [top + (height - size.height) / 2, Math.max(0, Math.min(left + width - size.width, most))];
  const all: BadgePosition[] = [
    [left + width + 3, middle],
    [end, top - size.height - 1],
    [left - size.width - 3, middle],
    [end, top + height + 1],
  ];
  return all.filter(([x, y]) => x >= 0 && x <= most && y >= 0);
}

/** The occupied boxes, indexed by band so that a lookup doesn't compare thousands of badges. */
class OccupiedArea {
  readonly #bands = new Map<number, Box[]>();

  #getBands({ top, height }: Box): number[] {
    const first = Math.floor(top / BAND_HEIGHT_PX);
    return Array.from({ length: Math.floor((top + height) / BAND_HEIGHT_PX) - first + 1 }, (_, at) => first + at);
  }

  isFree(box: Box): boolean {
    return !this.#getBands(box).some((band) => this.#bands.get(band)?.some((other) => getOverlap(other, box) > 0));
  }

  occupy(box: Box): void {
    for (const band of this.#getBands(box)) {
      const boxes = this.#bands.get(band);
      if (boxes) boxes.push(box);
      else this.#bands.set(band, [box]);
    }
  }
}

/**
 * Places badges so that none covers another, and none covers the text of a link if there is room elsewhere. Earlier badges take precedence. Returns
 * undefined for a badge without room. `width` is the email's, in its own pixels.
 */
export function placeBadges(badges: readonly Badge[], width: number): (PlacedBadge | undefined)[] {
  const badgeArea = new OccupiedArea();
  const lineArea = new OccupiedArea();
  for (const {
    boxes,
    sizes: [size],
  } of badges)
    for (const box of boxes) if (size && !isLarge(box, size)) lineArea.occupy(box);
  return badges.map(({ boxes: [box], sizes }) => {
    for (const mayCover of [false, true]) {
      for (const [text, size] of sizes.entries()) {
        const most = width - size.width;
        for (const [left, top] of isLarge(box, size) || mayCover
          ? getCornerPositions(box, size, most)
          : getAdjacentPositions(box, size, most)) {
          const place = { left, top, ...size };
          if (!badgeArea.isFree(place) || !(mayCover || lineArea.isFree(place))) continue;
          badgeArea.occupy(place);
          return { left, top, text };
        }
      }
    }
    return undefined;
  });
}
