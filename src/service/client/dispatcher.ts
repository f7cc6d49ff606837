import * as tls from 'node:tls';
import { Agent, EnvHttpProxyAgent, Pool, buildConnector, type Dispatcher } from 'undici';
import { ApiError } from './errors.ts';

export interface DispatcherSettings {
  /** URL of the proxy (VS Code's `http.proxy`). Default: `HTTP_PROXY` and `HTTPS_PROXY` of the environment. `false` disables proxies. */
  readonly proxy?: string | false;
  /** Hosts to reach without the proxy, in addition to this machine. Default: `NO_PROXY` of the environment. */
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

/** The embedded service runs on this machine, so proxies are never used for it. */
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** Reads a certificate store. Some builds of Node lack one or fail to read it; the other stores are trusted then. */
function readCertificates(name: 'default' | 'system'): readonly string[] {
  try {
    return tls.getCACertificates(name);
  } catch {
    return name === 'default' ? tls.rootCertificates : [];
  }
}

function getTrustedCertificates(settings: DispatcherSettings): string[] {
  const system = settings.useSystemCertificates === false ? [] : readCertificates('system');
  return [...new Set([...readCertificates('default'), ...system, ...(settings.extraCertificates ?? [])])];
}

/** Proxy protocols that undici supports. */
const proxyProtocols: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:', 'socks:']);

/** Normalizes a proxy URL. Escapes stray percent signs in the user name and password, because undici decodes both. */
function normalizeProxyUrl(proxy: string): string {
  const address = proxy.includes('://') ? proxy : `http://${proxy}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || url.hostname === '' || !proxyProtocols.has(url.protocol)) {
    throw new ApiError({
      kind: 'invalid',
      operation: 'connect',
      outcome: 'refused',
      message:
        "The address of the proxy can't be read: correct the proxy setting, for example http://proxy.example.com:8080.",
    });
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

function getBypassHosts(noProxy: DispatcherSettings['noProxy']): string {
  const given = noProxy ?? process.env.no_proxy ?? process.env.NO_PROXY ?? '';
  const hosts = (typeof given === 'string' ? given.split(/[,\s]+/) : given).filter((host) => host !== '');
  return hosts.includes('*') ? '*' : [...hosts, ...LOOPBACK_HOSTS].join(',');
}

/**
 * Creates connections to a proxy. If the proxy closes a tunnel before it is established, undici treats it as a lost connection and
 * reconnects thousands of times until the timeout, so it is reported as an error instead.
 */
function createTunnelPool(proxy: URL, options: object): Dispatcher {
  const pool = new Pool(proxy.origin, options);
  const openTunnel: (parameters: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData> =
    pool.connect.bind(pool);
  const connect = async (parameters: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> => {
    try {
      return await openTunnel(parameters);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'UND_ERR_SOCKET')
        throw Object.assign(new Error('The proxy ended a tunnel'), { code: 'PROXY_CLOSED' });
      throw error;
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
export function createDispatcher(settings: DispatcherSettings = {}): Dispatcher {
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
