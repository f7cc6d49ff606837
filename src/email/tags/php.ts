// Replicates the text functions of PHP 8, which the service uses to read and compare tags.

import { toDecodedText } from '../html/stripTags.ts';
import { memoizeByText } from '../html/text.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** PHP treats '' and '0' as false. */
export const isTruthy = (text: string): boolean => text !== '' && text !== '0';

const isPhpSpace = (character: string) => ' \t\n\r\v\0'.includes(character);

/** Trims whitespace, or characters of a list in which `a..z` is a range. */
export function trimEnd(text: string, characters?: string): string {
  const isCut = characters === undefined ? isPhpSpace : createCharacterTest(characters);
  let end = text.length;
  while (end > 0 && isCut(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

function createCharacterTest(characters: string) {
  const ranges = [...characters.matchAll(/(.)\.\.(.)/gsu)].map(([, from = '', to = '']) => [from, to] as const);
  const single = characters.replace(/.\.\../gsu, '');
  return memoizeByText(
    (character: string) =>
      single.includes(character) || ranges.some(([from, to]) => character >= from && character <= to),
  );
}

export const lowerAscii = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Character by character, because PHP 8.2 has no rule for a final sigma. */
export const toLower = (text: string): string =>
  /[\u0080-\uffff]/.test(text) ? Array.from(text, (character) => character.toLowerCase()).join('') : text.toLowerCase();

export const upperFirst = (text: string): string => text.replace(/^[a-z]/, (letter) => letter.toUpperCase());

export const upperWords = (text: string): string =>
  text.replace(/(^|[ \t\r\n\f\v])([a-z])/g, (_, blank: string, letter: string) => blank + letter.toUpperCase());

/** Decodes `%41` and `+` of a URL. Invalid escapes stay unchanged. */
export function decodeUrl(text: string): string {
  if (!/[%+]/.test(text)) return text;
  return text
    .replaceAll('+', ' ')
    .replace(/(?:%[0-9a-f]{2})+/gi, (codes) =>
      decoder.decode(Uint8Array.from(codes.slice(1).split('%'), (code) => parseInt(code, 16))),
    );
}

/** Encodes like a form, and also `*`. */
export const encodeUrl = (text: string): string =>
  new URLSearchParams([['', text]]).toString().slice(1).replaceAll('*', '%2A');

/** Offsets and length count UTF-8 bytes. */
export function substring(text: string, start: number, length?: number): string {
  const bytes = encoder.encode(text);
  const from = start < 0 ? Math.max(0, bytes.length + start) : Math.min(start, bytes.length);
  const to = length === undefined ? bytes.length : length < 0 ? bytes.length + length : from + length;
  return decoder.decode(bytes.subarray(from, Math.max(from, to)));
}

/** Parses the leading integer of a text, or returns 0. */
export function toInteger(text: string): number {
  const number = Math.trunc(Number(/^\s*([+-]?\d+(?:\.\d*)?(?:e[+-]?\d+)?)/i.exec(text)?.[1] ?? 0));
  return Number.isFinite(number) ? number : 0;
}

export const isNumeric = (text: string): boolean =>
  /^[ \t\n\r\v\f]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?[ \t\n\r\v\f]*$/i.test(text);

/** Compares like PHP's `<=>`: numeric texts as numbers, others by bytes. */
export function looselyCompare(one: string, other: string): number {
  if (isNumeric(one) && isNumeric(other)) return Number(one) - Number(other);
  if (one === other) return 0;
  const [first, second] = [Array.from(one), Array.from(other)];
  const at = first.findIndex((character, index) => character !== second[index]);
  if (at < 0) return -1;
  const character = second[at];
  return character === undefined ? 1 : (first[at]?.codePointAt(0) ?? 0) - (character.codePointAt(0) ?? 0);
}

export const looselyEquals = (one: string, other: string): boolean =>
  one === other || (isNumeric(one) && isNumeric(other) && Number(one) === Number(other));

/** Converts a value for a part without markup: line breaks as lines, no tags, decoded entities, trimmed. */
export function toPlainText(html: string): string {
  if (!/[<&\s\u00a0]/.test(html)) return html;
  const lines = html
    .replace(/ +/g, ' ')
    .replace(/[\n\r\t]/g, '')
    .replace(/< *(?:h1|h2)[^<>]*>/gi, '\n\n')
    .replace(/< *li[^<>]*>/gi, '\n* ')
    .replace(/< *\/? *(?:br|p|h1|h2|legend|h3|li|ul|dd|dt|h4|h5|h6|tr|td|div)[^<>]*>/gi, '\n');
  return toDecodedText(lines);
}
