import { parseColor } from '../checks/color.ts';
import type { Color } from '../checks/color.ts';

export type ConvertColor = (color: Color) => Color;

/** Matches CSS colors. URLs and strings come first, so color-like text inside them is skipped. */
const colorTokenPattern =
  /url\((?:(?!url\()[^)])*\)|"[^"]*"|'[^']*'|#[\da-f]{3,8}\b|\b(?:rgb|hsl)a?\([^()]*\)|(?<![-\w.#])[a-z]+(?![-\w(])/gi;

/** Converts every color in a CSS value and keeps its transparency. */
export function convertColors(value: string, convert: ConvertColor): string {
  return value.replace(colorTokenPattern, (token) => {
    const parsed = parseColorToken(token);
    return parsed ? formatColor(convert(parsed.color), parsed.alpha) : token;
  });
}

/** Converts the color of an HTML attribute such as `bgcolor`, where the `#` is optional. */
export function convertAttributeColor(value: string, convert: ConvertColor): string | undefined {
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
