const namespace = 'http://www.w3.org/2000/svg';

type SvgAttributes = Readonly<Record<string, string | number>>;

/** An element of a drawing; texts become text, never markup. */
export function draw<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: SvgAttributes = {},
  ...children: readonly (Node | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** Text at a place. `anchor`: which end of it is there. */
export function label(
  text: string,
  x: number,
  y: number,
  { anchor = 'start', kind = 'label' }: { readonly anchor?: 'start' | 'middle' | 'end'; readonly kind?: string } = {},
): SVGTextElement {
  return draw('text', { x, y, 'text-anchor': anchor, class: kind }, text);
}

let ruler: CanvasRenderingContext2D | null | undefined;

/** How wide a text is in the chart that an element stands in, in px. */
export function textWidth(text: string, beside: Element): number {
  ruler ??= document.createElement('canvas').getContext('2d');
  if (!ruler) return text.length * 7;
  const { fontSize, fontFamily } = getComputedStyle(beside);
  ruler.font = `${fontSize} ${fontFamily}`;
  return ruler.measureText(text).width;
}

/** As much of a text as has room, in px. */
export function fitted(text: string, room: number, beside: Element): string {
  if (textWidth(text, beside) <= room) return text;
  const signs = [...text];
  let [low, high] = [0, signs.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (textWidth(`${signs.slice(0, middle).join('')}…`, beside) <= room) low = middle;
    else high = middle - 1;
  }
  return `${signs.slice(0, low).join('').trimEnd()}…`;
}
