export type Attributes = Readonly<Record<string, string | number>>;

/** Creates an element with attributes and children. Strings become text, never markup. */
export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes?: Attributes,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K];
export function make(name: string, attributes?: Attributes, ...children: readonly (Node | string)[]): HTMLElement;
export function make(name: string, attributes?: Attributes, ...children: readonly (Node | string)[]): HTMLElement {
  return fill(document.createElement(name), attributes, children);
}

/** Creates an SVG element. Strings become text, never markup. */
export function createSvg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes?: Attributes,
  ...children: readonly (Node | string)[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function fill<E extends Element>(element: E, attributes: Attributes = {}, children: readonly (Node | string)[]): E {
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** Creates a 16-pixel icon in the color of the surrounding text. */
export function icon(paths: readonly string[]): SVGSVGElement {
  const attributes = {
    viewBox: '0 0 16 16',
    width: 16,
    height: 16,
    fill: 'none',
    stroke: 'currentColor',
    'stroke-width': 1.1,
    'stroke-linecap': 'round',
    'stroke-linejoin': 'round',
    'aria-hidden': 'true',
  };
  return createSvg('svg', attributes, ...paths.map((d) => createSvg('path', { d })));
}

/** Creates a comma for screen readers, which would read visually separated parts as one word. */
export function createSpokenComma(): HTMLElement {
  return make('span', { class: 'heard' }, ', ');
}
