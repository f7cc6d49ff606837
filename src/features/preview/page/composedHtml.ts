import { composeSegments, type ComposedSegment, type Composition } from '../../../email/compose/compose.ts';
import type { Range } from '../../../email/html/text.ts';
import type { Part } from '../protocol.ts';

/** A position in one of the parts. */
export interface PartPosition {
  readonly part: Part;
  readonly offset: number;
}

/** A segment of the composed HTML: where it starts, and its offset in the part that it is copied from. */
interface Span {
  readonly source?: Part;
  start: number;
  offset: number;
  length: number;
}

/** The composed HTML, and which part each span comes from. Edits within a span don't require composing again. */
export class ComposedHtml {
  #html = '';
  readonly #spans: readonly Span[];

  /** `isWhole`: the body is the complete sent document. */
  constructor(email: Composition & { readonly isWhole?: boolean }) {
    const segments: readonly ComposedSegment[] = email.isWhole
      ? [{ text: email.body, source: 'body' }]
      : composeSegments(email);
    this.#spans = segments.map(({ text, source, offset = 0 }) => {
      const start = this.#html.length;
      this.#html += text;
      return { source, start, offset, length: text.length };
    });
  }

  get html(): string {
    return this.#html;
  }

  /** Converts a part's range to a composed range. Undefined if it spans several spans or touches the end of one. */
  toComposedRange(part: Part, offset: number, length: number): Range | undefined {
    const [span, another] = this.#findSpans(part, offset, length);
    if (!span || another) return undefined;
    const start = span.start + offset - span.offset;
    return { start, end: start + length };
  }

  /** Converts a composed offset to a position in a part. */
  toPart(at: number): PartPosition | undefined {
    const span = this.#spans.find(({ start, length }) => at < start + length);
    return span?.source && { part: span.source, offset: span.offset + at - span.start };
  }

  /** Converts an offset in a part to a composed offset. */
  toComposed(part: Part, offset: number): number | undefined {
    const [span] = this.#findSpans(part, offset, 0);
    return span && span.start + offset - span.offset;
  }

  /** Replaces a range returned by `toComposedRange`. */
  replace(part: Part, { start, end }: Range, text: string): void {
    const delta = text.length - (end - start);
    let isAfterEdit = false;
    for (const span of this.#spans) {
      if (isAfterEdit) {
        span.start += delta;
        if (span.source === part) span.offset += delta;
      } else if (span.source === part && start >= span.start && end <= span.start + span.length) {
        span.length += delta;
        isAfterEdit = true;
      }
    }
    this.#html = this.#html.slice(0, start) + text + this.#html.slice(end);
  }

  #findSpans(part: Part, offset: number, length: number) {
    return this.#spans.filter(
      (span) => span.source === part && offset >= span.offset && offset + length <= span.offset + span.length,
    );
  }
}
