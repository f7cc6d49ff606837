/** A box in an email's document, in its own pixels, independent of scrolling. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Maximum number of measured elements in a link: an unclosed link would contain the whole email. */
const MAX_LINK_PARTS = 100;

const getArea = ({ width, height }: Box): number => width * height;

/** Returns the overlap of two boxes, in square pixels. */
export function getOverlap(one: Box, other: Box): number {
  const across = Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left);
  const down = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top);
  return across > 0 && down > 0 ? across * down : 0;
}

function getUnion(one: Box, other: Box): Box {
  const left = Math.min(one.left, other.left);
  const top = Math.min(one.top, other.top);
  return {
    left,
    top,
    width: Math.max(one.left + one.width, other.left + other.width) - left,
    height: Math.max(one.top + one.height, other.top + other.height) - top,
  };
}

/** Merges boxes that mostly overlap (a picture and its line). Lines of a text stay separate. */
export function mergeBoxes(boxes: readonly Box[]): Box[] {
  const result: Box[] = [];
  for (const box of boxes) {
    let merged = box;
    for (
      let at = result.findIndex((each) => covers(each, merged));
      at >= 0;
      at = result.findIndex((each) => covers(each, merged))
    ) {
      merged = getUnion(merged, result[at] as Box);
      result.splice(at, 1);
    }
    result.push(merged);
  }
  return result;
}

function covers(one: Box, other: Box): boolean {
  return getOverlap(one, other) > 0.5 * Math.min(getArea(one), getArea(other));
}

/** Returns the image of an image map's area. */
function findMapImage(link: Element): HTMLImageElement | undefined {
  const name = link.closest('map')?.getAttribute('name');
  if (!name) return undefined;
  return [...link.ownerDocument.images].find((image) => image.getAttribute('usemap') === `#${name}`);
}

/** Returns the element to scroll to for a link. */
export function getScrollTarget(link: Element): Element {
  return link.localName === 'area' ? (findMapImage(link) ?? link) : link;
}

/** Returns the bounding box of an image map's area (https://html.spec.whatwg.org/#image-map-processing-model), clamped to the image. */
function getAreaBoxes(link: Element, view: Window): Box[] {
  const image = findMapImage(link);
  if (!image) return [];
  const style = view.getComputedStyle(image);
  const pixels = (value: string): number => Number.parseFloat(value) || 0;
  const outer = image.getBoundingClientRect();
  const left = outer.left + image.clientLeft + pixels(style.paddingLeft);
  const top = outer.top + image.clientTop + pixels(style.paddingTop);
  const width = image.clientWidth - pixels(style.paddingLeft) - pixels(style.paddingRight);
  const height = image.clientHeight - pixels(style.paddingTop) - pixels(style.paddingBottom);
  const numbers = (link.getAttribute('coords') ?? '')
    .split(/[\s,;]+/)
    .map(Number)
    .filter(Number.isFinite);
  const [x = 0, y = 0, radius = 0] = numbers;
  const shape = (link.getAttribute('shape') ?? 'rect').toLowerCase();
  const across = shape.startsWith('circ')
    ? [x - radius, x + radius]
    : shape === 'default'
      ? [0, width]
      : numbers.filter((_, at) => at % 2 === 0);
  const down = shape.startsWith('circ')
    ? [y - radius, y + radius]
    : shape === 'default'
      ? [0, height]
      : numbers.filter((_, at) => at % 2 === 1);
  const clamp = (value: number, most: number): number => Math.min(Math.max(value, 0), most);
  const [from, to] = [clamp(Math.min(...across), width), clamp(Math.max(...across), width)];
  const [above, below] = [clamp(Math.min(...down), height), clamp(Math.max(...down), height)];
  return [{ left: left + from, top: top + above, width: to - from, height: below - above }];
}

/** Returns the boxes of a link, one for each line. Empty if the link is not visible. */
export function getLinkBoxes(link: Element): Box[] {
  const view = link.ownerDocument.defaultView;
  if (!view || !getScrollTarget(link).checkVisibility({ opacityProperty: true, visibilityProperty: true })) return [];
  const parts =
    link.localName === 'area'
      ? getAreaBoxes(link, view)
      : [link, ...[...link.querySelectorAll('*')].slice(0, MAX_LINK_PARTS)].flatMap((part) => [
          ...part.getClientRects(),
        ]);
  const { scrollX, scrollY } = view;
  const visible = parts.filter(({ width, height }) => width >= 1 && height >= 1);
  return mergeBoxes(
    visible.map(({ left, top, width, height }) => ({ left: left + scrollX, top: top + scrollY, width, height })),
  );
}
