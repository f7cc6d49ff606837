import { isThisMachine, trimToSitePath } from '../../service/client/address.ts';
import type { ApiError } from '../../service/client/errors.ts';
import { REDACTED } from '../../service/client/redact.ts';

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

/** The settings that decide how to reach a service. */
export interface NetworkSettings extends Route {
  /** `http.proxy` */
  readonly proxy: string;
  /** `http.proxyAuthorization`: value of the header `Proxy-Authorization`. */
  readonly proxyAuthorization: string;
  /** `http.proxySupport`: `off` means no proxy at all. */
  readonly proxySupport: string;
}

/** Environment variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the route by VS Code's rules for extensions: this machine is always reached directly, `http.proxy` takes precedence over the
 * environment, `http.noProxy` applies to both, and `NO_PROXY` only to the environment's proxy. The route can contain the proxy's password,
 * so it must not be logged.
 */
export function resolveRoute(
  baseUrl: string,
  { proxyAuthorization, proxySupport, ...settings }: NetworkSettings,
  environment: Environment,
): Route {
  const direct: Route = { ...settings, proxy: false, noProxy: [] };
  if (proxySupport === 'off' || isThisMachine(baseUrl)) return direct;
  // Lower case takes precedence, as in curl and Node.
  const readVariable = (name: string) => (environment[name.toLowerCase()] ?? environment[name] ?? '').trim();
  const configured = settings.proxy.trim();
  const variable = new URL(baseUrl).protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = configured || readVariable(variable);
  if (proxy === '') return direct;
  const noProxy = [...settings.noProxy, ...(configured === '' ? readVariable('NO_PROXY').split(/[,\s]+/) : [])];
  return {
    ...direct,
    proxy: addCredentials(proxy, proxyAuthorization),
    noProxy: noProxy.map((host) => host.trim()).filter((host) => host !== ''),
  };
}

/** Adds credentials from `Proxy-Authorization: Basic …` to a proxy's URL. Credentials in the URL take precedence. */
function addCredentials(proxy: string, authorization: string) {
  const credentials = /^basic\s+([a-z0-9+/]+=*)$/i.exec(authorization.trim())?.[1];
  const address = hasAllowedScheme(proxy) ? proxy : `http://${proxy}`;
  // An invalid URL is reported when connecting.
  if (credentials === undefined || !URL.canParse(address)) return proxy;
  const url = new URL(address);
  if (url.username !== '') return proxy;
  const [user = '', ...password] = Buffer.from(credentials, 'base64').toString('utf8').split(':');
  url.username = encodeURIComponent(user);
  url.password = encodeURIComponent(password.join(':'));
  return url.href;
}

function hasAllowedScheme(address: string) {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(address);
}

/**
 * Normalizes a typed or pasted URL: adds the missing scheme (`http` only for this machine) and removes what browsers add (`index.php`,
 * query, fragment).
 */
export function normalizeTypedUrl(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?(\/|$)/i.test(trimmed);
  const withScheme = hasAllowedScheme(trimmed) ? trimmed : `${isLocal ? 'http' : 'https'}://${trimmed}`;
  return trimToSitePath(withScheme.replace(/[?#].*$/s, ''));
}

/** Actions offered when connecting fails. */
export type Fix = 'retry' | 'takeRedirect' | 'editConnection' | 'setApiKey' | 'saveAnyway';

/** Returns the actions for a failed connection, the most likely one first. */
export function listFixes({ info, kind, location }: ApiError, usesProxy: boolean): readonly Fix[] {
  const likelyFix = info.setupFix ?? info.buttons[0];
  // The network also fails if the proxy does, which no change of the address fixes.
  const isProxyProblem = usesProxy && kind === 'network';
  // A redirect that contains the key was redacted and can't be used.
  const canTakeRedirect = location !== undefined && !location.includes(REDACTED);
  const fixes = new Set<Fix>(canTakeRedirect ? ['takeRedirect'] : []);
  if (likelyFix === 'setApiKey' || (likelyFix === 'editConnection' && !isProxyProblem)) fixes.add(likelyFix);
  return [...fixes.add('retry').add('editConnection').add('setApiKey').add('saveAnyway')];
}
