/** One replaced range of a text, in UTF-16 units of the text before it. Several are applied one after the other. */
export interface Change {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** The text after a change. */
export function spliced(text: string, { offset, length, text: inserted }: Change): string {
  return text.slice(0, offset) + inserted + text.slice(offset + length);
}

/** The one replaced range that makes one text of another. */
export function difference(old: string, text: string): Change {
  const most = Math.min(old.length, text.length);
  let start = 0;
  while (start < most && old.charCodeAt(start) === text.charCodeAt(start)) start += 1;
  let tail = 0;
  while (tail < most - start && old.charCodeAt(old.length - 1 - tail) === text.charCodeAt(text.length - 1 - tail))
    tail += 1;
  return { offset: start, length: old.length - start - tail, text: text.slice(start, text.length - tail) };
}
