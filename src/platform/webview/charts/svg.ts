const namespace = 'http://www.w3.org/2000/svg';

type SvgAttributes = Readonly<Record<string, string | number>>;

/** Creates an SVG element. Strings become text, never markup. */
export function createSvg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: SvgAttributes = {},
  ...children: readonly (Node | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
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

/** Truncates a text to a width in pixels. */
export function fitText(text: string, maxWidth: number, beside: Element): string {
  if (textWidth(text, beside) <= maxWidth) return text;
  const characters = [...text];
  let [low, high] = [0, characters.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (textWidth(`${characters.slice(0, middle).join('')}…`, beside) <= maxWidth) low = middle;
    else high = middle - 1;
  }
  return `${characters.slice(0, low).join('').trimEnd()}…`;
}
