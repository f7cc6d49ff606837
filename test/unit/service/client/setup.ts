import assert from 'node:assert/strict';
import {
  MailingClient,
  type ApiError,
  type MailingClientOptions,
  type ProfileName,
} from '../../../../src/service/client/index.ts';
import { isApiError } from '../../../../src/service/client/shapes.ts';
import { WireServer, type Reply, type WireRequest } from '../../../support/wire.ts';

export const KEY = 'k3y/Secret+42';

/** Runs a test with a server and a client. Records retry delays instead of waiting. */
export async function withService(
  reply: (request: WireRequest, index: number) => Reply,
  test: (client: MailingClient, server: WireServer, pauses: number[]) => Promise<void>,
  options: Partial<MailingClientOptions> & { readonly path?: string } = {},
): Promise<void> {
  const server = await WireServer.start(reply);
  const pauses: number[] = [];
  const { path = '', ...rest } = options;
  const client = new MailingClient({
    baseUrl: server.url + path,
    apiKey: KEY,
    wait: (ms) => {
      pauses.push(ms);
      return Promise.resolve();
    },
    ...rest,
  });
  try {
    await test(client, server, pauses);
  } finally {
    await client.close();
    await server.close();
  }
}

/** Starts a server for the tests of a suite. Returns a function that sets its response and returns a client, which never waits. */
export function useAnswers(): (reply: Reply, profile?: ProfileName) => MailingClient {
  let reply: Reply;
  let server: WireServer;
  const clients = new Map<ProfileName, MailingClient>();
  before(async () => {
    server = await WireServer.start(() => reply);
    for (const profile of ['documented', 'acymailing'] as const) {
      const options = { baseUrl: server.url, apiKey: KEY, profile, wait: () => Promise.resolve() };
      clients.set(profile, new MailingClient(options));
    }
  });
  after(async () => {
    for (const client of clients.values()) await client.close();
    await server.close();
  });
  return (next, profile = 'documented') => {
    reply = next;
    const client = clients.get(profile);
    assert.ok(client);
    return client;
  };
}

/** Returns the `ApiError` of a failed call and asserts that it does not contain the key. */
export async function getFailure(call: () => Promise<unknown>, key = KEY): Promise<ApiError> {
  let result: unknown;
  try {
    result = await call();
  } catch (error) {
    assert.ok(isApiError(error), `not an ApiError: ${String(error)}`);
    for (const text of [error.message, error.stack ?? '', JSON.stringify(error), String(error)])
      assert.ok(!text.includes(key), 'the key is in the error');
    return error;
  }
  return assert.fail(`did not fail: ${JSON.stringify(result)}`);
}
