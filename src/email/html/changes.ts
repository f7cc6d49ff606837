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

/** Returns the single change that turns one text into another. */
export function findChange(old: string, text: string): Change {
  const maxLength = Math.min(old.length, text.length);
  let start = 0;
  while (start < maxLength && old.charCodeAt(start) === text.charCodeAt(start)) start += 1;
  let suffixLength = 0;
  while (
    suffixLength < maxLength - start &&
    old.charCodeAt(old.length - 1 - suffixLength) === text.charCodeAt(text.length - 1 - suffixLength)
  )
    suffixLength += 1;
  return {
    offset: start,
    length: old.length - start - suffixLength,
    text: text.slice(start, text.length - suffixLength),
  };
}
