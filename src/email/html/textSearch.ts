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
