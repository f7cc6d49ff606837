/** A colour without transparency: red, green and blue from 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

const names: Readonly<Record<string, string>> = {
  black: '#000',
  white: '#fff',
  red: '#f00',
  green: '#008000',
  blue: '#00f',
  yellow: '#ff0',
  gray: '#808080',
  grey: '#808080',
  silver: '#c0c0c0',
  maroon: '#800000',
  navy: '#000080',
  purple: '#800080',
  teal: '#008080',
  olive: '#808000',
  lime: '#0f0',
  aqua: '#0ff',
  cyan: '#0ff',
  fuchsia: '#f0f',
  magenta: '#f0f',
  orange: '#ffa500',
  pink: '#ffc0cb',
  brown: '#a52a2a',
  gold: '#ffd700',
  whitesmoke: '#f5f5f5',
  lightgray: '#d3d3d3',
  lightgrey: '#d3d3d3',
  darkgray: '#a9a9a9',
  darkgrey: '#a9a9a9',
  dimgray: '#696969',
  dimgrey: '#696969',
  gainsboro: '#dcdcdc',
  tomato: '#ff6347',
  crimson: '#dc143c',
  indigo: '#4b0082',
  ivory: '#fffff0',
  beige: '#f5f5dc',
};

/** A colour of CSS or of an attribute; undefined for what is transparent, unknown or depends on something else. */
export function parseColor(text: string): Color | undefined {
  const value = text.trim().toLowerCase();
  const hex = /^#?([\da-f]{3}|[\da-f]{6})$/u.exec(Object.hasOwn(names, value) ? (names[value] ?? '') : value)?.[1];
  if (hex) {
    const digits =
      hex.length === 3 ? [...hex].map((digit) => digit + digit) : [hex.slice(0, 2), hex.slice(2, 4), hex.slice(4)];
    const [red = 0, green = 0, blue = 0] = digits.map((digit) => Number.parseInt(digit, 16));
    return [red, green, blue];
  }
  const parts = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})(?:\s*[,/]\s*(1|1\.0+|100%))?\s*\)$/u.exec(value);
  return parts ? [Number(parts[1]), Number(parts[2]), Number(parts[3])] : undefined;
}

const linear = (channel: number): number => {
  const part = Math.min(channel, 255) / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
};

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance([red, green, blue]: Color): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Contrast of two colours, 1 to 21 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio). */
export function getContrast(one: Color, other: Color): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const epsilon = 216 / 24389;
const kappa = 24389 / 27;
const white = [0.95047, 1, 1.08883] as const;

function toLab(color: Color): [number, number, number] {
  const [r, g, b] = [linear(color[0]), linear(color[1]), linear(color[2])];
  const xyz = [
    0.4124 * r + 0.3576 * g + 0.1805 * b,
    0.2126 * r + 0.7152 * g + 0.0722 * b,
    0.0193 * r + 0.1192 * g + 0.9505 * b,
  ];
  const [x = 0, y = 0, z = 0] = xyz.map((value, index) => {
    const part = value / (white[index] ?? 1);
    return part > epsilon ? Math.cbrt(part) : (kappa * part + 16) / 116;
  });
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function fromLab([lightness, a, b]: readonly [number, number, number]): Color {
  const y = (lightness + 16) / 116;
  const [X = 0, Y = 0, Z = 0] = [y + a / 500, y, y - b / 200].map((part, index) => {
    const value = part ** 3 > epsilon ? part ** 3 : (116 * part - 16) / kappa;
    return value * (white[index] ?? 1);
  });
  const channel = (value: number): number => {
    const part = value <= 0.0031308 ? 12.92 * value : 1.055 * Math.max(value, 0) ** (1 / 2.4) - 0.055;
    return Math.round(Math.min(1, Math.max(0, part)) * 255);
  };
  return [
    channel(3.2406 * X - 1.5372 * Y - 0.4986 * Z),
    channel(-0.9689 * X + 1.8758 * Y + 0.0415 * Z),
    channel(0.0557 * X - 0.204 * Y + 1.057 * Z),
  ];
}

/** Lightness of Outlook's dark background. */
const darkest = 21.247;

/** What Outlook.com makes of a colour in the dark: its lightness turned over (roosterjs, `getDarkColor`). */
export function toOutlookDarkColor(color: Color): Color {
  const [lightness, a, b] = toLab(color);
  return fromLab([(100 - lightness) * ((100 - darkest) / 100) + darkest, a, b]);
}

/** A colour with its lightness turned over: white becomes black, and the other way round. */
export function invertLightness(color: Color): Color {
  const [lightness, a, b] = toLab(color);
  return fromLab([100 - lightness, a, b]);
}
