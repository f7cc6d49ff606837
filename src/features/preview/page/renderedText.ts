import type { Piece, Rendered } from '../../../email/tags/index.ts';
import { applyChange, type Change, findChange, findFirstIndex } from '../../../email/html/text.ts';

type MovablePiece = { -readonly [Key in keyof Piece]: Piece[Key] };

/** Characters that can be part of a tag or condition, or of markup around it. Text with one of them is rendered again. */
const tagCharacter = /[{}%\n<>"]/;

/**
 * A rendered text, and the source range of each of its pieces: its text always is the rendering of its source. Edits between tags are applied without
 * rendering the whole text again.
 */
export class RenderedText {
  readonly #render: (text: string) => Rendered;
  readonly #isIncremental: boolean;
  #source: string;
  #text = '';
  #pieces: MovablePiece[] = [];

  /** `isIncremental`: text between the replaced pieces is copied unchanged, regardless of its context. */
  constructor(source: string, render: (text: string) => Rendered, isIncremental = true) {
    this.#source = source;
    this.#render = render;
    this.#isIncremental = isIncremental;
    this.#renderAll();
  }

  get text(): string {
    return this.#text;
  }

  /** Applies a change to the source. Returns the resulting change of the rendered text. */
  change(edit: Change): Change {
    const renderedChange = this.#isIncremental ? this.#changeBetweenTags(edit) : undefined;
    const before = this.#text;
    this.#source = applyChange(this.#source, edit);
    if (renderedChange) this.#text = applyChange(before, renderedChange);
    else this.#renderAll();
    return renderedChange ?? findChange(before, this.#text);
  }

  /** Converts a rendered offset to a source offset. Text that replaced a tag maps to the start of the tag. */
  toSource(offset: number): number {
    const pieces = this.#pieces;
    const piece = pieces[findFirstIndex(pieces, ({ end }) => end > offset)] ?? pieces.at(-1);
    if (!piece) return 0;
    return piece.kind === 'text'
      ? Math.min(piece.sourceStart + offset - piece.start, piece.sourceEnd)
      : piece.sourceStart;
  }

  /** Converts a source offset to a rendered offset. An offset within a tag maps to the start of its replacement. */
  toRendered(offset: number): number {
    const piece = this.#pieces.findLast(({ sourceStart }) => sourceStart <= offset);
    if (!piece) return 0;
    return piece.kind === 'text' ? Math.min(piece.start + offset - piece.sourceStart, piece.end) : piece.start;
  }

  #renderAll() {
    const rendered = this.#render(this.#source);
    this.#text = rendered.text;
    this.#pieces = rendered.pieces.map((piece) => ({ ...piece }));
  }

  /** Moves the pieces after a change between two tags that can't create or break a tag. Returns undefined for other changes. */
  #changeBetweenTags({ offset, length, text }: Change): Change | undefined {
    const [source, pieces, end] = [this.#source, this.#pieces, offset + length];
    if (tagCharacter.test(text) || tagCharacter.test(source.slice(offset, end))) return undefined;
    // An incomplete name may become a tag, and the service rewrites markup around tags.
    const findBefore = (...marks: readonly string[]) =>
      Math.max(...marks.map((mark) => source.lastIndexOf(mark, offset - 1)));
    if (offset > 0 && (findBefore('{', '%') > findBefore('}', '\n') || findBefore('<') > findBefore('>')))
      return undefined;
    const piece = pieces.find(
      ({ kind, sourceStart, sourceEnd }) => kind === 'text' && sourceStart <= offset && end <= sourceEnd,
    );
    // A source range may be rendered several times or in another order.
    if (!piece || pieces.some((each) => each !== piece && each.sourceStart < end && each.sourceEnd > offset))
      return undefined;
    const delta = text.length - length;
    // Empty content, or `0`, changes the result of a pair or condition.
    if (piece.sourceEnd - piece.sourceStart + delta < 2) return undefined;
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
    return { offset: piece.start + offset - piece.sourceStart, length, text };
  }
}
