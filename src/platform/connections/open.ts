import * as vscode from 'vscode';
import { createDispatcher, probe } from '../../service/client/index.ts';
import type { OpenClient } from './core.ts';
import { CustomFieldsClient } from './customFieldsClient.ts';
import type { Connection, ProfileName } from './model.ts';
import { resolveRoute, type NetworkSettings, type Route } from './network.ts';

/** What a probe found out. */
export interface ProbedService {
  readonly profile: ProfileName;
  /** The site's own name, where it tells it. Hostile text. */
  readonly siteName?: string;
}

/** Makes a connection's client with the present network settings. `fieldsSeen` takes the names of the site's own fields of subscribers. */
export function openClient(connection: Connection, apiKey: () => Promise<string>, fieldsSeen: Set<string>): OpenClient {
  const route = getRoute(connection.baseUrl);
  const dispatcher = createDispatcher(route);
  const { timeoutMs } = route;
  const { baseUrl, profile } = connection;
  const client = new CustomFieldsClient({ baseUrl, apiKey, profile, timeoutMs, dispatcher }, fieldsSeen);
  return {
    client,
    close: async () => {
      await client.close();
      await dispatcher.destroy();
    },
  };
}

/** Finds out whether a mailing service answers at an address, and which profile it has. Throws an `ApiError`. */
export async function probeAddress(baseUrl: string, apiKey: string, signal: AbortSignal): Promise<ProbedService> {
  const route = getRoute(baseUrl);
  const dispatcher = createDispatcher(route);
  try {
    return await probe({ baseUrl, apiKey, timeoutMs: route.timeoutMs, dispatcher, signal });
  } finally {
    await dispatcher.destroy();
  }
}

/** How an address is reached with the present settings. It may hold the proxy's password: not for logs. */
export function getRoute(baseUrl: string): Route {
  return resolveRoute(baseUrl, readNetworkSettings(), process.env);
}

/** VS Code's settings are read tolerantly: what is written there may be anything. */
function readNetworkSettings(): NetworkSettings {
  const configuration = vscode.workspace.getConfiguration();
  const timeout = configuration.get<unknown>('mailing.request.timeout');
  const text = (name: string): string => {
    const value = configuration.get<unknown>(name);
    return typeof value === 'string' ? value : '';
  };
  const noProxy = configuration.get<unknown>('http.noProxy');
  return {
    timeout: typeof timeout === 'number' && timeout > 0 ? Math.min(timeout, 600) : 30,
    proxy: text('http.proxy'),
    proxyAuthorization: text('http.proxyAuthorization') || undefined,
    proxySupport: text('http.proxySupport'),
    strictSSL: configuration.get<unknown>('http.proxyStrictSSL') !== false,
    noProxy: Array.isArray(noProxy) ? noProxy.filter((host) => typeof host === 'string') : [],
    systemCertificates: configuration.get<unknown>('http.systemCertificates') !== false,
  };
}
