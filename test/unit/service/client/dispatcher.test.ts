import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { MailingClient } from '../../../../src/service/client/index.ts';
import { WireServer, json, respond } from '../../../support/wire.ts';
import { withClient } from '../../networks/setup.ts';
import { KEY, getFailure } from './setup.ts';
import { listen } from '../../../support/listen.ts';

const answer = () => json(200, [{ id: 1 }]);

async function withServer(test: (server: WireServer) => Promise<void>) {
  const started = await WireServer.start(answer);
  try {
    await test(started);
  } finally {
    await started.close();
  }
}

/** Runs a test with these variables as the only proxy settings of the environment. */
async function withEnvironment(variables: Readonly<Record<string, string>>, test: () => Promise<void>) {
  const names = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY', 'no_proxy', 'NO_PROXY'];
  const before = names.map((name) => [name, process.env[name]] as const);
  for (const name of names) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, variables);
  try {
    await test();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  }
}

// Certificates and proxies: see the tests of networks.
describe('createDispatcher', () => {
  it('reports plain HTTP behind an https URL', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(respond(400, 'plain HTTP request expected')));
    });
    await withClient({}, `https://127.0.0.1:${await listen(server)}`, async (client) => {
      const error = await getFailure(() => client.getLists());
      assert.equal(error.kind, 'tls');
      assert.match(error.message, /https:\/\/ or http:\/\//);
    });
    server.close();
  });

  it('accepts a proxy without a scheme, and preserves the case of header names', () =>
    withServer((proxy) =>
      withClient({ proxy: `user:pass@127.0.0.1:${proxy.port}` }, 'http://service.example/site', async (client) => {
        await client.getLists();
        const [request] = proxy.requests;
        assert.ok(request?.target.startsWith('http://service.example/site/index.php?page='), request?.head);
        assert.equal(request?.headers.get('Api-Key'), KEY);
        assert.equal(request?.headers.get('host'), 'service.example');
        const credentials = Buffer.from('user:pass').toString('base64');
        assert.equal(request?.headers.get('proxy-authorization'), `Basic ${credentials}`);
      }),
    ));

  it('uses the proxy of the environment by default', () =>
    withServer((proxy) =>
      withEnvironment({ HTTP_PROXY: proxy.url, NO_PROXY: 'internal.invalid' }, async () => {
        await withClient({}, 'http://service.example', (client) => client.getLists());
        assert.equal(proxy.requests.length, 1);
        await withClient({}, 'http://internal.invalid', (client) => getFailure(() => client.getLists()));
        await withClient({ proxy: false }, 'http://service.invalid', (client) => getFailure(() => client.getLists()));
        assert.equal(proxy.requests.length, 1);
      }),
    ));

  for (const host of ['127.0.0.1', '127.0.0.2', '[::1]', 'localhost', 'shop.localhost', 'localhost.'])
    it(`sends a key for ${host} to no proxy of the environment`, () =>
      withServer((proxy) =>
        withEnvironment({ HTTP_PROXY: proxy.url, no_proxy: 'other.example' }, async () => {
          const wait = () => Promise.resolve();
          const client = new MailingClient({ baseUrl: `http://${host}:9`, apiKey: KEY, wait });
          await getFailure(() => client.getLists());
          await client.close();
          assert.equal(proxy.connections, 0);
        }),
      ));

  it('bypasses the proxy for all hosts with *', () =>
    withServer((proxy) =>
      withEnvironment({ http_proxy: proxy.url, no_proxy: 'a.example,*' }, async () => {
        await withClient({}, 'http://service.invalid', (client) => getFailure(() => client.getLists()));
        assert.equal(proxy.connections, 0);
      }),
    ));
});
