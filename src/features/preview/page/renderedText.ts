import { findFirstIndex } from '../../../email/html/ranges.ts';
import type { Piece, Rendered } from '../../../email/tags/index.ts';
import { findChange, applyChange, type Change } from '../../../email/html/text.ts';

type MovablePiece = { -readonly [Key in keyof Piece]: Piece[Key] };

/** Characters that can be part of a tag or condition. Text with one of them is rendered again. */
const tagCharacter = /[{}%\n]/;
/** How far before an edit an unclosed tag may have started. */
const TAG_LOOKBEHIND_CHARS = 500;

export type RenderedText = ReturnType<typeof createRenderedText>;

/**
 * Renders a text, and keeps the source range of each of its pieces. Edits between tags are applied without rendering the whole text again.
 * `isIncremental`: text between the replaced pieces is copied unchanged, regardless of its context.
 */
export function createRenderedText(initialSource: string, render: (text: string) => Rendered, isIncremental = true) {
  let source = initialSource;
  let text = '';
  let pieces: MovablePiece[] = [];

  renderAll();

  /** Renders the whole text again, unless the result depends only on the source and that is unchanged. Returns it. */
  function refresh(newSource: string) {
    const isUpToDate = !isIncremental && newSource === source;
    source = newSource;
    if (!isUpToDate) renderAll();
    return text;
  }

  function renderAll() {
    const rendered = render(source);
    ({ text } = rendered);
    pieces = rendered.pieces.map((piece) => ({ ...piece }));
  }

  /** Applies a change to the source. Returns the resulting change of the rendered text. */
  function change(edit: Change) {
    const renderedChange = isIncremental ? tryIncremental(edit) : undefined;
    source = applyChange(source, edit);
    if (renderedChange) {
      text = applyChange(text, renderedChange);
      return renderedChange;
    }
    const before = text;
    renderAll();
    return findChange(before, text);
  }

  /** Converts a rendered offset to a source offset. Text that replaced a tag maps to the start of the tag. */
  function toSource(offset: number) {
    const piece = pieces[findFirstIndex(pieces, ({ end }) => end > offset)] ?? pieces.at(-1);
    if (!piece) return 0;
    return piece.kind === 'text'
      ? Math.min(piece.sourceStart + offset - piece.start, piece.sourceEnd)
      : piece.sourceStart;
  }

  /** Converts a source offset to a rendered offset. An offset within a tag maps to the start of its replacement. */
  function toRendered(offset: number) {
    const piece = pieces.findLast(({ sourceStart }) => sourceStart <= offset) ?? pieces[0];
    if (!piece || offset < piece.sourceStart) return 0;
    return piece.kind === 'text' ? Math.min(piece.start + offset - piece.sourceStart, piece.end) : piece.start;
  }

  /** Applies a change between two tags that can't create or break a tag, and moves the pieces after it. */
  function tryIncremental({ offset, length, text: inserted }: Change) {
    const end = offset + length;
    if (tagCharacter.test(inserted) || tagCharacter.test(source.slice(offset, end))) return undefined;
    const before = source.slice(Math.max(0, offset - TAG_LOOKBEHIND_CHARS), offset);
    // An incomplete name may become a tag.
    const brace = Math.max(before.lastIndexOf('{'), before.lastIndexOf('%'));
    if (brace >= 0 && !/[}\n]/.test(before.slice(brace))) return undefined;
    const piece = pieces.find(
      ({ kind, sourceStart, sourceEnd }) => kind === 'text' && sourceStart <= offset && end <= sourceEnd,
    );
    // A source range may be rendered several times or in another order.
    if (!piece || pieces.some((each) => each !== piece && each.sourceStart < end && each.sourceEnd > offset))
      return undefined;
    const delta = inserted.length - length;
    // Empty content, or `0`, changes the result of a pair or condition.
    if (piece.sourceEnd - piece.sourceStart + delta < 2) return undefined;
    const start = piece.start + offset - piece.sourceStart;
    for (const each of pieces) {
      if (each === piece) continue;
      if (each.start >= piece.end) {
        each.start += delta;
        each.end += delta;
      }
      if (each.sourceStart >= end) {
        each.sourceStart += delta;
        each.sourceEnd += delta;
      }
    }
    piece.end += delta;
    piece.sourceEnd += delta;
    return { offset: start, length, text: inserted };
  }

  return { getText: () => text, refresh, change, toSource, toRendered };
}
