import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import type { Dispatcher } from 'undici';

export interface WireRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Sent with the given case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpResponse {
  readonly status: number;
  /** Lowercase names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** True if the response exceeded the limit: `text` is its beginning. */
  readonly isTooLarge: boolean;
}

type ExchangePhase = 'connect' | 'head' | 'body';

/** No response, or an incomplete one. */
export class ExchangeFailure extends Error {
  readonly reason: 'aborted' | 'timeout' | 'failed';
  readonly phase: ExchangePhase;
  /** False if the request cannot have reached the service. */
  readonly sent: boolean;
  /** Error code of the system or undici. */
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

/** Returns the innermost error code, because undici and TLS wrap the actual error. */
function getErrorCode(error: unknown): string {
  const visited = new Set<unknown>();
  let code = 'UNKNOWN';
  for (let at = error; at instanceof Error && !visited.has(at); at = at.cause) {
    visited.add(at);
    if ('code' in at && typeof at.code === 'string') code = at.code;
    if (at.name === 'HTTPParserError') return 'NOT_HTTP';
    // undici closes the connection on an unexpected 100 or 101.
    if (/^bad (?:response|upgrade)$/.test(at.message)) return 'BAD_RESPONSE';
    // undici reports a refused tunnel as an abort, and a refused plain request as an invalid argument.
    const refusal = /^Proxy (?:response|Authentication)[^(]*\((\d{3})\)/.exec(at.message);
    if (refusal !== null) return refusal[1] === '407' ? 'PROXY_AUTHENTICATION' : `PROXY_REFUSED_${refusal[1]}`;
  }
  return code;
}

/**
 * Sends a request once and reads its response. Follows no redirects and never retries, not even if undici would after a lost connection.
 * @param timeoutMs applies separately to connecting, to the response headers and to the response body
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
        controller?.abort(new Error('aborted'));
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
        // Runs just before the request is written. If the call was aborted while connecting, or was written before, it must not be written
        // now.
        if (settled || phase !== 'connect') return started.abort(new Error('aborted'));
        controller = started;
        enter('head');
      },
      onResponseStart(_controller, statusCode, responseHeaders) {
        if (settled || statusCode < 200) return;
        status = statusCode;
        headers = responseHeaders;
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
        const finish = () =>
          settle(() => resolve({ status, headers, text: body?.text() ?? '', isTooLarge: false }), true);
        // undici releases the connection in the next turn. Resolving earlier would make an immediate next call open a second connection.
        body?.end(() => queueMicrotask(() => setImmediate(finish)));
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

/** Applies after decompression. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** Every server that compresses supports one of these. */
export const ACCEPT_ENCODING = 'gzip, br';

/** No legitimate response uses more. */
const MAX_ENCODINGS = 3;

/** Value of the lower four bits in the first byte of zlib data. */
const ZLIB_METHOD = 8;

/** Creates a decoder based on the first byte of the response. Returns undefined if this version of Node has none. */
type DecoderFactory = (first: number) => Transform | undefined;

/** Includes encodings that were not requested, because some servers use them anyway. */
const decoderFactories: ReadonlyMap<string, DecoderFactory> = new Map<string, DecoderFactory>([
  ['gzip', () => zlib.createGunzip()],
  ['x-gzip', () => zlib.createGunzip()],
  // Many servers omit the standard zlib header; the first byte then differs.
  ['deflate', (first) => ((first & 0x0f) === ZLIB_METHOD ? zlib.createInflate() : zlib.createInflateRaw())],
  ['br', () => zlib.createBrotliDecompress()],
  ['zstd', () => ('createZstdDecompress' in zlib ? zlib.createZstdDecompress() : undefined)],
]);

type EncodingProblem = 'BROKEN_ENCODING' | 'UNKNOWN_ENCODING';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Returns the content encodings in decoding order. */
function getEncodings(headers: Headers): string[] {
  const named = String(headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  return named.filter((name) => name !== '' && name !== 'identity').reverse();
}

function getCharset(headers: Headers): string | undefined {
  return /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(String(headers['content-type'] ?? ''))?.[1];
}

/** JSON is UTF-8 regardless of the declared charset. The declared charset is used only if the bytes are not valid UTF-8. */
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

/** Collects the decompressed response body up to the size limit. */
class ResponseBody {
  readonly #headers: Headers;
  readonly #onOverflow: () => void;
  readonly #onProblem: (problem: EncodingProblem) => void;
  readonly #chunks: Buffer[] = [];
  /** Each decoder writes to the next. */
  #decoders: Transform[] | undefined;
  #sizeBytes = 0;
  #ended = false;

  /** Only one of `onOverflow` and `onProblem` is called, at most once. */
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
    // An empty body is not compressed, regardless of its headers.
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
    const created = names.map((name, index) => decoderFactories.get(name)?.(index === 0 ? firstByte : ZLIB_METHOD));
    const opened = created.filter((decoder) => decoder !== undefined);
    if (opened.length < created.length || opened.length > MAX_ENCODINGS) {
      this.#fail('UNKNOWN_ENCODING');
      return [];
    }
    opened.forEach((decoder, index) => {
      const next = opened[index + 1];
      decoder.on('error', () => this.#fail('BROKEN_ENCODING'));
      if (next === undefined) decoder.on('data', (chunk: Buffer) => this.#append(chunk));
      else decoder.pipe(next);
    });
    return opened;
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
      // Error messages quote only the beginning, so the rest need not be decoded.
      this.#chunks.splice(1);
      this.#onOverflow();
      return;
    }
    this.#chunks.push(chunk);
  }
}
