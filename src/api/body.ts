import * as zlib from 'node:zlib';
import type { Transform } from 'node:stream';

/** Longest answer that is read, in bytes after decompression. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** What is asked for: every server that compresses can write one of them. */
export const ACCEPT_ENCODING = 'gzip, br';

/** More encodings around one answer than this are nobody's honest doing. */
const MAX_ENCODINGS = 3;

/** How data compressed as the standard has it begins, in the lower half of its first byte. */
const ZLIB = 8;

/** Makes a decoder; what it is made for is known by the first byte of the answer. Nothing where this version of Node has none. */
type MakeDecoder = (first: number) => Transform | undefined;

/** Also those that are not asked for: some servers compress all the same. */
const decoders: ReadonlyMap<string, MakeDecoder> = new Map<string, MakeDecoder>([
  ['gzip', () => zlib.createGunzip()],
  ['x-gzip', () => zlib.createGunzip()],
  // By the standard it has a head, which many servers leave out: then its first byte can't be one.
  ['deflate', (first) => ((first & 0x0f) === ZLIB ? zlib.createInflate() : zlib.createInflateRaw())],
  ['br', () => zlib.createBrotliDecompress()],
  ['zstd', () => ('createZstdDecompress' in zlib ? zlib.createZstdDecompress() : undefined)],
]);

/** Why an answer can't be decoded: its compression is broken, or one that is not known. */
export type EncodingProblem = 'BROKEN_ENCODING' | 'UNKNOWN_ENCODING';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The encodings of an answer, in the order in which they are taken off. */
function encodingsOf(headers: Headers): string[] {
  const named = String(headers['content-encoding'] ?? '').toLowerCase().split(',').map((name) => name.trim());
  return named.filter((name) => name !== '' && name !== 'identity').reverse();
}

/** The charset that an answer's head names. */
function charsetOf(headers: Headers): string | undefined {
  return /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(String(headers['content-type'] ?? ''))?.[1];
}

/** JSON is UTF-8, whatever an installation's head says of it; only bytes that can't be are read as what the head says. */
function decode(bytes: Buffer, charset: string | undefined): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    try {
      return new TextDecoder(charset).decode(bytes);
    } catch {
      return new TextDecoder().decode(bytes);
    }
  }
}

/** Gathers the bytes of an answer, decompressed, up to the limit. */
export class Body {
  readonly #headers: Headers;
  readonly #onOverflow: () => void;
  readonly #onProblem: (problem: EncodingProblem) => void;
  readonly #chunks: Buffer[] = [];
  /** Each writes into the next. */
  #decoders: Transform[] | undefined;
  #size = 0;
  #ended = false;

  /** `onOverflow` and `onProblem` are called at most once, and one of them only. */
  constructor(headers: Headers, onOverflow: () => void, onProblem: (problem: EncodingProblem) => void) {
    this.#headers = headers;
    this.#onOverflow = onOverflow;
    this.#onProblem = onProblem;
  }

  push(chunk: Buffer): void {
    if (this.#ended || chunk.length === 0) return;
    this.#decoders ??= this.#open(chunk[0] ?? 0);
    const [first] = this.#decoders;
    if (first !== undefined) first.write(chunk);
    else if (!this.#ended) this.#keep(chunk);
  }

  end(done: () => void): void {
    if (this.#ended) return;
    // An empty answer is not compressed, whatever its head says.
    const last = this.#decoders?.at(-1);
    if (last === undefined) return done();
    last.once('end', done);
    this.#decoders?.[0]?.end();
  }

  text(): string {
    return decode(Buffer.concat(this.#chunks), charsetOf(this.#headers));
  }

  discard(): void {
    this.#ended = true;
    for (const decoder of this.#decoders ?? []) decoder.destroy();
  }

  #open(firstByte: number): Transform[] {
    const names = encodingsOf(this.#headers);
    const made = names.map((name, index) => decoders.get(name)?.(index === 0 ? firstByte : ZLIB));
    const open = made.filter((decoder) => decoder !== undefined);
    if (open.length < made.length || open.length > MAX_ENCODINGS) {
      this.#problem('UNKNOWN_ENCODING');
      return [];
    }
    open.forEach((decoder, index) => {
      const next = open[index + 1];
      decoder.on('error', () => this.#problem('BROKEN_ENCODING'));
      if (next === undefined) decoder.on('data', (chunk: Buffer) => this.#keep(chunk));
      else decoder.pipe(next);
    });
    return open;
  }

  #problem(problem: EncodingProblem): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#onProblem(problem);
  }

  #keep(chunk: Buffer): void {
    if (this.#ended) return;
    this.#size += chunk.length;
    if (this.#size > MAX_ANSWER_BYTES) {
      this.#ended = true;
      // What is quoted of it is in the first bytes: the rest need not be decoded.
      this.#chunks.splice(1);
      this.#onOverflow();
      return;
    }
    this.#chunks.push(chunk);
  }
}
