import {
  formatHex,
  invertLightness,
  parseColor,
  parseTransparentColor,
  toOutlookDarkColor,
  type Color,
} from '../checks/color.ts';
import { parseStyleAttribute } from '../checks/css.ts';
import { escapeHtml } from '../compose/compose.ts';
import { insertEdit, memoizeByText, type TextEdit } from '../html/text.ts';
import {
  createAttributeEdits,
  listPlacedElements,
  restyleElements,
  type PlacedElement,
  type Restyling,
} from './edits.ts';

/** The color scheme of the email. A frame can't have its own preference, so media queries for it are rewritten. */
export type Scheme = 'light' | 'dark';

const schemeQuery = /\(\s*prefers-color-scheme\s*(?::\s*([a-z-]+)\s*)?\)/gi;

/** Replaces each query for the preferred color scheme by one that is always true or always false. */
export function resolveSchemeQueries(media: string, scheme: Scheme): string {
  return media.replace(schemeQuery, (_all, requested?: string) =>
    requested === undefined || requested.toLowerCase() === scheme ? '(min-width: 0px)' : '(max-width: 0px)',
  );
}

const CANVAS_COLOR = [255, 255, 255] as const;
const TEXT_COLOR = [0, 0, 0] as const;
const LINK_COLOR = [0, 0, 238] as const;

interface DarkMode {
  readonly convert: ConvertColor;
  readonly properties: RegExp;
  /** Whether the original colors are stored in `data-ogsc` and `data-ogsb`, which authors target in their rules. */
  readonly keepsOriginals: boolean;
}

const outlookMode: DarkMode = {
  convert: memoizeByText(toOutlookDarkColor),
  properties: /^(?:color|background|background-color)$/,
  keepsOriginals: true,
};
const gmailMode: DarkMode = {
  convert: memoizeByText(invertLightness),
  properties: /^(?:color|background|background-color|border.*|outline.*|text-decoration.*|column-rule.*)$/,
  keepsOriginals: false,
};

/** Partial inversion: converts text and background colors, but no images. */
export const createOutlookDarkEdits = (html: string): TextEdit[] => createDarkEdits(html, outlookMode);
/** Full inversion: inverts the lightness of every color. */
export const createGmailDarkEdits = (html: string): TextEdit[] => createDarkEdits(html, gmailMode);

function createDarkEdits(html: string, mode: DarkMode) {
  const restyling: Restyling = {
    mapValue: ({ property, value }) => (mode.properties.test(property) ? convertColors(value, mode.convert) : value),
    isForClient: (selector) => mode.keepsOriginals && /\[data-ogs[cb]/i.test(selector),
  };
  // Most elements share their styles with others.
  const readStyle: ReadStyle = memoizeByText(
    (style) => new Map(parseStyleAttribute(style).map(({ property, value }) => [property, value])),
  );
  const elements = listPlacedElements(html);
  const head = elements.find(({ name }) => name === 'head')?.inner.start ?? 0;
  return [
    insertEdit(head, formatCanvasStyle(mode.convert)),
    ...restyleElements(html, elements, restyling),
    ...elements
      .filter(({ name }) => name !== 'style')
      .flatMap((element) => createElementEdits(element, mode, readStyle)),
  ];
}

/** Formats default colors for emails that don't set any. */
function formatCanvasStyle(convert: ConvertColor) {
  const rgb = (color: readonly [number, number, number]) => `rgb(${convert(color).join(', ')})`;
  return `<style>html{background-color:${rgb(CANVAS_COLOR)}}body{color:${rgb(TEXT_COLOR)}}:where(a[href]){color:${rgb(LINK_COLOR)}}</style>`;
}

/** Returns the edits of an element's color attributes, and the edit that inserts its original colors. */
function createElementEdits(element: PlacedElement, mode: DarkMode, readStyle: ReadStyle) {
  const edits = ['bgcolor', 'color', 'text', 'link'].flatMap((name) => {
    const color = parseColor(element.attribute(name) ?? '');
    // Attributes accept colors as `#rrggbb` only.
    return color ? createAttributeEdits(element, name, formatHex(mode.convert(color))) : [];
  });
  const originals = mode.keepsOriginals ? formatOriginals(element, readStyle(element.attribute('style') ?? '')) : '';
  // After the attributes, not at the end of the tag: after its `/`, an SVG element would stay open.
  const end = Object.values(element.attributes ?? {}).reduce(
    (last, attribute) => Math.max(last, attribute.end),
    element.range.start + 1 + element.name.length,
  );
  return originals === '' ? edits : [...edits, insertEdit(end, originals)];
}

/** Formats the element's original colors as attributes. The body defaults to the canvas colors. */
function formatOriginals(element: PlacedElement, declared: ReturnType<ReadStyle>) {
  const isBody = element.name === 'body';
  const text =
    declared.get('color') ??
    element.attribute('color') ??
    element.attribute('text') ??
    (isBody ? '#000000' : undefined);
  const background =
    declared.get('background-color') ??
    declared.get('background') ??
    element.attribute('bgcolor') ??
    (isBody ? '#ffffff' : undefined);
  const attribute = (name: string, value: string | undefined) =>
    value === undefined ? '' : ` ${name}="${escapeHtml(value)}"`;
  return attribute('data-ogsc', text) + attribute('data-ogsb', background);
}

type ReadStyle = (style: string) => ReadonlyMap<string, string>;

type ConvertColor = (color: Color) => Color;

/** Matches CSS colors. URLs and strings come first, so color-like text inside them is skipped. A word without `#` can only be a color name. */
const colorTokenPattern =
  /url\((?:(?!url\()[^)])*\)|"[^"]*"|'[^']*'|#[\da-f]{3,8}\b|\b(?:rgb|hsl)a?\([^()]*\)|(?<![-\w.#])(?![\da-f]+\b|transparent)[a-z]+(?![-\w(])/gi;

/** Converts every color in a CSS value and keeps its transparency. */
const convertColors = (value: string, convert: ConvertColor) =>
  value.replace(colorTokenPattern, (token) => {
    const parsed = parseTransparentColor(token);
    if (!parsed) return token;
    const channels = convert(parsed.color).join(', ');
    return parsed.alpha === 1
      ? `rgb(${channels})`
      : `rgba(${channels}, ${String(parsed.alpha).replace(/^0(?=\.)/, '')})`;
  });
