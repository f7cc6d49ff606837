/**
 * Replaces what a pattern finds before `last`, where the last thing stands that the pattern must end with. Behind it, the pattern would look
 * from each of its starts to the end of the text in vain.
 */
export function replaceBefore(text: string, last: number, pattern: RegExp, replacement: string): string {
  return text.slice(0, last).replace(pattern, replacement) + text.slice(last);
}

/** Returns the offset behind the last match of a global pattern; 0 where there is none. */
export function findLastMatchEnd(text: string, pattern: RegExp): number {
  let last = 0;
  for (const { 0: found, index } of text.matchAll(pattern)) last = index + found.length;
  return last;
}

/** Returns the offset behind the last tag of a text; 0 where there is none. */
export const findLastTagEnd = (text: string): number => text.lastIndexOf('>') + 1;
