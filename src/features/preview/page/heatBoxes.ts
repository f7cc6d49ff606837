/** A box in an email's document, in its own pixels, independent of scrolling. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Maximum number of measured elements in a link: an unclosed link would contain the whole email. */
const MAX_LINK_PARTS = 100;

const getArea = ({ width, height }: Box) => width * height;

/** Returns the overlap of two boxes, in square pixels. */
export function getOverlap(one: Box, other: Box): number {
  const across = Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left);
  const down = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top);
  return across > 0 && down > 0 ? across * down : 0;
}

function getUnion(one: Box, other: Box): Box {
  const left = Math.min(one.left, other.left);
  const top = Math.min(one.top, other.top);
  const width = Math.max(one.left + one.width, other.left + other.width) - left;
  return { left, top, width, height: Math.max(one.top + one.height, other.top + other.height) - top };
}

const covers = (one: Box, other: Box) => getOverlap(one, other) > 0.5 * Math.min(getArea(one), getArea(other));

/** Merges boxes that mostly overlap (a picture and its line). Lines of a text stay separate. */
export function mergeBoxes(boxes: readonly Box[]): readonly Box[] {
  return boxes.reduce<readonly Box[]>(addBox, []);
}

function addBox(boxes: readonly Box[], box: Box) {
  const covered = boxes.filter((each) => covers(each, box));
  if (covered.length === 0) return [...boxes, box];
  const others = boxes.filter((each) => !covered.includes(each));
  return addBox(others, covered.reduce(getUnion, box));
}

/** Returns the element that shows a link: for an image map's area, its image. */
export function getLinkTarget(link: Element): Element {
  const name = link.localName === 'area' && link.closest('map')?.getAttribute('name');
  return (name && [...link.ownerDocument.images].find(({ useMap }) => useMap === `#${name}`)) || link;
}

/** Returns the bounding box of an image map's area (https://html.spec.whatwg.org/#image-map-processing-model), clamped to the image. */
function getAreaBox(area: Element, image: Element, view: Window): Box {
  const style = view.getComputedStyle(image);
  const [top = 0, right = 0, bottom = 0, left = 0] = ['top', 'right', 'bottom', 'left'].map(
    (side) => Number.parseFloat(style.getPropertyValue(`padding-${side}`)) || 0,
  );
  const numbers = (area.getAttribute('coords') ?? '')
    .split(/[\s,;]+/)
    .map(Number)
    .filter(Number.isFinite);
  const shape = (area.getAttribute('shape') ?? 'rect').toLowerCase();
  /** Returns the start of the area along one axis, and its length. */
  const measure = (axis: 0 | 1, most: number): readonly [start: number, length: number] => {
    const [center = 0, radius = 0] = [numbers[axis], numbers[2]];
    const edges = shape.startsWith('circ')
      ? [center - radius, center + radius]
      : shape === 'default'
        ? [0, most]
        : numbers.filter((_, at) => at % 2 === axis);
    const [from, to] = [Math.min(...edges), Math.max(...edges)].map((edge) => Math.min(Math.max(edge, 0), most));
    return [from ?? 0, (to ?? 0) - (from ?? 0)];
  };
  const outer = image.getBoundingClientRect();
  const [x, width] = measure(0, image.clientWidth - left - right);
  const [y, height] = measure(1, image.clientHeight - top - bottom);
  return { left: outer.left + image.clientLeft + left + x, top: outer.top + image.clientTop + top + y, width, height };
}

/** Returns the boxes of a link, one for each line. Empty if the link is not visible. */
export function getLinkBoxes(link: Element): readonly Box[] {
  const view = link.ownerDocument.defaultView;
  const target = getLinkTarget(link);
  if (!view || !target.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return [];
  const parts =
    target === link
      ? [link, ...[...link.querySelectorAll('*')].slice(0, MAX_LINK_PARTS)].flatMap((part) => [
          ...part.getClientRects(),
        ])
      : [getAreaBox(link, target, view)];
  const visible = parts.filter(({ width, height }) => width >= 1 && height >= 1);
  return mergeBoxes(
    visible.map(({ left, top, width, height }) => ({
      left: left + view.scrollX,
      top: top + view.scrollY,
      width,
      height,
    })),
  );
}
