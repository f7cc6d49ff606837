import * as tls from 'node:tls';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { Agent, EnvHttpProxyAgent, Pool, buildConnector, type Dispatcher } from 'undici';
import { t } from '../../l10n.ts';
import { createApiError, createRefusal, findCause, type CallInfo, type CauseName } from './errors.ts';

export interface DispatcherSettings {
  /** URL of the proxy (VS Code's `http.proxy`). Default: `HTTP_PROXY` and `HTTPS_PROXY` of the environment. `false` disables proxies. */
  readonly proxy?: string | false;
  /** Hosts to reach without the proxy. Default: `NO_PROXY` of the environment. */
  readonly noProxy?: string | readonly string[];
  /** False to accept any certificate (VS Code's `http.proxyStrictSSL`). Default true. */
  readonly strictSSL?: boolean;
  /** Trusts the system's certificates in addition to Node's own. Default true. Ignored before Node 22.15. */
  readonly useSystemCertificates?: boolean;
  /** Additional trusted certificates, PEM. */
  readonly extraCertificates?: readonly string[];
  /** Timeout for connecting. Default 30,000. */
  readonly timeoutMs?: number;
}

export const DEFAULT_TIMEOUT_MS = 30_000;

/** Reads a certificate store. Some builds of Node lack one or fail to read it; the other stores are trusted then. */
function readCertificates(name: 'default' | 'system') {
  try {
    return tls.getCACertificates(name);
  } catch {
    return name === 'default' ? tls.rootCertificates : [];
  }
}

function getTrustedCertificates(settings: DispatcherSettings) {
  const system = settings.useSystemCertificates === false ? [] : readCertificates('system');
  return [...new Set([...readCertificates('default'), ...system, ...(settings.extraCertificates ?? [])])];
}

/** Proxy protocols that undici supports. */
const proxyProtocols: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:', 'socks:']);

/** Normalizes a proxy URL. Escapes stray percent signs in the user name and password, because undici decodes both. */
function normalizeProxyUrl(proxy: string) {
  const address = proxy.includes('://') ? proxy : `http://${proxy}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || url.hostname === '' || !proxyProtocols.has(url.protocol)) {
    throw createRefusal(
      'invalid',
      'connect',
      t("The URL of the proxy can't be read. Correct the proxy setting, for example http://proxy.example.com:8080."),
    );
  }
  url.username = url.username.replace(/%(?![0-9a-f]{2})/gi, '%25');
  url.password = url.password.replace(/%(?![0-9a-f]{2})/gi, '%25');
  return url.href;
}

function resolveProxies(setting: DispatcherSettings['proxy']): { readonly http: string; readonly https: string } {
  const { http_proxy, HTTP_PROXY, https_proxy, HTTPS_PROXY } = process.env;
  const given =
    setting === undefined
      ? [http_proxy ?? HTTP_PROXY ?? '', https_proxy ?? HTTPS_PROXY ?? '']
      : [setting === false ? '' : setting, ''];
  const [http = '', https = ''] = given.map((proxy) => (proxy.trim() === '' ? '' : normalizeProxyUrl(proxy.trim())));
  return { http, https };
}

function getBypassHosts(noProxy: DispatcherSettings['noProxy']) {
  const given = noProxy ?? process.env.no_proxy ?? process.env.NO_PROXY ?? '';
  const hosts = typeof given === 'string' ? given.split(/[,\s]+/) : given;
  return hosts.includes('*') ? '*' : hosts.join(',');
}

/**
 * Creates connections to a proxy. If the proxy closes a tunnel before it is established, undici treats it as a lost connection and
 * reconnects thousands of times until the timeout, so it is reported as an error instead.
 */
function createTunnelPool(proxy: URL, options: object): Dispatcher {
  const pool = new Pool(proxy.origin, options);
  const openTunnel: (parameters: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData> =
    pool.connect.bind(pool);
  const connect = async (parameters: Dispatcher.ConnectOptions) => {
    try {
      return await openTunnel(parameters);
    } catch (error) {
      throw getErrorCode(error) === 'UND_ERR_SOCKET' ? createCodeError('PROXY_CLOSED') : error;
    }
  };
  return Object.assign(pool, { connect });
}

/**
 * Creates keep-alive connections that any number of clients can share, pooled per origin and through the proxy if one is set. HTTP/1.1
 * preserves the case of header names. The caller closes the dispatcher.
 *
 * Throws an `ApiError` of kind `invalid` if the proxy URL is invalid.
 */
export function createDispatcher(settings: DispatcherSettings): Dispatcher {
  const base = { timeout: settings.timeoutMs ?? DEFAULT_TIMEOUT_MS, rejectUnauthorized: settings.strictSSL !== false };
  // Reading system certificates and creating a context is slow, so do it once and only for HTTPS.
  let context: tls.SecureContext | undefined;
  const getTlsOptions = () => ({
    ...base,
    secureContext: (context ??= tls.createSecureContext({ ca: getTrustedCertificates(settings) })),
  });
  const plainConnector = buildConnector(base);
  let secureConnector: buildConnector.connector | undefined;
  const connect: buildConnector.connector = (options, callback) => {
    if (options.protocol !== 'https:') return plainConnector(options, callback);
    secureConnector ??= buildConnector(getTlsOptions());
    return secureConnector(options, callback);
  };
  const { http, https } = resolveProxies(settings.proxy);
  if (http === '' && https === '') return new Agent({ connect });
  return new EnvHttpProxyAgent({
    httpProxy: http,
    httpsProxy: https,
    noProxy: getBypassHosts(settings.noProxy),
    connect,
    requestTls: getTlsOptions(),
    proxyTls: getTlsOptions(),
    proxyTunnel: false,
    clientFactory: createTunnelPool,
  });
}

export interface WireRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Sent with the given case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Limit of the response, before and after decompression. */
  readonly maxBytes?: number;
}

/** Lowercase names. */
type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** True if the response exceeded the limit: `text` is its beginning. */
  readonly isTooLarge: boolean;
}

/** The cause of a timeout in each phase of a request. */
const timeoutCauses = { connect: 'connectionTimedOut', head: 'responseTimedOut', body: 'bodyTimedOut' } as const;

const createCodeError = (code: string) => Object.assign(new Error(code), { code });

/** Returns the innermost error code, because undici and TLS wrap the actual error. */
function getErrorCode(error: unknown) {
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

type ExchangeCall = CallInfo & { readonly signal: AbortSignal };

/**
 * Sends a request once and reads its response. Follows no redirects and never retries, not even if undici would after a lost connection.
 * @param timeoutMs applies separately to connecting, to the response headers and to the response body
 * Rejects with `ApiError`.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: WireRequest,
  timeoutMs: number,
  call: ExchangeCall,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    new Exchange(request, timeoutMs, call, { resolve, reject }).start(dispatcher);
  });
}

/** What settles the promise of a response. */
interface Settler {
  resolve(response: HttpResponse): void;
  reject(error: unknown): void;
}

/** A request on its way, and its response. It is always written at most once and settled exactly once. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #request: WireRequest;
  readonly #timeoutMs: number;
  readonly #call: ExchangeCall;
  /** Undefined once the promise is settled. */
  #settler: Settler | undefined;
  #phase: keyof typeof timeoutCauses = 'connect';
  #timer: NodeJS.Timeout | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: Headers = {};
  readonly #chunks: Buffer[] = [];
  #sizeBytes = 0;

  constructor(request: WireRequest, timeoutMs: number, call: ExchangeCall, settler: Settler) {
    this.#request = request;
    this.#timeoutMs = timeoutMs;
    this.#call = call;
    this.#settler = settler;
  }

  start(dispatcher: Dispatcher): void {
    const { signal } = this.#call;
    if (signal.aborted) return this.#abort();
    signal.addEventListener('abort', this.#abort, { once: true });
    this.#enter('connect');
    const request = this.#request;
    try {
      dispatcher.dispatch(
        { ...request, idempotent: request.method === 'GET', headersTimeout: 0, bodyTimeout: 0 },
        this,
      );
    } catch (error) {
      this.#failWith(error);
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Runs just before the request is written. If the call was aborted while connecting, or was written before, it must not be written now.
    if (!this.#settler || this.#phase !== 'connect') return controller.abort(new Error('aborted'));
    this.#controller = controller;
    this.#enter('head');
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (!this.#settler || status < 200) return;
    this.#status = status;
    this.#headers = headers;
    this.#enter('body');
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#sizeBytes += chunk.length;
    if (this.#sizeBytes <= this.#maxBytes) return void this.#chunks.push(chunk);
    // Error messages quote only the beginning.
    this.#succeed(this.#chunks[0], true);
    this.#controller?.abort(new Error('aborted'));
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer);
    decompress(Buffer.concat(this.#chunks), this.#headers, this.#maxBytes)
      // undici releases the connection in the next turn. Resolving earlier would make an immediate next call open a second connection.
      .finally(() => new Promise(setImmediate))
      .then(
        (bytes) => this.#succeed(bytes, bytes === undefined),
        (error: unknown) => this.#failWith(error),
      );
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#failWith(error);
  }

  get #maxBytes() {
    return this.#request.maxBytes ?? MAX_RESPONSE_BYTES;
  }

  #enter(phase: keyof typeof timeoutCauses) {
    this.#phase = phase;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fail(timeoutCauses[phase]), this.#timeoutMs);
  }

  readonly #abort = () => this.#fail('aborted');

  #succeed(bytes: Buffer | undefined, isTooLarge: boolean) {
    const [status, headers] = [this.#status, this.#headers];
    this.#settle()?.resolve({ status, headers, text: decodeText(bytes, headers), isTooLarge });
  }

  #fail(cause: CauseName, code?: string) {
    const settler = this.#settle();
    if (!settler) return;
    settler.reject(createApiError(cause, this.#call, { sent: this.#phase !== 'connect', code }));
    this.#controller?.abort(new Error('aborted'));
  }

  #failWith(error: unknown) {
    const code = getErrorCode(error);
    this.#fail(findCause({ code }) ?? 'connectionLost', code);
  }

  #settle() {
    const settler = this.#settler;
    this.#settler = undefined;
    clearTimeout(this.#timer);
    this.#call.signal.removeEventListener('abort', this.#abort);
    return settler;
  }
}

/** By default. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** Every server that compresses supports one of these. */
export const ACCEPT_ENCODING = 'gzip, br';

/** No legitimate response uses more. */
const MAX_ENCODINGS = 3;

/** Value of the lower four bits in the first byte of zlib data. */
const ZLIB_METHOD = 8;

type Decoder = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const gunzip = promisify(zlib.gunzip);
const inflate = promisify(zlib.inflate);
const inflateRaw = promisify(zlib.inflateRaw);

/** Includes encodings that were not requested, because some servers use them anyway. */
const decoders: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  // Many servers omit the standard zlib header; the first byte then differs.
  ['deflate', (bytes, options) => (((bytes[0] ?? 0) & 0x0f) === ZLIB_METHOD ? inflate : inflateRaw)(bytes, options)],
  ['br', promisify(zlib.brotliDecompress)],
  // Missing in older versions of Node.
  ...('zstdDecompress' in zlib ? [['zstd', promisify(zlib.zstdDecompress)] as const] : []),
]);

/** Decompresses a response body; undefined if it is too large then. Rejects with an error with a code. */
async function decompress(body: Buffer, headers: Headers, maxOutputLength: number) {
  const encodings = String(headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  // An empty body is not compressed, regardless of its headers.
  if (body.length === 0) return body;
  const used = encodings.reverse().map((name) => decoders.get(name));
  let bytes = body;
  try {
    for (const decode of used) {
      if (!decode || used.length > MAX_ENCODINGS) throw createCodeError('UNKNOWN_ENCODING');
      bytes = await decode(bytes, { maxOutputLength });
    }
    return bytes;
  } catch (error) {
    const code = getErrorCode(error);
    if (code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw code === 'UNKNOWN_ENCODING' ? error : createCodeError('BROKEN_ENCODING');
  }
}

/** JSON is UTF-8 regardless of the declared charset. The declared charset is used only if the bytes are not valid UTF-8. */
function decodeText(bytes: Buffer | undefined, headers: Headers) {
  const charset = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(String(headers['content-type'] ?? ''))?.[1];
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
