import { findImageAddresses } from './images.ts';
import { applyEdits } from '../html/text.ts';

/**
 * Limits of pictures within an email: a browser needs 4 bytes for each pixel, and draws the content of an SVG once for each reference to it, which may
 * be nested.
 */
export const MAX_MEGAPIXELS = 40;
const MAX_SVG_ELEMENTS = 5000;
const MAX_SVG_REFERENCES = 8;

/** The address of a picture that exceeds the limits. In a `srcset` the comma ends the candidate. */
export const EXCESSIVE_PICTURE = 'data:,#excessive';

/** Reads the width and the height from the header of a picture. `bytes` has one byte in each character. */
type ReadSize = (bytes: string) => readonly [width: number, height: number] | undefined;

/** Reads a number, the most significant byte first unless `size` is negative. */
function readNumber(bytes: string, at: number, size: number) {
  const digits = Array.from({ length: Math.abs(size) }, (_, index) => bytes.charCodeAt(at + index) || 0);
  if (size < 0) digits.reverse();
  return digits.reduce((sum, digit) => sum * 256 + digit, 0);
}

const readPair = (bytes: string, at: number, size: number): [number, number] => [
  readNumber(bytes, at, size),
  readNumber(bytes, at + Math.abs(size), size),
];

/** Browsers enlarge a GIF to its first frame. */
function readGif(bytes: string): [number, number] {
  const colors = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  const [width, height] = readPair(bytes, 6, -2);
  let at = 13 + colors(readNumber(bytes, 10, 1));
  while (bytes[at] === '!') {
    at += 2;
    while (at < bytes.length && bytes[at] !== '\0') at += readNumber(bytes, at, 1) + 1;
    at += 1;
  }
  if (bytes[at] !== ',') return [width, height];
  const [left, top] = readPair(bytes, at + 1, -2);
  const [frameWidth, frameHeight] = readPair(bytes, at + 5, -2);
  return [Math.max(width, left + frameWidth), Math.max(height, top + frameHeight)];
}

function readJpeg(bytes: string): [number, number] | undefined {
  // Bytes between segments are skipped.
  for (let at = bytes.indexOf('\xff', 2); at >= 0; at = bytes.indexOf('\xff', at)) {
    while (bytes[at + 1] === '\xff') at += 1;
    const marker = bytes[at + 1] ?? '';
    if (/[\xc0-\xc3\xc5-\xc7\xc9-\xcb\xcd-\xcf]/.test(marker)) return readPair(bytes, at + 5, 2);
    at += 2 + (marker < '\x02' || /[\xd0-\xd9]/.test(marker) ? 0 : readNumber(bytes, at + 2, 2));
  }
  return undefined;
}

function readWebp(bytes: string): [number, number] | undefined {
  const chunk = bytes.slice(12, 16);
  if (chunk === 'VP8X') return [readNumber(bytes, 24, -3) + 1, readNumber(bytes, 27, -3) + 1];
  if (chunk === 'VP8 ') return [readNumber(bytes, 26, -2) & 0x3fff, readNumber(bytes, 28, -2) & 0x3fff];
  const bits = readNumber(bytes, 21, -4);
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
}

const readBmp: ReadSize = (bytes) =>
  readNumber(bytes, 14, -4) === 12
    ? readPair(bytes, 18, -2)
    : [readNumber(bytes, 18, -4), Math.abs(readNumber(bytes, 22, -4) | 0)];

/** Browsers recognize a picture by its first bytes. Icons and AVIF contain pictures, and mail clients don't show them. */
const formats: readonly (readonly [start: RegExp, read: ReadSize])[] = [
  [/^\x89PNG/, (bytes) => readPair(bytes, 16, 4)],
  [/^GIF8/, readGif],
  [/^\xff\xd8/, readJpeg],
  [/^RIFF[^]{4}WEBP/, readWebp],
  [/^BM/, readBmp],
  [/^\0\0[^\0]\0|^[^]{4}ftyp/, () => [Infinity, Infinity]],
];

/** Returns whether a picture has too many pixels, or is an SVG that may take too long to draw. `bytes` has one byte in each character. */
export function isExcessivePicture(type: string, bytes: string): boolean {
  if (/xml/i.test(type)) return isExcessiveSvg(bytes);
  const read = formats.find(([start]) => start.test(bytes))?.[1];
  const [width = 0, height = 0] = read?.(bytes) ?? [];
  return width * height > MAX_MEGAPIXELS * 1e6;
}

const svgReference = /<(?:[^\s<>/:]*:)?(?:use|pattern|mask|filter|fe[a-z]+|foreignobject)\b/gi;

function isExcessiveSvg(svg: string) {
  // Encodings that can hide the names of elements, entities, and markers, which are drawn once for each point of a line.
  if (svg.includes('\x1b') || /\0|<!entity|<(?:[^\s<>/:]*:)?marker\b/i.test(svg)) return true;
  if ((svg.match(/</g)?.length ?? 0) > 2 * MAX_SVG_ELEMENTS) return true;
  if ((svg.match(svgReference)?.length ?? 0) > MAX_SVG_REFERENCES) return true;
  const plain = svg.replace(/&#x0*([\da-f]{1,6});?|&#0*(\d{1,7});?/gi, (_all, hex?: string, decimal = '') =>
    String.fromCharCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
  );
  // Escapes in a style could hide an address.
  if (/<(?:[^\s<>/:]*:)?style\b|\sstyle\s*=/i.test(plain) && plain.includes('\\')) return true;
  return (plain.match(nestedAddress) ?? []).some(
    (address) => /^[^,]*xml/i.test(address) || isExcessiveAddress(address),
  );
}

/** Browsers ignore tabs and line breaks in an address. */
const dataScheme = String.raw`d\s*a\s*t\s*a\s*:`;
const nestedAddress = new RegExp(`${dataScheme}[^<>]*`, 'gi');
const mayContainPicture = new RegExp(String.raw`${dataScheme}|\\`, 'i');

/** Returns whether an address contains an excessive picture. */
function isExcessiveAddress(address: string) {
  const [, type, data = ''] = /^[\0- ]*data:([^,]*),([^]*)$/i.exec(address.replace(/[\t\n\r]+/g, '')) ?? [];
  if (type === undefined) return false;
  const bytes = data.replace(/%([\da-f]{2})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  if (!/;\s*base64\s*$/i.test(type)) return isExcessivePicture(type, bytes);
  // What follows may not belong to the address.
  const base64 = /^[a-z\d+/\s]*/i.exec(bytes)?.[0].replace(/\s+/g, '') ?? '';
  return isExcessivePicture(type, atob(base64.slice(0, base64.length % 4 === 1 ? -1 : undefined)));
}

const limitAddress = (address: string) => (isExcessiveAddress(address) ? EXCESSIVE_PICTURE : address);

/** Replaces the excessive pictures in a stylesheet or a style attribute. */
export function limitStylePictures(css: string): string {
  if (!mayContainPicture.test(css)) return css;
  return applyEdits(
    css,
    findImageAddresses(css, 'css').flatMap((image) =>
      isExcessiveAddress(image.value) ? [{ ...image, text: EXCESSIVE_PICTURE }] : [],
    ),
  );
}

const limitAddresses = (list: string) => list.replace(/[^\s,]\S*/g, limitAddress);

const limits: ReadonlyMap<string, (value: string) => string> = new Map([
  ...['src', 'background', 'poster', 'href', 'xlink:href'].map((name) => [name, limitAddress] as const),
  ...['srcset', 'imagesrcset'].map((name) => [name, limitAddresses] as const),
  ...'style mask filter clip-path cursor fill stroke'.split(' ').map((name) => [name, limitStylePictures] as const),
]);

/** Names of the attributes that `limitPictures` may change. */
export const pictureAttributeNames: readonly string[] = [...limits.keys()];

/** Returns the value of an attribute without excessive pictures. `name` must be lowercase. */
export const limitPictures = (name: string, value: string): string =>
  mayContainPicture.test(value) ? (limits.get(name)?.(value) ?? value) : value;
