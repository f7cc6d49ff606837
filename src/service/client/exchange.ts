import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import type { Dispatcher } from 'undici';

export interface WireRequest {
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Sent with the case they are written in. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** True where the answer was longer than is read: `text` is its beginning. */
  readonly isTooLarge: boolean;
}

type ExchangePhase = 'connect' | 'head' | 'body';

/** No answer, or only a part of one. */
export class ExchangeFailure extends Error {
  readonly reason: 'aborted' | 'timeout' | 'failed';
  readonly phase: ExchangePhase;
  /** Whether any of the request may have reached the service. */
  readonly sent: boolean;
  /** The system's or undici's code. */
  readonly code: string;
  constructor(reason: 'aborted' | 'timeout' | 'failed', phase: ExchangePhase, code: string) {
    super(`${reason} (${code}) in phase ${phase}`);
    this.name = 'ExchangeFailure';
    this.reason = reason;
    this.phase = phase;
    this.sent = phase !== 'connect';
    this.code = code;
  }
}

/** The code of a failed connection; undici and TLS wrap the telling one. */
function getErrorCode(error: unknown): string {
  const seen = new Set<unknown>();
  let code = 'UNKNOWN';
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at);
    if ('code' in at && typeof at.code === 'string') code = at.code;
    if (at.name === 'HTTPParserError') return 'NOT_HTTP';
    // A status that was not asked for (100, 101): undici ends the connection.
    if (/^bad (?:response|upgrade)$/.test(at.message)) return 'BAD_RESPONSE';
    // undici reports a proxy's refusal of a tunnel as an abort, and of plain requests as an argument.
    const refusal = /^Proxy (?:response|Authentication)[^(]*\((\d{3})\)/.exec(at.message);
    if (refusal !== null) return refusal[1] === '407' ? 'PROXY_AUTHENTICATION' : `PROXY_REFUSED_${refusal[1]}`;
  }
  return code;
}

/**
 * Sends one request, once, and reads its answer. Follows nothing and repeats nothing, not even where undici would: a request whose
 * connection was lost is never written a second time.
 * @param timeoutMs bounds each of: to connect, until the answer begins, until it ends
 * Rejects with `ExchangeFailure`.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: WireRequest,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    let phase: ExchangePhase = 'connect';
    let settled = false;
    let timer: NodeJS.Timeout | undefined;
    let body: ResponseBody | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    let headers: HttpResponse['headers'] = {};

    const settle = (conclude: () => void, keepConnection: boolean) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      conclude();
      if (!keepConnection) {
        body?.discard();
        controller?.abort(new Error('given up'));
      }
    };
    const fail = (reason: 'aborted' | 'timeout' | 'failed', code: string) =>
      settle(() => reject(new ExchangeFailure(reason, phase, code)), false);
    const onAbort = () => fail('aborted', 'ABORTED');
    const enter = (next: ExchangePhase) => {
      phase = next;
      clearTimeout(timer);
      timer = setTimeout(() => fail('timeout', 'TIMEOUT'), timeoutMs);
    };

    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    enter('connect');
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        // Called just before the bytes are written: given up while connecting, or written before, means not now.
        if (settled || phase !== 'connect') return started.abort(new Error('given up'));
        controller = started;
        enter('head');
      },
      onResponseStart(_controller, statusCode, answerHeaders) {
        if (settled || statusCode < 200) return;
        status = statusCode;
        headers = answerHeaders;
        enter('body');
        const overflow = () =>
          settle(() => resolve({ status, headers, text: body?.text() ?? '', isTooLarge: true }), false);
        body = new ResponseBody(headers, overflow, (code) => fail('failed', code));
      },
      onResponseData(_controller, chunk) {
        if (!settled) body?.push(chunk);
      },
      onResponseEnd() {
        clearTimeout(timer);
        const answer = () =>
          settle(() => resolve({ status, headers, text: body?.text() ?? '', isTooLarge: false }), true);
        // undici frees the connection in the turn after this one: a caller who goes on at once would open a second.
        body?.end(() => queueMicrotask(() => setImmediate(answer)));
      },
      onResponseError(_controller, error) {
        fail('failed', getErrorCode(error));
      },
    };
    try {
      dispatcher.dispatch(
        { ...request, idempotent: request.method === 'GET', headersTimeout: 0, bodyTimeout: 0 },
        handler,
      );
    } catch (error) {
      fail('failed', getErrorCode(error));
    }
  });
}

/** Longest answer that is read, in bytes after decompression. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** What is asked for: every server that compresses can write one of them. */
export const ACCEPT_ENCODING = 'gzip, br';

/** More encodings around one answer than this are nobody's honest doing. */
const MAX_ENCODINGS = 3;

/** How data compressed as the standard has it begins, in the lower half of its first byte. */
const ZLIB_METHOD = 8;

/** Makes a decoder; what it is made for is known by the first byte of the answer. Nothing where this version of Node has none. */
type DecoderFactory = (first: number) => Transform | undefined;

/** Also those that are not asked for: some servers compress all the same. */
const decoderFactories: ReadonlyMap<string, DecoderFactory> = new Map<string, DecoderFactory>([
  ['gzip', () => zlib.createGunzip()],
  ['x-gzip', () => zlib.createGunzip()],
  // By the standard it has a head, which many servers leave out: then its first byte can't be one.
  ['deflate', (first) => ((first & 0x0f) === ZLIB_METHOD ? zlib.createInflate() : zlib.createInflateRaw())],
  ['br', () => zlib.createBrotliDecompress()],
  ['zstd', () => ('createZstdDecompress' in zlib ? zlib.createZstdDecompress() : undefined)],
]);

/** Why an answer can't be decoded: its compression is broken, or one that is not known. */
type EncodingProblem = 'BROKEN_ENCODING' | 'UNKNOWN_ENCODING';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The encodings of an answer, in the order in which they are taken off. */
function getEncodings(headers: Headers): string[] {
  const named = String(headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  return named.filter((name) => name !== '' && name !== 'identity').reverse();
}

/** The charset that an answer's head names. */
function getCharset(headers: Headers): string | undefined {
  return /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(String(headers['content-type'] ?? ''))?.[1];
}

/** JSON is UTF-8, whatever an installation's head says of it; only bytes that can't be are read as what the head says. */
function decodeText(bytes: Buffer, charset: string | undefined): string {
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
class ResponseBody {
  readonly #headers: Headers;
  readonly #onOverflow: () => void;
  readonly #onProblem: (problem: EncodingProblem) => void;
  readonly #chunks: Buffer[] = [];
  /** Each writes into the next. */
  #decoders: Transform[] | undefined;
  #sizeBytes = 0;
  #ended = false;

  /** `onOverflow` and `onProblem` are called at most once, and one of them only. */
  constructor(headers: Headers, onOverflow: () => void, onProblem: (problem: EncodingProblem) => void) {
    this.#headers = headers;
    this.#onOverflow = onOverflow;
    this.#onProblem = onProblem;
  }

  push(chunk: Buffer): void {
    if (this.#ended || chunk.length === 0) return;
    this.#decoders ??= this.#createDecoders(chunk[0] ?? 0);
    const [first] = this.#decoders;
    if (first !== undefined) first.write(chunk);
    else if (!this.#ended) this.#append(chunk);
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
    return decodeText(Buffer.concat(this.#chunks), getCharset(this.#headers));
  }

  discard(): void {
    this.#ended = true;
    for (const decoder of this.#decoders ?? []) decoder.destroy();
  }

  #createDecoders(firstByte: number): Transform[] {
    const names = getEncodings(this.#headers);
    const made = names.map((name, index) => decoderFactories.get(name)?.(index === 0 ? firstByte : ZLIB_METHOD));
    const open = made.filter((decoder) => decoder !== undefined);
    if (open.length < made.length || open.length > MAX_ENCODINGS) {
      this.#fail('UNKNOWN_ENCODING');
      return [];
    }
    open.forEach((decoder, index) => {
      const next = open[index + 1];
      decoder.on('error', () => this.#fail('BROKEN_ENCODING'));
      if (next === undefined) decoder.on('data', (chunk: Buffer) => this.#append(chunk));
      else decoder.pipe(next);
    });
    return open;
  }

  #fail(problem: EncodingProblem): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#onProblem(problem);
  }

  #append(chunk: Buffer): void {
    if (this.#ended) return;
    this.#sizeBytes += chunk.length;
    if (this.#sizeBytes > MAX_RESPONSE_BYTES) {
      this.#ended = true;
      // What is quoted of it is in the first bytes: the rest need not be decoded.
      this.#chunks.splice(1);
      this.#onOverflow();
      return;
    }
    this.#chunks.push(chunk);
  }
}
