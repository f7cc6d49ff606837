import { invertLightness, toOutlookDarkColor as outlookColor, parseColor } from '../checks/color.ts';
import type { Color } from '../checks/color.ts';
import { parseStyleAttribute } from '../checks/css.ts';
import { escapeHtml } from '../compose/compose.ts';
import type { TextEdit } from '../tags/index.ts';
import { createAttributeEdits, listPlacedElements, restyleAttribute, restyleStyleElement } from './edits.ts';
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
      if (element.name === 'style') return restyleStyleElement(html, element, restyling);
      const style = element.attribute('style');
      if (style === undefined) return createElementEdits(element, mode, undefined);
      const darkStyle = cache.get(style) ?? createDarkStyle(style, restyling);
      cache.set(style, darkStyle);
      return createElementEdits(element, mode, darkStyle);
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

function createElementEdits(element: PlacedElement, mode: DarkMode, style: DarkStyle | undefined): TextEdit[] {
  const originals = mode.keepsOriginals ? formatOriginals(element, style) : '';
  const edits = style ? createAttributeEdits(element, 'style', style.converted, originals) : [];
  for (const name of ['bgcolor', 'color', 'text', 'link']) {
    const color = parseColor(element.attribute(name) ?? '');
    // Attributes accept colors as `#rrggbb` only.
    const hex = color && mode.convert(color).map((part) => part.toString(16).padStart(2, '0'));
    if (hex)
      edits.push(...createAttributeEdits(element, name, `#${hex.join('')}`, edits.length === 0 ? originals : ''));
  }
  const afterName = element.range.start + 1 + element.name.length;
  return edits.length === 0 && originals !== '' ? [{ start: afterName, end: afterName, text: originals }] : edits;
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

type ConvertColor = (color: Color) => Color;

/** Matches CSS colors. URLs and strings come first, so color-like text inside them is skipped. */
const colorTokenPattern =
  /url\((?:(?!url\()[^)])*\)|"[^"]*"|'[^']*'|#[\da-f]{3,8}\b|\b(?:rgb|hsl)a?\([^()]*\)|(?<![-\w.#])[a-z]+(?![-\w(])/gi;

/** Converts every color in a CSS value and keeps its transparency. */
const convertColors = (value: string, convert: ConvertColor): string =>
  value.replace(colorTokenPattern, (token) => {
    const { color, alpha } = parseColorToken(token);
    return color ? formatColor(convert(color), alpha) : token;
  });

function parseColorToken(token: string): { readonly color: Color | undefined; readonly alpha: string } {
  const hex = /^#(?:([\da-f]{3})([\da-f])|([\da-f]{6})([\da-f]{2}))$/i.exec(token);
  if (hex) {
    const [, short, digit = '', long, digits = digit + digit] = hex;
    const alpha = String(Math.round((Number.parseInt(digits, 16) / 255) * 1000) / 1000);
    return { color: parseColor(`#${short ?? long}`), alpha };
  }
  const [, name = '', inner = ''] = /^(rgb|hsl)a?\((.*)\)$/is.exec(token) ?? [];
  // A word without `#` can only be a color name.
  if (name === '')
    return { color: /^(?:[\da-f]{3}|[\da-f]{6})$/i.test(token) ? undefined : parseColor(token), alpha: '1' };
  const [one = '', two = '', three = '', alpha = '1'] = inner.split(/[\s,/]+/).filter(Boolean);
  if (name.toLowerCase() === 'rgb')
    return { color: parseColor(`rgb(${[one, two, three].map(parseChannel).join(',')})`), alpha };
  const color = hslToRgb(Number.parseFloat(one), Number.parseFloat(two) / 100, Number.parseFloat(three) / 100);
  return { color: color.every(Number.isFinite) ? color : undefined, alpha };
}

const parseChannel = (part: string): string =>
  String(Math.round(part.endsWith('%') ? Number.parseFloat(part) * 2.55 : Number.parseFloat(part)));

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
