import type { Range } from '../html/ranges.ts';
import type { Piece } from './model.ts';

/** Text copied from the source, or inserted for a source range. */
interface Chunk {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly isCopy: boolean;
}

/** Replaces a range by a text, or by two texts around a subrange that is kept. */
export interface MappedEdit extends Range {
  readonly text: string;
  readonly content?: Range;
  readonly textAfter?: string;
}

/** Text that is edited in passes and maps each character to the source. */
export class MappedText {
  readonly text: string;
  readonly #chunks: readonly Chunk[];

  private constructor(chunks: readonly Chunk[]) {
    this.#chunks = chunks;
    this.text = chunks.length === 1 ? (chunks[0]?.text ?? '') : chunks.map(({ text }) => text).join('');
  }

  static from(source: string): MappedText {
    return new MappedText([{ text: source, from: 0, to: source.length, isCopy: true }]);
  }

  /** `edits`: sorted, without overlaps. */
  replace(edits: readonly MappedEdit[]): MappedText {
    if (edits.length === 0) return this;
    const reader = new ChunkReader(this.#chunks);
    const chunks: Chunk[] = [];
    const replace = (until: number, text: string): void => {
      const source = reader.skip(until);
      if (text !== '') chunks.push({ text, ...source, isCopy: false });
    };
    for (const { start, end, text, content, textAfter = '' } of edits) {
      reader.take(start, chunks);
      replace(content?.start ?? end, text);
      if (content) reader.take(content.end, chunks);
      replace(end, textAfter);
    }
    reader.take(Infinity, chunks);
    return new MappedText(chunks);
  }

  /** Returns a test for inserted text in a range. Must be called with ascending offsets. */
  createInsertionTest(): (start: number, end: number) => boolean {
    let index = 0;
    let at = 0;
    return (start, end) => {
      for (; index < this.#chunks.length; index += 1) {
        const chunk = this.#chunks[index];
        const next = at + (chunk?.text.length ?? 0);
        if (next > start) break;
        at = next;
      }
      let next = at;
      for (let ahead = index; ahead < this.#chunks.length && next < end; ahead += 1) {
        const chunk = this.#chunks[ahead];
        if (chunk && !chunk.isCopy) return true;
        next += chunk?.text.length ?? 0;
      }
      return false;
    };
  }

  pieces(): Piece[] {
    const pieces: Piece[] = [];
    let start = 0;
    for (const { text, from, to, isCopy } of this.#chunks) {
      if (text.length === 0) continue;
      const last = pieces.at(-1);
      const end = start + text.length;
      if (isCopy && last?.kind === 'text' && last.sourceEnd === from)
        pieces[pieces.length - 1] = { ...last, end, sourceEnd: to };
      else pieces.push({ start, end, sourceStart: from, sourceEnd: to, kind: isCopy ? 'text' : 'tag' });
      start = end;
    }
    return pieces;
  }
}

/** Walks the chunks once, forward. */
class ChunkReader {
  readonly #chunks: readonly Chunk[];
  #index = 0;
  /** Offset of the current chunk, and of the reader within it. */
  #start = 0;
  #within = 0;

  constructor(chunks: readonly Chunk[]) {
    this.#chunks = chunks;
  }

  /** Copies the text before `until`. */
  take(until: number, into: Chunk[]): void {
    this.#walk(until, (chunk) => into.push(chunk));
  }

  /** Skips the text before `until` and returns its source range. */
  skip(until: number): { from: number; to: number } {
    const here = this.#chunks[this.#index];
    const offset = here ? (here.isCopy ? here.from + this.#within : here.from) : (this.#chunks.at(-1)?.to ?? 0);
    let from = Infinity;
    let to = -Infinity;
    this.#walk(until, (chunk) => {
      from = Math.min(from, chunk.from);
      to = Math.max(to, chunk.to);
    });
    return from > to ? { from: offset, to: offset } : { from, to };
  }

  #walk(until: number, each: (chunk: Chunk) => void): void {
    for (
      let chunk = this.#chunks[this.#index];
      chunk && this.#start + this.#within < until;
      chunk = this.#chunks[this.#index]
    ) {
      const end = Math.min(chunk.text.length, until - this.#start);
      if (end > this.#within) each(sliceChunk(chunk, this.#within, end));
      this.#within = end;
      if (end < chunk.text.length) return;
      this.#start += chunk.text.length;
      this.#within = 0;
      this.#index += 1;
    }
  }
}

function sliceChunk(chunk: Chunk, start: number, end: number): Chunk {
  if (start === 0 && end === chunk.text.length) return chunk;
  const text = chunk.text.slice(start, end);
  return chunk.isCopy ? { text, from: chunk.from + start, to: chunk.from + end, isCopy: true } : { ...chunk, text };
}

/** Marks of other extensions, which the service removes from the body. */
const extensionMarkPattern =
  /\{\/?(?:reg|pub)\}|\{(?:tab[ =][^{}]*|\/tabs|jcomments\s+(?:on|off|lock)|youtube[^{}]+)\}|\{youtube\}(?:([^{]*)\{\/youtube\})?|\{vimeo\}([^{]+)\{\/vimeo\}/gi;

/** Finds extension marks, which the service removes before it evaluates conditions, and image URLs with spaces from tag values. */
export function findExtensionMarks(mapped: MappedText): MappedEdit[] {
  const { text } = mapped;
  const edits = [...text.matchAll(extensionMarkPattern)].map((match): MappedEdit => ({
    start: match.index,
    end: match.index + match[0].length,
    text:
      match[1] !== undefined ? formatYoutubeLink(match[1]) : match[2] !== undefined ? formatVimeoFrame(match[2]) : '',
  }));
  return [...edits, ...encodeImageSpaces(mapped)]
    .sort((one, other) => one.start - other.start)
    .filter(({ start }, index, all) => start >= (all[index - 1]?.end ?? 0));
}

function formatYoutubeLink(content: string): string {
  const id = /[\s\S]v=([^&]+)/.exec(content)?.[1];
  return id
    ? `<a target="_blank" href="https://www.youtube.com/watch?v=${id}"><img src="https://img.youtube.com/vi/${id}/0.jpg"/></a>`
    : '';
}

const formatVimeoFrame = (content: string): string =>
  `<iframe src="${content.startsWith('https://vimeo.com/') ? content : `https://player.vimeo.com/video/${content}`}"></iframe>`;

/** The service writes `src="a b"` as `src='a%20b'`. Only spaces from tag values are encoded here. */
function encodeImageSpaces(mapped: MappedText): MappedEdit[] {
  const isInserted = mapped.createInsertionTest();
  return [...mapped.text.matchAll(/src="([^"]*)"/gi)].flatMap((match) => {
    const start = match.index;
    const end = start + match[0].length;
    const value = match[1] ?? '';
    return value.includes(' ') && isInserted(start, end)
      ? [{ start, end, text: `src='${value.replaceAll(' ', '%20')}'` }]
      : [];
  });
}
