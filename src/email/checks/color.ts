/** An opaque color: red, green and blue from 0 to 255. */
export type Color = readonly [red: number, green: number, blue: number];

const namedColors: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'black:#000 white:#fff red:#f00 green:#008000 blue:#00f yellow:#ff0 gray:#808080 grey:#808080 silver:#c0c0c0 ' +
    'maroon:#800000 navy:#000080 purple:#800080 teal:#008080 olive:#808000 lime:#0f0 aqua:#0ff cyan:#0ff fuchsia:#f0f ' +
    'magenta:#f0f orange:#ffa500 pink:#ffc0cb brown:#a52a2a gold:#ffd700 whitesmoke:#f5f5f5 lightgray:#d3d3d3 ' +
    'lightgrey:#d3d3d3 darkgray:#a9a9a9 darkgrey:#a9a9a9 dimgray:#696969 dimgrey:#696969 gainsboro:#dcdcdc ' +
    'tomato:#ff6347 crimson:#dc143c indigo:#4b0082 ivory:#fffff0 beige:#f5f5dc'
  )
    .split(' ')
    .map((entry) => entry.split(':')),
);

/** Parses a color of CSS or of an HTML attribute; undefined if it is transparent, unsupported or relative. */
export function parseColor(text: string): Color | undefined {
  const value = text.trim().toLowerCase();
  const hex = /^#?([\da-f]{3}|[\da-f]{6})$/u.exec(
    Object.hasOwn(namedColors, value) ? (namedColors[value] ?? '') : value,
  )?.[1];
  if (hex) {
    const length = hex.length / 3;
    const [red = 0, green = 0, blue = 0] = [0, length, 2 * length].map((start) =>
      Number.parseInt(hex.slice(start, start + length).repeat(2 / length), 16),
    );
    return [red, green, blue];
  }
  const parts = /^rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})(?:\s*[,/]\s*(1|1\.0+|100%))?\s*\)$/u.exec(value);
  return parts ? [Number(parts[1]), Number(parts[2]), Number(parts[3])] : undefined;
}

const toLinear = (channel: number): number => {
  const part = Math.min(channel, 255) / 255;
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
};

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function getLuminance([red, green, blue]: Color): number {
  return 0.2126 * toLinear(red) + 0.7152 * toLinear(green) + 0.0722 * toLinear(blue);
}

/** Returns the contrast of two colors, 1 to 21 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio). */
export function getContrast(one: Color, other: Color): number {
  const luminances = [getLuminance(one) + 0.05, getLuminance(other) + 0.05];
  return Math.max(...luminances) / Math.min(...luminances);
}

const LAB_EPSILON = 216 / 24389;
const LAB_KAPPA = 24389 / 27;
const whitePoint = [0.95047, 1, 1.08883] as const;

function toLab(color: Color): [number, number, number] {
  const [r, g, b] = [toLinear(color[0]), toLinear(color[1]), toLinear(color[2])];
  const xyz = [
    0.4124 * r + 0.3576 * g + 0.1805 * b,
    0.2126 * r + 0.7152 * g + 0.0722 * b,
    0.0193 * r + 0.1192 * g + 0.9505 * b,
  ];
  const [x = 0, y = 0, z = 0] = xyz.map((value, index) => {
    const part = value / (whitePoint[index] ?? 1);
    return part > LAB_EPSILON ? Math.cbrt(part) : (LAB_KAPPA * part + 16) / 116;
  });
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function fromLab([lightness, a, b]: readonly [number, number, number]): Color {
  const y = (lightness + 16) / 116;
  const [X = 0, Y = 0, Z = 0] = [y + a / 500, y, y - b / 200].map((part, index) => {
    const value = part ** 3 > LAB_EPSILON ? part ** 3 : (116 * part - 16) / LAB_KAPPA;
    return value * (whitePoint[index] ?? 1);
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

/** CIELAB lightness (L*) of Outlook's dark background. */
const OUTLOOK_DARK_LIGHTNESS = 21.247;

/** Returns the color that Outlook.com shows in dark mode, with inverted lightness (roosterjs, `getDarkColor`). */
export function toOutlookDarkColor(color: Color): Color {
  const [lightness, a, b] = toLab(color);
  return fromLab([(100 - lightness) * ((100 - OUTLOOK_DARK_LIGHTNESS) / 100) + OUTLOOK_DARK_LIGHTNESS, a, b]);
}

/** Returns a color with inverted lightness: white becomes black and vice versa. */
export function invertLightness(color: Color): Color {
  const [lightness, a, b] = toLab(color);
  return fromLab([100 - lightness, a, b]);
}
