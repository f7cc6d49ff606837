import { findFirstIndex } from '../../../email/html/ranges.ts';
import type { Piece, Rendered } from '../../../email/tags/index.ts';
import { findChange, applyChange } from '../../../email/html/changes.ts';
import type { Change } from '../../../email/html/changes.ts';

type MovablePiece = { -readonly [Key in keyof Piece]: Piece[Key] };

/** Signs that tags or conditions could be made of: text with one of them is rendered anew. */
const tagCharacter = /[{}%\n]/;
/** Letters before an edit in which a tag that is not closed could have begun. */
const TAG_LOOKBEHIND_CHARS = 500;

/**
 * A text with its tags replaced, and what of it comes from where in the source. What is typed between tags is carried along, without
 * rendering the whole text again.
 */
export class RenderedText {
  readonly #render: (text: string) => Rendered;
  readonly #isIncremental: boolean;
  #source: string;
  #text = '';
  #pieces: MovablePiece[] = [];

  /** `carries`: text between what `render` replaces is copied, whatever else it says. */
  constructor(source: string, render: (text: string) => Rendered, isIncremental = true) {
    this.#source = source;
    this.#render = render;
    this.#isIncremental = isIncremental;
    this.#renderAll();
  }

  get text(): string {
    return this.#text;
  }

  /** Renders the whole text again; where nothing but itself is looked at and it is the same as before, that is what there is. */
  refresh(source = this.#source): void {
    if (!this.#isIncremental && source === this.#source && this.#pieces.length > 0) return;
    this.#source = source;
    this.#renderAll();
  }

  #renderAll(): void {
    const { text, pieces } = this.#render(this.#source);
    this.#text = text;
    this.#pieces = pieces.map((piece) => ({ ...piece }));
  }

  /** Makes a change of the source; gives what it changes in the rendered text. */
  change(change: Change): Change {
    const renderedChange = this.#isIncremental ? this.#tryIncremental(change) : undefined;
    this.#source = applyChange(this.#source, change);
    if (renderedChange) {
      this.#text = applyChange(this.#text, renderedChange);
      return renderedChange;
    }
    const before = this.#text;
    this.#renderAll();
    return findChange(before, this.#text);
  }

  /** The offset in the source that an offset of the rendered text comes from; of what a tag gave, where the tag begins. */
  toSource(offset: number): number {
    const piece = this.#pieces[findFirstIndex(this.#pieces, ({ end }) => end > offset)] ?? this.#pieces.at(-1);
    if (!piece) return 0;
    return piece.kind === 'text'
      ? Math.min(piece.sourceStart + offset - piece.start, piece.sourceEnd)
      : piece.sourceStart;
  }

  /** Where an offset of the source is in the rendered text; within a tag, where that begins. */
  toRendered(offset: number): number {
    const piece = this.#pieces.findLast(({ sourceStart }) => sourceStart <= offset) ?? this.#pieces[0];
    if (!piece || offset < piece.sourceStart) return 0;
    return piece.kind === 'text' ? Math.min(piece.start + offset - piece.sourceStart, piece.end) : piece.start;
  }

  /** The change of a text between two tags, where it can make or break none; the pieces behind it are moved. */
  #tryIncremental({ offset, length, text }: Change): Change | undefined {
    const end = offset + length;
    if (tagCharacter.test(text) || tagCharacter.test(this.#source.slice(offset, end))) return undefined;
    const before = this.#source.slice(Math.max(0, offset - TAG_LOOKBEHIND_CHARS), offset);
    // A name that is being written may become a tag's.
    const brace = Math.max(before.lastIndexOf('{'), before.lastIndexOf('%'));
    if (brace >= 0 && !/[}\n]/.test(before.slice(brace))) return undefined;
    const index = this.#pieces.findIndex(
      (piece) => piece.kind === 'text' && piece.sourceStart <= offset && end <= piece.sourceEnd,
    );
    const piece = this.#pieces[index];
    // The source may stand in the text more than once, or in another order.
    if (!piece || this.#pieces.some((each, at) => at !== index && each.sourceStart < end && each.sourceEnd > offset))
      return undefined;
    const delta = text.length - length;
    // What a pair or a condition holds counts as nothing where it is empty, or 0.
    if (piece.sourceEnd - piece.sourceStart + delta < 2) return undefined;
    const start = piece.start + offset - piece.sourceStart;
    for (const each of this.#pieces) {
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
    return { offset: start, length, text };
  }
}
