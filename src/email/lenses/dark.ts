import { invertLightness, toOutlookDarkColor as outlookColor, parseColor } from '../checks/color.ts';
import type { Color } from '../checks/color.ts';
import { parseStyleAttribute } from '../checks/css.ts';
import { escapeHtml } from '../compose/compose.ts';
import type { TextEdit } from '../tags/index.ts';
import { createAttributeEdits, listPlacedElements, restyleAttribute, restyleStylesheet } from './edits.ts';
import type { PlacedElement, Restyling } from './edits.ts';

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
  convert: memoizeConversion(outlookColor),
  properties: /^(?:color|background|background-color)$/,
  keepsOriginals: true,
};
const gmailMode: DarkMode = {
  convert: memoizeConversion(invertLightness),
  properties: /^(?:color|background|background-color|border.*|outline.*|text-decoration.*|column-rule.*)$/,
  keepsOriginals: false,
};

/** Partial inversion: converts text and background colors, but no images. */
export const createOutlookDarkEdits = (html: string): TextEdit[] => createDarkEdits(html, outlookMode);
/** Full inversion: inverts the lightness of every color. */
export const createGmailDarkEdits = (html: string): TextEdit[] => createDarkEdits(html, gmailMode);

function memoizeConversion(convert: ConvertColor): ConvertColor {
  const cache = new Map<string, ReturnType<ConvertColor>>();
  return (color) => {
    const key = color.join();
    const converted = cache.get(key) ?? convert(color);
    cache.set(key, converted);
    return converted;
  };
}

function createDarkEdits(html: string, mode: DarkMode): TextEdit[] {
  const restyling: Restyling = {
    mapValue: ({ property, value }) => (mode.properties.test(property) ? convertColors(value, mode.convert) : value),
    isForClient: (selector) => mode.keepsOriginals && /\[data-ogs[cb]/i.test(selector),
  };
  const elements = listPlacedElements(html);
  const head = elements.find(({ name }) => name === 'head')?.inner.start ?? 0;
  const cache = new Map<string, DarkStyle>();
  return [
    { start: head, end: head, text: formatCanvasStyle(mode.convert) },
    ...elements.flatMap((element) => {
      if (element.name !== 'style') return createElementEdits(element, mode, restyling, cache);
      return restyleStylesheet(html.slice(element.inner.start, element.inner.end), element.inner.start, restyling);
    }),
  ];
}

/** Formats default colors for emails that don't set any. */
function formatCanvasStyle(convert: ConvertColor): string {
  const rgb = (color: readonly [number, number, number]): string => `rgb(${convert(color).join(', ')})`;
  return `<style>html{background-color:${rgb(CANVAS_COLOR)}}body{color:${rgb(TEXT_COLOR)}}:where(a[href]){color:${rgb(LINK_COLOR)}}</style>`;
}

/** A style attribute converted to dark mode, and its original colors. */
interface DarkStyle {
  readonly converted: string;
  readonly text: string | undefined;
  readonly background: string | undefined;
}

function createDarkStyle(style: string, restyling: Restyling): DarkStyle {
  const declared = new Map(parseStyleAttribute(style).map(({ property, value }) => [property, value]));
  const background = declared.get('background-color') ?? declared.get('background');
  return { converted: restyleAttribute(style, restyling), text: declared.get('color'), background };
}

function createElementEdits(
  element: PlacedElement,
  mode: DarkMode,
  restyling: Restyling,
  cache: Map<string, DarkStyle>,
): TextEdit[] {
  const style = element.attribute('style');
  const darkStyle = style === undefined ? undefined : (cache.get(style) ?? createDarkStyle(style, restyling));
  if (style !== undefined && darkStyle) cache.set(style, darkStyle);
  const originals = mode.keepsOriginals ? formatOriginals(element, darkStyle) : '';
  const edits = darkStyle ? createAttributeEdits(element, 'style', darkStyle.converted, originals) : [];
  for (const name of ['bgcolor', 'color', 'text', 'link']) {
    const value = element.attribute(name);
    const converted = value === undefined ? undefined : convertAttributeColor(value, mode.convert);
    if (converted !== undefined)
      edits.push(...createAttributeEdits(element, name, toHex(converted), edits.length === 0 ? originals : ''));
  }
  if (edits.length === 0 && originals !== '') edits.push(insertAfterName(element, originals));
  return edits;
}

/** Attributes accept colors as `#rrggbb` only. */
function toHex(rgb: string): string {
  return `#${(rgb.match(/\d+/g) ?? []).map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
}

/** Formats the element's original colors as attributes. The body defaults to the canvas colors. */
function formatOriginals(element: PlacedElement, style: DarkStyle | undefined): string {
  const isBody = element.name === 'body';
  const text =
    style?.text ?? element.attribute('color') ?? element.attribute('text') ?? (isBody ? '#000000' : undefined);
  const background = style?.background ?? element.attribute('bgcolor') ?? (isBody ? '#ffffff' : undefined);
  const attribute = (name: string, value: string | undefined): string =>
    value === undefined ? '' : ` ${name}="${escapeHtml(value)}"`;
  return attribute('data-ogsc', text) + attribute('data-ogsb', background);
}

function insertAfterName({ range, name }: PlacedElement, text: string): TextEdit {
  const at = range.start + 1 + name.length;
  return { start: at, end: at, text };
}

type ConvertColor = (color: Color) => Color;

/** Matches CSS colors. URLs and strings come first, so color-like text inside them is skipped. */
const colorTokenPattern =
  /url\((?:(?!url\()[^)])*\)|"[^"]*"|'[^']*'|#[\da-f]{3,8}\b|\b(?:rgb|hsl)a?\([^()]*\)|(?<![-\w.#])[a-z]+(?![-\w(])/gi;

/** Converts every color in a CSS value and keeps its transparency. */
function convertColors(value: string, convert: ConvertColor): string {
  return value.replace(colorTokenPattern, (token) => {
    const parsed = parseColorToken(token);
    return parsed ? formatColor(convert(parsed.color), parsed.alpha) : token;
  });
}

/** Converts the color of an HTML attribute such as `bgcolor`, where the `#` is optional. */
function convertAttributeColor(value: string, convert: ConvertColor): string | undefined {
  const color = parseColor(value);
  return color && formatColor(convert(color), '1');
}

function parseColorToken(token: string): { readonly color: Color; readonly alpha: string } | undefined {
  if (/^(?:url\(|["'])/i.test(token)) return undefined;
  const hex = /^#([\da-f]{3}|[\da-f]{6})([\da-f]{1,2})$/i.exec(token);
  if (hex && (token.length === 5 || token.length === 9)) {
    const alpha = hex[2]?.length === 1 ? hex[2] + hex[2] : (hex[2] ?? 'ff');
    return parseOpaqueColor(`#${hex[1]}`, String(Math.round((Number.parseInt(alpha, 16) / 255) * 1000) / 1000));
  }
  const [, name = '', inner = ''] = /^(rgb|hsl)a?\((.*)\)$/is.exec(token) ?? [];
  if (name === '') return parseOpaqueColor(token.startsWith('#') || /^[a-z]+$/i.test(token) ? token : '', '1');
  const [one = '', two = '', three = '', alpha = '1'] = inner.split(/[\s,/]+/).filter(Boolean);
  if (name.toLowerCase() === 'rgb')
    return parseOpaqueColor(`rgb(${[one, two, three].map(parseChannel).join(',')})`, alpha);
  const color = hslToRgb(Number.parseFloat(one), Number.parseFloat(two) / 100, Number.parseFloat(three) / 100);
  return color.every(Number.isFinite) ? { color, alpha } : undefined;
}

const parseChannel = (part: string): string =>
  String(Math.round(part.endsWith('%') ? Number.parseFloat(part) * 2.55 : Number.parseFloat(part)));

function parseOpaqueColor(opaque: string, alpha: string): { color: Color; alpha: string } | undefined {
  // A word without `#` can only be a color name.
  const color = /^[\da-f]{3}$|^[\da-f]{6}$/i.test(opaque) ? undefined : parseColor(opaque);
  return color && { color, alpha };
}

/** https://www.w3.org/TR/css-color-4/#hsl-to-rgb */
function hslToRgb(hue: number, saturation: number, lightness: number): Color {
  const part = (n: number): number => {
    const k = (n + hue / 30 + 1200) % 12;
    const range = saturation * Math.min(lightness, 1 - lightness);
    return Math.round((lightness - range * Math.max(-1, Math.min(k - 3, 9 - k, 1))) * 255);
  };
  return [part(0), part(8), part(4)];
}

function formatColor([red, green, blue]: Color, alpha: string): string {
  return alpha === '1' || alpha === '100%'
    ? `rgb(${red}, ${green}, ${blue})`
    : `rgba(${red}, ${green}, ${blue}, ${alpha})`;
}
