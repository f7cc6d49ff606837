import type { Range } from './ranges.ts';

/** Finds the next match of a pattern from ascending offsets. Scans each character once. */
export class ForwardSearch {
  readonly #text: string;
  readonly #pattern: RegExp;
  #next: Range | undefined | 'unread' = 'unread';

  constructor(text: string, pattern: RegExp) {
    this.#text = text;
    this.#pattern = pattern;
  }

  /** Returns the first match at or after `position`, which must not decrease. */
  from(position: number): Range | undefined {
    if (this.#next === undefined || (this.#next !== 'unread' && this.#next.start >= position)) return this.#next;
    this.#pattern.lastIndex = position;
    const match = this.#pattern.exec(this.#text);
    return (this.#next = match ? { start: match.index, end: match.index + match[0].length } : undefined);
  }
}

/**
 * Replaces the matches of a pattern before `last`, the last occurrence of the pattern's required ending. After it, the pattern would scan
 * to the end of the text from each start.
 */
export function replaceBefore(text: string, last: number, pattern: RegExp, replacement: string): string {
  return text.slice(0, last).replace(pattern, replacement) + text.slice(last);
}

/** Returns the offset after the last match of a global pattern; 0 if there is none. */
export function findLastMatchEnd(text: string, pattern: RegExp): number {
  let last = 0;
  for (const { 0: found, index } of text.matchAll(pattern)) last = index + found.length;
  return last;
}

/** Returns the offset after the last tag of a text; 0 if there is none. */
export const findLastTagEnd = (text: string): number => text.lastIndexOf('>') + 1;

/** Returns a function that computes the result for each text, or list of values, once. */
export function memoizeByText<Key extends string | readonly unknown[], Result>(
  compute: (key: Key) => Result,
): (key: Key) => Result {
  const cache = new Map<string, Result>();
  return (key) => {
    const text = String(key);
    let result = cache.get(text);
    if (result === undefined) cache.set(text, (result = compute(key)));
    return result;
  };
}

/** One replaced range of a text, in UTF-16 units of the text before the change. Several changes are applied in sequence. */
export interface Change {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** Returns the text after a change. */
export function applyChange(text: string, { offset, length, text: inserted }: Change): string {
  return text.slice(0, offset) + inserted + text.slice(offset + length);
}

/** Returns the single change that turns one text into another. It splits no surrogate pair. */
export function findChange(old: string, text: string): Change {
  const maxLength = Math.min(old.length, text.length);
  let start = 0;
  while (start < maxLength && old.charCodeAt(start) === text.charCodeAt(start)) start += 1;
  if (start > 0 && (isLowSurrogate(old, start) || isLowSurrogate(text, start))) start -= 1;
  let suffixLength = 0;
  while (
    suffixLength < maxLength - start &&
    old.charCodeAt(old.length - 1 - suffixLength) === text.charCodeAt(text.length - 1 - suffixLength)
  )
    suffixLength += 1;
  if (suffixLength > 0 && isLowSurrogate(old, old.length - suffixLength)) suffixLength -= 1;
  return {
    offset: start,
    length: old.length - start - suffixLength,
    text: text.slice(start, text.length - suffixLength),
  };
}

const isLowSurrogate = (text: string, at: number) => /[\uDC00-\uDFFF]/.test(text.charAt(at));
