/** The attributes of an element. Undefined ones are left out. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** A child of an element. A string becomes text, never markup. `undefined` and `false` are left out. */
type Child = Node | string | undefined | false;

export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes?: Attributes,
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(name), attributes, children);
}

export function createSvg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes?: Attributes,
  ...children: readonly Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function fill<E extends Element>(element: E, attributes: Attributes = {}, children: readonly Child[]) {
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined) element.setAttribute(key, String(value));
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

/** Creates a sample of a color (`#rrggbb`). */
export function createColorSample(color: string | undefined): HTMLElement {
  const sample = make('i', { class: 'swatch', 'aria-hidden': 'true' });
  sample.style.background = color ?? '';
  return sample;
}

/** Creates a list of names and values. */
export function createDefinitions(entries: readonly (readonly [name: string, value: string])[]): HTMLElement {
  return make('dl', {}, ...entries.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]));
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
