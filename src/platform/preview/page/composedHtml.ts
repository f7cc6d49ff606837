import { composeSegments } from '../../../email/compose/compose.ts';
import type { Composition, ComposedSegment } from '../../../email/compose/compose.ts';
import type { Part } from '../protocol.ts';

interface Span {
  readonly source?: Part;
  offset: number;
  length: number;
}

/** A position in one of the parts. */
export interface PartPosition {
  readonly part: Part;
  readonly offset: number;
}

/** The composed HTML, and which part each span of it comes from. Edits within a span don't require composing again. */
export class ComposedHtml {
  #html: string;
  readonly #spans: Span[];

  /** `isWhole`: the body is the complete sent document. */
  constructor(composition: Composition, isWhole = false) {
    const pieces: readonly ComposedSegment[] = isWhole
      ? [{ text: composition.body, source: 'body', offset: 0 }]
      : composeSegments(composition);
    this.#html = pieces.map((piece) => piece.text).join('');
    this.#spans = pieces.map(({ text, source, offset }) => ({
      ...(source ? { source } : {}),
      offset: offset ?? 0,
      length: text.length,
    }));
  }

  get html(): string {
    return this.#html;
  }

  /** Converts a part's range to a composed range. Undefined if it spans several spans or touches the end of one. */
  toComposedRange(part: Part, offset: number, length: number): { start: number; end: number } | undefined {
    let start = 0;
    let match: { start: number; end: number } | undefined;
    for (const span of this.#spans) {
      if (span.source === part && offset >= span.offset && offset + length <= span.offset + span.length) {
        if (match) return undefined;
        match = { start: start + offset - span.offset, end: start + offset - span.offset + length };
      }
      start += span.length;
    }
    return match;
  }

  /** Converts a composed offset to a position in a part. */
  toPart(at: number): PartPosition | undefined {
    let start = 0;
    for (const span of this.#spans) {
      if (at < start + span.length) return span.source && { part: span.source, offset: span.offset + at - start };
      start += span.length;
    }
    return undefined;
  }

  /** Converts an offset in a part to a composed offset. */
  toComposed(part: Part, offset: number): number | undefined {
    let start = 0;
    for (const span of this.#spans) {
      if (span.source === part && offset >= span.offset && offset <= span.offset + span.length)
        return start + offset - span.offset;
      start += span.length;
    }
    return undefined;
  }

  /** Replaces a range returned by `toComposedRange`. */
  replace(part: Part, { start, end }: { start: number; end: number }, text: string): void {
    const delta = text.length - (end - start);
    let at = 0;
    let isAfterEdit = false;
    for (const span of this.#spans) {
      if (isAfterEdit && span.source === part) span.offset += delta;
      if (!isAfterEdit && span.source === part && start >= at && end <= at + span.length) {
        span.length += delta;
        isAfterEdit = true;
        at -= delta;
      }
      at += span.length;
    }
    this.#html = this.#html.slice(0, start) + text + this.#html.slice(end);
  }
}
