import * as vscode from 'vscode';
import { createDispatcher, probe, type MailingClient, type ProbeResult } from '../../service/client/index.ts';
import { profiles } from '../../service/client/profiles.ts';
import type { Json } from '../../service/client/shapes.ts';
import { ACCEPT_ENCODING, exchange } from '../../service/client/exchange.ts';
import { CustomFieldsClient } from './customFieldsClient.ts';
import { EditorStylesheets } from './editorStylesheets.ts';
import type { Connection } from './model.ts';
import { SitePostReader } from './sitePosts.ts';
import { resolveRoute, type NetworkSettings, type Route } from './network.ts';

export { redactKey } from '../../service/client/redact.ts';

/** Creates a connection's client with the current network settings. `fieldNames` receives the names of custom subscriber fields. */
export function openClient(
  { baseUrl, profile: name, sandbox }: Connection,
  apiKey: () => Promise<string>,
  fieldNames: Set<string>,
): MailingClient {
  const network = getRoute(baseUrl);
  const profile = sandbox ? { ...profiles[name], extras: profiles.acymailing.extras } : name;
  return new CustomFieldsClient({ baseUrl, apiKey, profile, timeoutMs: network.timeoutMs, network }, fieldNames);
}

/** Probes a URL for a mailing service and its profile. Throws `ApiError`. */
export async function probeAddress(baseUrl: string, apiKey: string, signal: AbortSignal): Promise<ProbeResult> {
  const route = getRoute(baseUrl);
  const dispatcher = createDispatcher(route);
  try {
    return await probe({ baseUrl, apiKey, timeoutMs: route.timeoutMs, dispatcher, signal });
  } finally {
    await dispatcher.destroy();
  }
}

/** Limits of a request without the key. */
const PUBLIC_TIMEOUT_MS = 10_000;
const MAX_PUBLIC_BYTES = 200 * 1024;
const MAX_POST_BYTES = 1024 * 1024;

/** Opens the cache of the sites' stylesheets in a folder. */
export const openEditorStylesheets = (folder: string): EditorStylesheets => new EditorStylesheets(folder, readPublic);

/** Opens the posts of sites, for this session. */
export const openSitePosts = (): SitePostReader =>
  new SitePostReader((url) => readPublic(url, { Accept: 'application/json' }, MAX_POST_BYTES));

/** Reads a public address without the key. Follows no redirects. Throws `ApiError`. */
function readPublic(url: string, headers: Readonly<Record<string, string>>, maxBytes = MAX_PUBLIC_BYTES) {
  const route = getRoute(url);
  const dispatcher = createDispatcher(route);
  const { origin, pathname, search } = new URL(url);
  const request = {
    origin,
    path: pathname + search,
    method: 'GET',
    headers: { ...headers, 'Accept-Encoding': ACCEPT_ENCODING },
    maxBytes,
  } as const;
  const call = {
    operation: 'readStylesheet',
    method: 'GET',
    recordType: 'service',
    describeFailure: () => '',
  } as const;
  const signal = AbortSignal.timeout(PUBLIC_TIMEOUT_MS);
  return exchange(dispatcher, request, route.timeoutMs, { ...call, signal }).finally(() => dispatcher.destroy());
}

/** Returns the route to a URL with the current settings. It can contain the proxy's password, so it must not be logged. */
export function getRoute(baseUrl: string): Route {
  return resolveRoute(baseUrl, readNetworkSettings(), process.env);
}

/** Returns how long each phase of a request may take, in ms: connecting, the response's headers and its body. */
export function getRequestTimeoutMs(): number {
  const timeout = vscode.workspace.getConfiguration().get<Json>('mailing.request.timeout');
  return typeof timeout === 'number' && timeout > 0 ? Math.round(Math.min(timeout, 600) * 1000) : 30_000;
}

/** Settings can have values of any type. */
function readNetworkSettings(): NetworkSettings {
  const configuration = vscode.workspace.getConfiguration();
  const text = (name: string) => {
    const value = configuration.get<Json>(name);
    return typeof value === 'string' ? value : '';
  };
  const noProxy = configuration.get<Json>('http.noProxy');
  return {
    timeoutMs: getRequestTimeoutMs(),
    proxy: text('http.proxy'),
    proxyAuthorization: text('http.proxyAuthorization'),
    proxySupport: text('http.proxySupport'),
    strictSSL: configuration.get<Json>('http.proxyStrictSSL') !== false,
    noProxy: Array.isArray(noProxy) ? noProxy.filter((host) => typeof host === 'string') : [],
    useSystemCertificates: configuration.get<Json>('http.systemCertificates') !== false,
  };
}
