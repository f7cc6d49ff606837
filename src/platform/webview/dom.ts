/** Creates an element with attributes and children. Strings become text, never markup. */
export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes?: Attributes,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K];
export function make(name: string, attributes?: Attributes, ...children: readonly (Node | string)[]): HTMLElement;
export function make(name: string, attributes: Attributes = {}, ...children: readonly (Node | string)[]): HTMLElement {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export type Attributes = Readonly<Record<string, string>>;

/** Creates a 16-pixel icon in the color of the surrounding text. */
export function icon(paths: readonly string[]): SVGSVGElement {
  const namespace = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(namespace, 'svg');
  const attributes: Attributes = {
    viewBox: '0 0 16 16',
    width: '16',
    height: '16',
    fill: 'none',
    stroke: 'currentColor',
    'stroke-width': '1.1',
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
    'aria-hidden': 'true',
  };
  for (const [key, value] of Object.entries(attributes)) svg.setAttribute(key, value);
  for (const d of paths) {
    const path = document.createElementNS(namespace, 'path');
    path.setAttribute('d', d);
    svg.append(path);
  }
  return svg;
}

/** Creates a comma for screen readers, which would read visually separated parts as one word. */
export function createSpokenComma(): HTMLElement {
  return make('span', { class: 'heard' }, ', ');
}
