import type { Piece, Rendered, TextEdit } from '../tags/index.ts';
import type { LensPart } from './model.ts';

/** Applies edits and maps the result to the source. If edits overlap, the first one wins. */
export function applyEdits(source: string, edits: readonly TextEdit[]): Rendered {
  const parts: LensPart[] = [];
  let from = 0;
  for (const { start, end, text } of edits.toSorted((one, other) => one.start - other.start || one.end - other.end)) {
    if (start < from) continue;
    if (start > from) parts.push({ start: from, end: start });
    parts.push({ text, start, end });
    from = end;
  }
  return assembleParts(source, [...parts, { start: from, end: source.length }]);
}

export function assembleParts(source: string, parts: readonly LensPart[]): Rendered {
  let text = '';
  const pieces: Piece[] = [];
  for (const part of parts) {
    const partText = 'text' in part ? part.text : source.slice(part.start, part.end);
    const kind = 'text' in part ? 'tag' : 'text';
    pieces.push({
      start: text.length,
      end: text.length + partText.length,
      sourceStart: part.start,
      sourceEnd: part.end,
      kind,
    });
    text += partText;
  }
  return { text, pieces };
}
