import { isThisMachine } from './url.ts';

/** VS Code's settings that say how to reach a service. */
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

/** How one service is reached: the settings of its connections, none left to be guessed from the environment again. */
export interface Route {
  /** Address of the proxy, with what it asks for in its user-info; `false`: the service is reached directly. */
  readonly proxy: string | false;
  /** Hosts that are reached without the proxy, as in `NO_PROXY`. */
  readonly noProxy: readonly string[];
  readonly strictSSL: boolean;
  readonly useSystemCertificates: boolean;
  readonly timeoutMs: number;
}

/** The environment's variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Decides as VS Code does for an extension's requests: this machine is always reached directly; `http.proxy` comes before the
 * environment; `http.noProxy` holds for both, `NO_PROXY` only for the environment's proxy. The proxy's password may be in the route,
 * which is therefore never logged.
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

/** Lower case comes first, as curl and Node have it. */
function readVariable(environment: Environment, name: string): string | undefined {
  const value = (environment[name.toLowerCase()] ?? environment[name])?.trim();
  return value === '' ? undefined : value;
}

/** Puts the credentials of `Proxy-Authorization: Basic …` where a proxy's address has them; those of the address come first. */
function addCredentials(proxy: string, authorization: string | undefined): string {
  const credentials = /^basic\s+([a-z0-9+/]+=*)$/i.exec(authorization?.trim() ?? '')?.[1];
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
  // One that can't be read is left as it is: whoever connects says so.
  if (credentials === undefined || !URL.canParse(address)) return proxy;
  const url = new URL(address);
  if (url.username !== '') return proxy;
  const [user = '', ...password] = Buffer.from(credentials, 'base64').toString('utf8').split(':');
  url.username = encodeURIComponent(user);
  url.password = encodeURIComponent(password.join(':'));
  return url.href;
}
