/** The attributes of an element. Undefined ones are left out. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** Attributes, or a child. A string becomes text, never markup. `undefined` and `false` are left out. */
type Part = Attributes | Node | string | undefined | false;

/** Creates an element. The selector is its name and its classes: `div.row.odd`. */
export function make<K extends keyof HTMLElementTagNameMap>(
  selector: K | `${K}.${string}`,
  ...parts: readonly Part[]
): HTMLElementTagNameMap[K] {
  return assemble((name) => document.createElement(name as K), selector, parts);
}

/** Creates an element of an SVG picture. See `make`. */
export function createSvg<K extends keyof SVGElementTagNameMap>(
  selector: K | `${K}.${string}`,
  ...parts: readonly Part[]
): SVGElementTagNameMap[K] {
  return assemble((name) => document.createElementNS('http://www.w3.org/2000/svg', name as K), selector, parts);
}

function assemble<E extends Element>(create: (name: string) => E, selector: string, parts: readonly Part[]) {
  const [name = '', ...classes] = selector.split('.');
  const element = create(name);
  element.classList.add(...classes);
  for (const part of parts)
    if (typeof part === 'string' || part instanceof Node) element.append(part);
    else
      for (const [key, value] of Object.entries(part || {}))
        if (value !== undefined) element.setAttribute(key, String(value));
  return element;
}

/** Updates the page. If that replaces the focused element, the one with the same name gets the focus. */
export function keepFocus(update: () => void): void {
  const focused = document.activeElement;
  update();
  if (!focused || document.activeElement !== document.body) return;
  const getName = ({ ariaLabel, textContent }: Element) => ariaLabel ?? textContent;
  [...document.querySelectorAll<HTMLElement>(focused.localName)]
    .find((element) => getName(element) === getName(focused))
    ?.focus({ preventScroll: true });
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
