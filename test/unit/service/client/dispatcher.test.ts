import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { MailingClient, createDispatcher } from '../../../../src/service/client/index.ts';
import type { DispatcherSettings } from '../../../../src/service/client/index.ts';
import { expired, valid, otherHost } from '../../../support/certificates.ts';
import { WireServer, json, respond } from '../../../support/wire.ts';
import { KEY, getFailure } from './setup.ts';

const answer = () => json(200, [{ id: 1 }]);

/** Calls a client with these settings. */
async function withClient<T>(
  settings: DispatcherSettings,
  baseUrl: string,
  use: (client: MailingClient) => Promise<T>,
): Promise<T> {
  const dispatcher = createDispatcher({ useSystemCertificates: false, ...settings });
  const client = new MailingClient({ baseUrl, apiKey: KEY, dispatcher, wait: () => Promise.resolve() });
  try {
    return await use(client);
  } finally {
    await client.close();
    await dispatcher.destroy();
  }
}

async function withServer(server: Promise<WireServer>, test: (server: WireServer) => Promise<void>): Promise<void> {
  const started = await server;
  try {
    await test(started);
  } finally {
    await started.close();
  }
}

/** Runs a test with these variables as the only proxy settings of the environment. */
async function withEnvironment(variables: Readonly<Record<string, string>>, test: () => Promise<void>): Promise<void> {
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

describe('createDispatcher', () => {
  describe('certificates', () => {
    const untrusted = [
      ['self-signed', valid, {}, /not trusted/],
      ['for another host', otherHost, { extraCertificates: [otherHost.cert] }, /another host/],
      ['expired', expired, { extraCertificates: [expired.cert] }, /has expired/],
    ] as const;
    for (const [name, tls, settings, words] of untrusted) {
      it(`rejects a certificate that is ${name} immediately, before the key is sent`, () =>
        withServer(WireServer.start(answer, tls), (server) =>
          withClient(settings, server.url, async (client) => {
            for (const call of [() => client.getLists(), () => client.sendCampaign(1)]) {
              const error = await getFailure(call);
              assert.deepEqual([error.kind, error.outcome], ['tls', 'refused']);
              assert.match(error.message, words);
            }
            assert.equal(server.requests.length, 0);
          }),
        ));
    }

    for (const [name, settings] of [
      ['a further certificate', { extraCertificates: [valid.cert] }],
      ['strictSSL off', { strictSSL: false }],
    ] as const) {
      it(`trusts ${name}`, () =>
        withServer(WireServer.start(answer, valid), (server) =>
          withClient(settings, server.url, async (client) => {
            assert.equal((await client.getLists()).length, 1);
            await client.deleteList(1);
            assert.match(server.requests[0]?.head ?? '', /\r\nApi-Key: /);
            assert.equal(server.connections, 1);
          }),
        ));
    }

    it('reads the system certificates', () =>
      withServer(WireServer.start(answer, valid), (server) =>
        withClient({ useSystemCertificates: true }, server.url, async (client) => {
          assert.equal((await getFailure(() => client.getLists())).kind, 'tls');
        }),
      ));

    it('reports plain HTTP behind an https URL', async () => {
      const server = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => socket.end(respond(400, 'plain HTTP request expected')));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      await withClient({}, `https://127.0.0.1:${(server.address() as AddressInfo).port}`, async (client) => {
        const error = await getFailure(() => client.getLists());
        assert.equal(error.kind, 'tls');
        assert.match(error.message, /https:\/\/ or http:\/\//);
      });
      server.close();
    });
  });

  describe('proxies', () => {
    it('sends plain requests through the proxy and preserves the case of header names', () =>
      withServer(WireServer.start(answer), (proxy) =>
        withClient({ proxy: proxy.url }, 'http://service.example/site', async (client) => {
          await client.getLists();
          await client.deleteList(3);
          assert.ok(
            proxy.requests[0]?.target.startsWith('http://service.example/site/index.php?page='),
            proxy.requests[0]?.head,
          );
          assert.equal(proxy.requests[0]?.headers.get('Api-Key'), KEY);
          assert.equal(proxy.requests[0]?.headers.get('host'), 'service.example');
          assert.equal(proxy.requests.length, 2);
        }),
      ));

    it('opens a tunnel for HTTPS without exposing the key', () =>
      withServer(WireServer.start(answer, valid), (server) =>
        withServer(
          WireServer.start(() => (socket) => {
            socket.removeAllListeners('data');
            const target = connect(server.port, '127.0.0.1', () => {
              socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
              socket.pipe(target).pipe(socket);
            });
            target.on('error', () => undefined);
          }),
          (proxy) =>
            withClient(
              { proxy: `user:pass@127.0.0.1:${proxy.port}`, extraCertificates: [valid.cert], noProxy: [] },
              `https://service.example:${server.port}`,
              async (client) => {
                // The certificate is for this machine, so the tunnel works but the host name does not match.
                const error = await getFailure(() => client.getLists());
                assert.equal(error.kind, 'tls');
                assert.equal(proxy.requests[0]?.target, `service.example:${server.port}`);
                assert.equal(proxy.requests[0]?.method, 'CONNECT');
                assert.equal(
                  proxy.requests[0]?.headers.get('proxy-authorization'),
                  `Basic ${Buffer.from('user:pass').toString('base64')}`,
                );
                assert.doesNotMatch(proxy.requests[0]?.head ?? '', /api-key/i);
              },
            ),
        ),
      ));

    it('sends requests through a tunnel', () =>
      withServer(WireServer.start(answer, valid), (server) =>
        withServer(
          WireServer.start(() => (socket) => {
            socket.removeAllListeners('data');
            const target = connect(server.port, '127.0.0.1', () => {
              socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
              socket.pipe(target).pipe(socket);
            });
            target.on('error', () => undefined);
          }),
          (proxy) =>
            withClient({ proxy: proxy.url, strictSSL: false }, 'https://service.example', async (client) => {
              assert.equal((await client.getLists()).length, 1);
              assert.match(server.requests[0]?.head ?? '', /\r\nApi-Key: /);
            }),
        ),
      ));

    for (const [name, url] of [
      ['plain', 'http://service.example'],
      ['tunnelled', 'https://service.example'],
    ] as const) {
      it(`reports that the proxy requires a password (${name})`, () =>
        withServer(
          WireServer.start(() => respond(407, 'who are you?')),
          (proxy) =>
            withClient({ proxy: proxy.url }, url, async (client) => {
              const error = await getFailure(() => client.sendCampaign(1));
              assert.equal(error.kind, 'network');
              assert.match(error.message, /proxy/);
              assert.equal(proxy.requests.length, 1);
            }),
        ));
    }

    it('bypasses the proxy for excluded hosts', () =>
      withServer(WireServer.start(answer), (proxy) =>
        withClient(
          { proxy: proxy.url, noProxy: 'internal.invalid, other.invalid' },
          'http://www.internal.invalid',
          async (client) => {
            assert.equal((await getFailure(() => client.getLists())).kind, 'network');
            assert.equal(proxy.connections, 0);
          },
        ),
      ));

    it('never uses the proxy for this machine', () =>
      withServer(WireServer.start(answer), (server) =>
        withServer(WireServer.start(answer), (proxy) =>
          withClient({ proxy: proxy.url }, server.url, async (client) => {
            await client.getLists();
            assert.equal(proxy.connections, 0);
            assert.equal(server.requests.length, 1);
          }),
        ),
      ));

    it('uses the proxy of the environment by default', () =>
      withServer(WireServer.start(answer), (proxy) =>
        withEnvironment({ HTTP_PROXY: proxy.url, NO_PROXY: 'internal.invalid' }, async () => {
          await withClient({}, 'http://service.example', (client) => client.getLists());
          assert.equal(proxy.requests.length, 1);
          await withClient({}, 'http://internal.invalid', (client) => getFailure(() => client.getLists()));
          await withClient({ proxy: false }, 'http://service.invalid', (client) => getFailure(() => client.getLists()));
          assert.equal(proxy.requests.length, 1);
        }),
      ));

    it('bypasses the proxy for all hosts with *', () =>
      withServer(WireServer.start(answer), (proxy) =>
        withEnvironment({ http_proxy: proxy.url, no_proxy: 'a.example,*' }, async () => {
          await withClient({}, 'http://service.invalid', (client) => getFailure(() => client.getLists()));
          assert.equal(proxy.connections, 0);
        }),
      ));

    it('rejects an invalid proxy URL without repeating it in the message', () => {
      assert.throws(
        () => createDispatcher({ proxy: 'http://user:secret-pass@:x' }),
        (error: Error) => error.name === 'ApiError' && !error.message.includes('secret'),
      );
    });
  });
});
