import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { Transform } from 'node:stream';
import type { Dispatcher } from 'undici';

/** Longest answer that is read, in bytes after decompression. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export interface WireRequest {
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Sent with the case they are written in. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** True where the answer was longer than is read: `text` is its beginning. */
  readonly tooLarge: boolean;
}

export type Phase = 'connect' | 'head' | 'body';

/** No answer, or only a part of one. */
export class ExchangeFailure extends Error {
  readonly reason: 'aborted' | 'timeout' | 'failed';
  readonly phase: Phase;
  /** Whether any of the request may have reached the service. */
  readonly sent: boolean;
  /** The system's or undici's code. */
  readonly code: string;
  constructor(reason: 'aborted' | 'timeout' | 'failed', phase: Phase, code: string) {
    super(`${reason} (${code}) in phase ${phase}`);
    this.name = 'ExchangeFailure';
    this.reason = reason;
    this.phase = phase;
    this.sent = phase !== 'connect';
    this.code = code;
  }
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** What `decoders` can read and every server that compresses can write. */
export const ACCEPT_ENCODING = 'gzip, br';

/** The code of a failed connection; undici and TLS wrap the telling one. */
function codeOf(error: unknown): string {
  const seen = new Set<unknown>();
  let code = 'UNKNOWN';
  for (let at = error; at instanceof Error && !seen.has(at); at = at.cause) {
    seen.add(at);
    if ('code' in at && typeof at.code === 'string') code = at.code;
    if (at.name === 'HTTPParserError') return 'NOT_HTTP';
    // undici reports a proxy's refusal of a tunnel as an abort, and of plain requests as an argument.
    if (/^Proxy (response|Authentication)/.test(at.message)) return 'PROXY_REFUSED';
  }
  return code;
}

/** Gathers the bytes of an answer, decompressed, up to the limit. */
class Body {
  readonly #chunks: Buffer[] = [];
  readonly #decoder: Transform | undefined;
  readonly #onOverflow: () => void;
  readonly #onBroken: (error: Error) => void;
  #size = 0;
  #written = false;
  #overflow = false;

  constructor(encoding: string, onOverflow: () => void, onBroken: (error: Error) => void) {
    this.#onOverflow = onOverflow;
    this.#onBroken = onBroken;
    this.#decoder = decoders[encoding]?.();
    this.#decoder?.on('data', (chunk: Buffer) => this.#keep(chunk)).on('error', onBroken);
  }

  push(chunk: Buffer): void {
    if (this.#decoder === undefined) this.#keep(chunk);
    else this.#decoder.write(chunk);
    this.#written = true;
  }

  end(done: () => void): void {
    // An empty answer is not compressed, whatever its head says.
    if (this.#decoder === undefined || !this.#written) done();
    else this.#decoder.once('end', done).end();
  }

  text(): string {
    return new TextDecoder().decode(Buffer.concat(this.#chunks));
  }

  discard(): void {
    this.#decoder?.off('error', this.#onBroken).on('error', () => undefined).destroy();
  }

  #keep(chunk: Buffer): void {
    if (this.#overflow) return;
    this.#size += chunk.length;
    if (this.#size > MAX_ANSWER_BYTES) {
      this.#overflow = true;
      // What is quoted of it is in the first bytes: the rest need not be decoded.
      this.#chunks.splice(1);
      this.#onOverflow();
      return;
    }
    this.#chunks.push(chunk);
  }
}

/**
 * Sends one request, once, and reads its answer. Follows nothing and repeats nothing, not even where undici would: a request whose
 * connection was lost is never written a second time.
 * @param timeoutMs bounds each of: to connect, until the answer begins, until it ends
 * Rejects with `ExchangeFailure`.
 */
export function exchange(dispatcher: Dispatcher, request: WireRequest, timeoutMs: number, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let phase: Phase = 'connect';
    let settled = false;
    let timer: NodeJS.Timeout | undefined;
    let body: Body | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    let headers: Answer['headers'] = {};

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
    const enter = (next: Phase) => {
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
        const encoding = String(answerHeaders['content-encoding'] ?? 'identity').trim().toLowerCase();
        const overflow = () => settle(() => resolve({ status, headers, text: body?.text() ?? '', tooLarge: true }), false);
        body = new Body(encoding, overflow, () => fail('failed', 'BROKEN_ENCODING'));
      },
      onResponseData(_controller, chunk) {
        if (!settled) body?.push(chunk);
      },
      onResponseEnd() {
        clearTimeout(timer);
        const answer = () => settle(() => resolve({ status, headers, text: body?.text() ?? '', tooLarge: false }), true);
        // undici frees the connection in the turn after this one: a caller who goes on at once would open a second.
        body?.end(() => queueMicrotask(() => setImmediate(answer)));
      },
      onResponseError(_controller, error) {
        fail('failed', codeOf(error));
      },
    };
    try {
      dispatcher.dispatch({ ...request, idempotent: request.method === 'GET', headersTimeout: 0, bodyTimeout: 0 }, handler);
    } catch (error) {
      fail('failed', codeOf(error));
    }
  });
}
