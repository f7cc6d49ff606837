import * as tls from 'node:tls';
import { Agent, EnvHttpProxyAgent, Pool, buildConnector, type Dispatcher } from 'undici';
import { ApiError } from './errors.ts';

export interface DispatcherSettings {
  /** Address of the proxy (VS Code's `http.proxy`). Left out: the environment's `HTTP_PROXY`, `HTTPS_PROXY`. `false`: no proxy at all. */
  readonly proxy?: string | false;
  /** Hosts reached without the proxy, besides this machine. Left out: the environment's `NO_PROXY`. */
  readonly noProxy?: string | readonly string[];
  /** False to accept any certificate (VS Code's `http.proxyStrictSSL`). Default true. */
  readonly strictSSL?: boolean;
  /** Trust what the system trusts, besides Node's own certificates. Default true. Needs Node 22.15; older ones go without. */
  readonly useSystemCertificates?: boolean;
  /** Further certificates to trust, PEM. */
  readonly extraCertificates?: readonly string[];
  /** Milliseconds to connect. Default 30,000. */
  readonly timeoutMs?: number;
}

export const DEFAULT_TIMEOUT_MS = 30_000;

/** This machine is never reached through a proxy: the embedded service runs here. */
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** A store of certificates. Some builds of Node lack one, or can't read the system's: what the others hold is trusted then. */
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

/** The kinds of proxy that undici speaks to. */
const proxyProtocols: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:', 'socks:']);

/** A proxy's address, with user name and password in the escapes that undici takes off. A sign that is no escape stands for itself. */
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
 * The connections to a proxy. A tunnel that the proxy ends before it is there counts as refused: undici would take it for a connection that
 * was lost, and ask for another one at once, again and again, thousands of times until the time is over.
 */
function createTunnelPool(proxy: URL, options: object): Dispatcher {
  const pool = new Pool(proxy.origin, options);
  const ask: (parameters: Dispatcher.ConnectOptions) => Promise<Dispatcher.ConnectData> = pool.connect.bind(pool);
  const connect = async (parameters: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> => {
    try {
      return await ask(parameters);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'UND_ERR_SOCKET')
        throw Object.assign(new Error('The proxy ended a tunnel'), { code: 'PROXY_CLOSED' });
      throw error;
    }
  };
  return Object.assign(pool, { connect });
}

/**
 * Connections for any number of clients: kept alive and pooled per origin, HTTP/1.1 (which keeps the case of header names), through the
 * proxy where there is one. Its maker closes it. Throws an `ApiError` (`invalid`) for a proxy address that can't be read.
 */
export function createDispatcher(settings: DispatcherSettings = {}): Dispatcher {
  const base = { timeout: settings.timeoutMs ?? DEFAULT_TIMEOUT_MS, rejectUnauthorized: settings.strictSSL !== false };
  // Reading the system's certificates takes a while, and a context is costly to make: once, and only for HTTPS.
  let context: tls.SecureContext | undefined;
  const secure = () => ({
    ...base,
    secureContext: (context ??= tls.createSecureContext({ ca: getTrustedCertificates(settings) })),
  });
  const plainConnector = buildConnector(base);
  let secureConnector: buildConnector.connector | undefined;
  const connect: buildConnector.connector = (options, callback) => {
    if (options.protocol !== 'https:') return plainConnector(options, callback);
    secureConnector ??= buildConnector(secure());
    return secureConnector(options, callback);
  };
  const { http, https } = resolveProxies(settings.proxy);
  if (http === '' && https === '') return new Agent({ connect });
  return new EnvHttpProxyAgent({
    httpProxy: http,
    httpsProxy: https,
    noProxy: getBypassHosts(settings.noProxy),
    connect,
    requestTls: secure(),
    proxyTls: secure(),
    proxyTunnel: false,
    clientFactory: createTunnelPool,
  });
}
