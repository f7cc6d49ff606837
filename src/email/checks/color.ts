import names from './data/colors.json' with { type: 'json' };

type Vector = readonly [number, number, number];
type Matrix = readonly [Vector, Vector, Vector];
/** An opaque color: red, green and blue from 0 to 255. */
export type Color = Vector;

const mapVector = ([one, two, three]: Vector, map: (part: number, index: 0 | 1 | 2) => number): Vector => [
  map(one, 0),
  map(two, 1),
  map(three, 2),
];

const namedColors = new Map(Object.entries(names));

/** Parses a color of CSS or of an HTML attribute, with its opacity (0 to 1); undefined if it is unsupported or relative. */
export function parseTransparentColor(text: string): { readonly color: Color; readonly alpha: number } | undefined {
  const value = text.trim().toLowerCase();
  const [, hex = ''] = /^#?([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/u.exec(namedColors.get(value) ?? value) ?? [];
  const digits = hex.length < 6 ? hex.replace(/./gu, '$&$&') : hex;
  const [, mode, inner] = /^(rgb|hsl)a?\(([^()]*)\)$/u.exec(value) ?? [];
  const parts = inner?.split(/[\s,/]+/u).filter(Boolean) ?? digits.match(/../gu) ?? [];
  const [one = NaN, two = NaN, three = NaN, opacity = 1] = parts.map((part, index) => {
    const isChannel = index < 3;
    if (mode === undefined) return Number.parseInt(part, 16) / (isChannel ? 1 : 255);
    return Number.parseFloat(part) * (part.endsWith('%') ? (isChannel && mode === 'rgb' ? 2.55 : 0.01) : 1);
  });
  const color = mode === 'hsl' ? hslToRgb(one, two, three) : mapVector([one, two, three], Math.round);
  return [...color, opacity].every(Number.isFinite) ? { color, alpha: Math.round(opacity * 1000) / 1000 } : undefined;
}

/** https://www.w3.org/TR/css-color-4/#hsl-to-rgb */
function hslToRgb(hue: number, saturation: number, lightness: number): Color {
  return mapVector([0, 8, 4], (n) => {
    const k = (n + hue / 30 + 1200) % 12;
    const range = saturation * Math.min(lightness, 1 - lightness);
    return Math.round((lightness - range * Math.max(-1, Math.min(k - 3, 9 - k, 1))) * 255);
  });
}

/** Parses an opaque color; undefined if it is transparent, unsupported or relative. */
export function parseColor(text: string): Color | undefined {
  const parsed = parseTransparentColor(text);
  return parsed?.alpha === 1 ? parsed.color : undefined;
}

/** Formats a color as `#rrggbb`. */
export const formatHex = (color: Color): string =>
  `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

const rgbToXyz: Matrix = [
  [0.4124, 0.3576, 0.1805],
  [0.2126, 0.7152, 0.0722],
  [0.0193, 0.1192, 0.9505],
];
const xyzToRgb: Matrix = [
  [3.2406, -1.5372, -0.4986],
  [-0.9689, 1.8758, 0.0415],
  [0.0557, -0.204, 1.057],
];
const whitePoint: Vector = [0.95047, 1, 1.08883];

const multiply = (matrix: Matrix, [x, y, z]: Vector): Vector =>
  mapVector([0, 1, 2], (_, row) => matrix[row][0] * x + matrix[row][1] * y + matrix[row][2] * z);

const toXyz = (color: Color): Vector =>
  multiply(
    rgbToXyz,
    mapVector(color, (channel) => {
      const part = Math.min(channel, 255) / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    }),
  );

/** Returns the contrast of two colors, 1 to 21 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio). */
export function getContrast(one: Color, other: Color): number {
  // Y is the relative luminance.
  const luminances = [toXyz(one)[1] + 0.05, toXyz(other)[1] + 0.05];
  return Math.max(...luminances) / Math.min(...luminances);
}

const LAB_EPSILON = 216 / 24389;
const LAB_KAPPA = 24389 / 27;

/** Returns a color with inverted CIELAB lightness (L*), at least `darkest`. */
function invert(color: Color, darkest: number): Color {
  const parts = mapVector(toXyz(color), (value, index) => {
    const part = value / whitePoint[index];
    return part > LAB_EPSILON ? Math.cbrt(part) : (LAB_KAPPA * part + 16) / 116;
  });
  const lightness = 116 * parts[1] - 16;
  // All parts move together, because a* and b* are their differences.
  const shift = ((100 - lightness) * ((100 - darkest) / 100) + darkest - lightness) / 116;
  const xyz = mapVector(parts, (part, index) => {
    const cube = (part + shift) ** 3;
    return (cube > LAB_EPSILON ? cube : (116 * (part + shift) - 16) / LAB_KAPPA) * whitePoint[index];
  });
  return mapVector(multiply(xyzToRgb, xyz), (value) => {
    const part = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
    return Math.round(Math.min(1, Math.max(0, part)) * 255);
  });
}

/** CIELAB lightness (L*) of Outlook's dark background. */
const OUTLOOK_DARK_LIGHTNESS = 21.247;

/** Returns the color that Outlook.com shows in dark mode (roosterjs, `getDarkColor`). */
export const toOutlookDarkColor = (color: Color): Color => invert(color, OUTLOOK_DARK_LIGHTNESS);

/** Returns a color with inverted lightness: white becomes black and vice versa. */
export const invertLightness = (color: Color): Color => invert(color, 0);
