import type { Dispatcher } from 'undici';
import { Body } from './body.ts';

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

/** The code of a failed connection; undici and TLS wrap the telling one. */
function codeOf(error: unknown): string {
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
        const overflow = () => settle(() => resolve({ status, headers, text: body?.text() ?? '', tooLarge: true }), false);
        body = new Body(headers, overflow, (code) => fail('failed', code));
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
