import dns from 'node:dns';
import { mock } from 'node:test';
import {
  MailingClient,
  createDispatcher,
  type DispatcherSettings,
  type MailingClientOptions,
} from '../../../src/service/client/index.ts';
import { resolveRoute, type Environment, type NetworkSettings } from '../../../src/platform/connections/network.ts';
import { KEY } from '../service/client/setup.ts';

interface Closable {
  close(): Promise<void>;
}

/** Closes resources after the test. */
export function useClosing(): <T extends Closable>(starting: Promise<T>) => Promise<T> {
  const open: Closable[] = [];
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close();
  });
  return async (starting) => {
    const started = await starting;
    open.push(started);
    return started;
  };
}

/** Fails lookups of `.invalid` names immediately, because the system resolver may take seconds. */
export function useInvalidNames(): void {
  before(() => {
    const lookup = dns.lookup as (name: string, ...given: readonly object[]) => void;
    mock.method(dns, 'lookup', (name: string, ...given: readonly object[]) => {
      if (!name.endsWith('.invalid')) return lookup(name, ...given);
      const end = given.at(-1) as (error: Error) => void;
      setImmediate(
        end,
        Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), {
          code: 'ENOTFOUND',
          syscall: 'getaddrinfo',
          hostname: name,
        }),
      );
    });
  });
  after(() => mock.restoreAll());
}

/** Calls a client with these connection settings and without retry delays. */
export async function withClient<T>(
  settings: DispatcherSettings,
  baseUrl: string,
  use: (client: MailingClient) => Promise<T>,
  options: Partial<MailingClientOptions> = {},
): Promise<T> {
  const dispatcher = createDispatcher({ useSystemCertificates: false, ...settings });
  const client = new MailingClient({ baseUrl, apiKey: KEY, dispatcher, wait: () => Promise.resolve(), ...options });
  try {
    return await use(client);
  } finally {
    await client.close();
    await dispatcher.destroy();
  }
}

export const plainSettings: NetworkSettings = {
  timeoutMs: 30_000,
  proxy: '',
  proxyAuthorization: '',
  proxySupport: 'override',
  strictSSL: true,
  noProxy: [],
  useSystemCertificates: false,
};

/** Like `withClient`, with the settings of VS Code and the environment. */
export function withRoute<T>(
  settings: Partial<NetworkSettings>,
  environment: Environment,
  baseUrl: string,
  use: (client: MailingClient) => Promise<T>,
  extraCertificates: readonly string[] = [],
): Promise<T> {
  return withClient(
    { ...resolveRoute(baseUrl, { ...plainSettings, ...settings }, environment), extraCertificates },
    baseUrl,
    use,
  );
}
