// Replicates the text functions of PHP 8, which the service uses to read and compare tags.

import { decodeEntities } from './data/entities.ts';
import { ForwardSearch } from './scan.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A parameter's text, or true without a value. */
export type ParameterValue = string | true;

/** PHP treats '' and '0' as false. */
export const isTruthy = (value: ParameterValue | undefined): boolean =>
  value !== undefined && value !== '' && value !== '0';

/** A parameter without a value reads as `1`. */
export const toText = (value: ParameterValue | undefined): string => (value === true ? '1' : (value ?? ''));

export function trim(text: string): string {
  let start = 0;
  while (start < text.length && isTrimmable(text[start] ?? '')) start += 1;
  return trimEnd(text.slice(start));
}

const isTrimmable = (character: string): boolean => ' \t\n\r\v\0'.includes(character);

/** Trims whitespace, or characters of a list in which `a..z` is a range. */
export function trimEnd(text: string, characters?: string): string {
  const isCut = characters === undefined ? isTrimmable : createCharacterTest(characters);
  let end = text.length;
  while (end > 0 && isCut(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

function createCharacterTest(characters: string): (character: string) => boolean {
  const ranges = [...characters.matchAll(/(.)\.\.(.)/gsu)].map(([, from = '', to = '']) => [from, to] as const);
  const single = characters.replace(/.\.\../gsu, '');
  const cache = new Map<string, boolean>();
  return (character) => {
    const isCut =
      cache.get(character) ??
      (single.includes(character) || ranges.some(([from, to]) => character >= from && character <= to));
    cache.set(character, isCut);
    return isCut;
  };
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

export function encodeUrl(text: string): string {
  return text.replace(/[^A-Za-z0-9_.-]+/g, (part) =>
    Array.from(encoder.encode(part), (byte) =>
      byte === 0x20 ? '+' : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    ).join(''),
  );
}

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

/** Removes markup and surrounding whitespace like WordPress. */
export function stripMarkup(text: string): string {
  if (!text.includes('<')) return trim(text);
  let ranges = '';
  for (const [start, end] of findMarkupFreeRanges(text)) ranges += text.slice(start, end);
  return trim(ranges);
}

/** Returns the ranges without tags, comments, scripts and styles. Runs in one pass, with PHP's handling of quotes. */
export function findMarkupFreeRanges(text: string): [start: number, end: number][] {
  const ranges: [number, number][] = [];
  const closes = new ForwardSearch(text, /-->/g);
  for (const [start, end] of findRangesOutsideRawElements(text)) {
    let at = start;
    while (at < end) {
      const open = findMarkupStart(text, at, end);
      if (open > at) ranges.push([at, open]);
      if (open >= end) break;
      at = findMarkupEnd(text, open, end, closes);
    }
  }
  return ranges;
}

/** Returns the ranges outside script and style elements. */
export function findRangesOutsideRawElements(text: string): [number, number][] {
  const parts: [number, number][] = [];
  const open = /<(script|style)[^<>]*>/gi;
  const closers = new Map(['script', 'style'].map((name) => [name, new RegExp(`</${name}>`, 'gi')]));
  const missing = new Set<string>();
  let from = 0;
  for (let match = open.exec(text); match; match = open.exec(text)) {
    const name = match[1]?.toLowerCase() ?? '';
    const close = closers.get(name);
    if (!close || missing.has(name)) continue;
    close.lastIndex = open.lastIndex;
    if (!close.exec(text)) {
      missing.add(name);
      continue;
    }
    parts.push([from, match.index]);
    from = close.lastIndex;
    open.lastIndex = from;
  }
  parts.push([from, text.length]);
  return parts;
}

/** A tag starts with a `<` that no whitespace follows. */
function findMarkupStart(text: string, from: number, end: number): number {
  for (let at = text.indexOf('<', from); at >= 0 && at < end; at = text.indexOf('<', at + 1))
    if (!/\s/.test(text[at + 1] ?? '')) return at;
  return end;
}

/** Returns the end of the markup: after a `>` outside quotes, or the end of the range. */
function findMarkupEnd(text: string, open: number, end: number, closes: ForwardSearch): number {
  if (text.startsWith('<!--', open)) {
    const close = closes.from(open + 4);
    return close && close.start < end ? close.end : end;
  }
  let depth = 0;
  let quote = '';
  for (let at = open + 1; at < end; at += 1) {
    const character = text[at] ?? '';
    if (quote) quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '<') depth += 1;
    else if (character === '>') {
      if (depth === 0) return at + 1;
      depth -= 1;
    }
  }
  return end;
}

/** Converts a value for a part without markup: line breaks as lines, no tags, decoded entities, trimmed. */
export function toPlainText(html: string): string {
  if (!/[<&\s\u00a0]/.test(html)) return html;
  const lines = html
    .replace(/ +/g, ' ')
    .replace(/[\n\r\t]/g, '')
    .replace(/< *(?:h1|h2)[^<>]*>/gi, '\n\n')
    .replace(/< *li[^<>]*>/gi, '\n* ')
    .replace(/< *\/? *(?:br|p|h1|h2|legend|h3|li|ul|dd|dt|h4|h5|h6|tr|td|div)[^<>]*>/gi, '\n')
    .replace(/(&lt;|&#60;)(?=[^ \n\r\t])/gi, '&lt; ');
  const text = trim(decodeEntities(stripMarkup(lines).replace(/\u00a0|&nbsp;/g, ' ')));
  return text.replace(/ +/g, ' ').replace(/\n *\n\s+/g, '\n\n');
}
