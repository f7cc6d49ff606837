import { isThisMachine } from './url.ts';

/** The settings that decide how to reach a service. */
export interface NetworkSettings {
  /** `mailing.request.timeout`, in seconds. */
  readonly timeout: number;
  /** `http.proxy` */
  readonly proxy: string;
  /** `http.proxyAuthorization`: value of the header `Proxy-Authorization`. */
  readonly proxyAuthorization: string | undefined;
  /** `http.proxySupport`: `off` means no proxy at all. */
  readonly proxySupport: string;
  /** `http.proxyStrictSSL` */
  readonly strictSSL: boolean;
  /** `http.noProxy` */
  readonly noProxy: readonly string[];
  /** `http.systemCertificates` */
  readonly systemCertificates: boolean;
}

/** How one service is reached, with the environment already applied. */
export interface Route {
  /** URL of the proxy with its credentials, or `false` for a direct connection. */
  readonly proxy: string | false;
  /** Hosts to reach without the proxy, as in `NO_PROXY`. */
  readonly noProxy: readonly string[];
  readonly strictSSL: boolean;
  readonly useSystemCertificates: boolean;
  readonly timeoutMs: number;
}

/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the route by VS Code's rules for extensions: this machine is always reached directly, `http.proxy` takes precedence over the
 * environment, `http.noProxy` applies to both, and `NO_PROXY` only to the environment's proxy. The route can contain the proxy's password,
 * so it must not be logged.
 */
export function resolveRoute(baseUrl: string, settings: NetworkSettings, environment: Environment): Route {
  const direct: Route = {
    proxy: false,
    noProxy: [],
    strictSSL: settings.strictSSL,
    useSystemCertificates: settings.systemCertificates,
    timeoutMs: Math.round(settings.timeout * 1000),
  };
  if (settings.proxySupport === 'off' || isThisMachine(baseUrl)) return direct;
  const configured = settings.proxy.trim();
  const proxy = configured === '' ? findEnvironmentProxy(baseUrl, environment) : configured;
  if (proxy === undefined) return direct;
  const environmentNoProxy = configured === '' ? (readVariable(environment, 'NO_PROXY') ?? '').split(/[,\s]+/) : [];
  const noProxy = [...settings.noProxy, ...environmentNoProxy].map((host) => host.trim()).filter((host) => host !== '');
  return { ...direct, proxy: addCredentials(proxy, settings.proxyAuthorization), noProxy };
}

function findEnvironmentProxy(baseUrl: string, environment: Environment): string | undefined {
  return readVariable(environment, new URL(baseUrl).protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY');
}

/** Lower case takes precedence, as in curl and Node. */
function readVariable(environment: Environment, name: string): string | undefined {
  const value = (environment[name.toLowerCase()] ?? environment[name])?.trim();
  return value === '' ? undefined : value;
}

/** Adds credentials from `Proxy-Authorization: Basic …` to a proxy's URL. Credentials in the URL take precedence. */
function addCredentials(proxy: string, authorization: string | undefined): string {
  const credentials = /^basic\s+([a-z0-9+/]+=*)$/i.exec(authorization?.trim() ?? '')?.[1];
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
  // An invalid URL is reported when connecting.
  if (credentials === undefined || !URL.canParse(address)) return proxy;
  const url = new URL(address);
  if (url.username !== '') return proxy;
  const [user = '', ...password] = Buffer.from(credentials, 'base64').toString('utf8').split(':');
  url.username = encodeURIComponent(user);
  url.password = encodeURIComponent(password.join(':'));
  return url.href;
}
