import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { createServer, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { MailingClient } from '../../../src/service/client/index.ts';
import { WireServer, json } from '../../support/wire.ts';
import { getFailure, withService } from '../service/client/setup.ts';
import { withClient, useClosing } from './setup.ts';
import { listen } from '../../support/listen.ts';
import { ManualTimeout } from '../../support/manualTimeout.ts';

const write = (client: MailingClient) => client.createTemplate({ name: 'T' });
const stored = json(200, { templateId: 1, id: 1 });
const listsOrStored = ({ method }: { readonly method: string }) => (method === 'GET' ? json(200, []) : stored);

/** Waits until all connections to a server are closed on both sides. After a pause of the process, timers run before sockets. */
const waitForClose = () => new Promise((resolve) => setTimeout(() => setImmediate(resolve), 30));

const start = async (server: Server | HttpServer, host: string) => ({
  port: await listen(server, host),
  close: () =>
    new Promise<void>((resolve) => {
      if ('closeAllConnections' in server) server.closeAllConnections();
      server.close(() => resolve());
    }),
});

const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);

describe('A keep-alive connection', () => {
  it('is reused', () =>
    withService(listsOrStored, async (client, server) => {
      for (let count = 0; count < 5; count += 1) await client.getLists();
      await write(client);
      assert.deepEqual([server.requests.length, server.connections], [6, 1]);
    }));

  for (const [name, end] of [
    ['ended', (socket: Socket) => void socket.end()],
    ['reset', (socket: Socket) => void socket.resetAndDestroy()],
  ] as const) {
    it(`sends each request once if the service ${name} between requests`, () => {
      let closed: Promise<object> = Promise.resolve([]);
      /** The service closed its side, and the client in this process had time to notice. */
      const waitUntilClosed = async () => {
        await closed;
        await waitForClose();
      };
      return withService(
        (request) => (socket) => {
          closed = once(socket, 'close');
          socket.write(listsOrStored(request));
          setTimeout(() => end(socket), 5);
        },
        async (client, server) => {
          for (let count = 0; count < 4; count += 1) {
            await client.getLists();
            await waitUntilClosed();
            assert.deepEqual(await write(client), { templateId: 1 });
            await waitUntilClosed();
          }
          assert.deepEqual(
            server.requests.map(({ method }) => method),
            ['GET', 'POST', 'GET', 'POST', 'GET', 'POST', 'GET', 'POST'],
          );
          assert.equal(server.connections, 8);
        },
      );
    });
  }

  it('is not reused if its end was announced', () =>
    withService(
      (request) => (socket) =>
        void socket.write(json(200, request.method === 'GET' ? [] : { templateId: 1 }, { Connection: 'close' })),
      async (client, server) => {
        for (let count = 0; count < 3; count += 1) await write(client);
        await client.getLists();
        assert.deepEqual([server.requests.length, server.connections], [4, 4]);
      },
    ));

  it('is not used for a write if its keep-alive is one second', () =>
    withService(
      () => json(200, { templateId: 1 }, { Connection: 'keep-alive', 'Keep-Alive': 'timeout=1' }),
      async (client, server) => {
        for (let count = 0; count < 3; count += 1) await write(client);
        assert.deepEqual([server.requests.length, server.connections], [3, 3]);
      },
    ));

  it('performs a write once or reports an uncertain outcome if it closes during the write', async () => {
    // The service closes the connection with the response, so that the close and the next request cross.
    await withService(
      (request) => (socket) => void socket.end(listsOrStored(request)),
      async (client, server) => {
        let reported = 0;
        let done = 0;
        for (let count = 0; count < 40; count += 1) {
          await client.getLists();
          const before = server.requests.filter(({ method }) => method === 'POST').length;
          const outcome = await write(client).then(
            () => 'done' as const,
            (error: { readonly outcome: string }) => error.outcome,
          );
          const arrived = server.requests.filter(({ method }) => method === 'POST').length - before;
          assert.ok(arrived <= 1);
          if (outcome === 'done') assert.equal(arrived, 1);
          else if (outcome === 'refused') assert.equal(arrived, 0);
          else reported += 1;
          done += outcome === 'done' ? 1 : 0;
        }
        assert.ok(done > 0 || reported > 0);
        assert.equal(new Set(server.requests.map(({ connection }) => connection)).size, server.requests.length);
      },
    );
  });

  it('times out and reports an uncertain outcome of a write if it is stale', () => {
    const timeout = new ManualTimeout();
    return withService(
      (_request, index) => (index === 0 ? json(200, []) : () => undefined),
      async (client, server) => {
        await client.getLists();
        const failure = getFailure(() => write(client));
        await timeout.end('head', () => assert.equal(server.requests.length, 2));
        const { kind, outcome } = await failure;
        assert.deepEqual([kind, outcome], ['timeout', 'unknown']);
        assert.equal(server.requests.length, 2);
      },
      { timeoutMs: timeout.ms },
    );
  });

  it('retries only reads if the service half-closes it before responding', () =>
    withService(
      (_request, index) => (socket) => void (index === 2 ? socket.write(json(200, [])) : socket.end()),
      async (client, server) => {
        await client.getLists();
        assert.equal(server.requests.length, 3);
        const error = await getFailure(() => write(client));
        assert.deepEqual([error.outcome, server.requests.length], ['unknown', 4]);
      },
    ));

  it('is not shared by concurrent reads', () =>
    withService(
      (request) => (socket) =>
        void setTimeout(
          () => socket.write(json(200, [{ id: /offset=(\d+)/.exec(request.target)?.[1] }])),
          request.target.includes('offset=1&') ? 40 : 5,
        ),
      async (client) => {
        const pages = await Promise.all([1, 2, 3].map((offset) => client.getLists({ offset, limit: 1 })));
        assert.deepEqual(
          pages.map(([list]) => list?.id),
          [1, 2, 3],
        );
      },
    ));
});

describe('An address', () => {
  const closeAfterTest = useClosing();

  it('may be an IPv6 address', async function () {
    if (!hasIPv6) return this.skip(); // This computer has no IPv6.
    const heads: string[] = [];
    const server = await closeAfterTest(
      start(
        createHttpServer((request, response) => {
          heads.push(`${request.method} ${request.headers.host}`);
          response.end('[{"id":7}]');
        }),
        '::1',
      ),
    );
    await withClient({}, `http://[::1]:${server.port}/site/`, async (client) =>
      assert.equal((await client.getLists())[0]?.id, 7),
    );
    assert.deepEqual(heads, [`GET [::1]:${server.port}`]);
  });

  for (const host of ['127.0.0.1', '::1']) {
    it(`resolves localhost if only ${host} responds`, async function () {
      if (host === '::1' && !hasIPv6) return this.skip();
      const server = await closeAfterTest(
        start(
          createHttpServer((_request, response) => void response.end('[]')),
          host,
        ),
      );
      const { lookup } = await import('node:dns/promises');
      const addresses = await lookup('localhost', { all: true });
      // Not every machine resolves localhost to this address.
      if (!addresses.some(({ address }) => address === host)) return this.skip();
      await withClient({}, `http://localhost:${server.port}`, async (client) =>
        assert.deepEqual(await client.getLists(), []),
      );
    });
  }

  it('may have a path', async () => {
    const server = await closeAfterTest(WireServer.start(listsOrStored));
    for (const [path, expected] of [
      ['', ''],
      ['/', ''],
      ['/site/', '/site'],
      ['/a/b%20c/d///', '/a/b%20c/d'],
      ['/sité x', '/sit%C3%A9%20x'],
      ['/site/index.php', '/site'],
      ['//double', '//double'],
    ] as const) {
      server.requests.length = 0;
      await withClient({}, server.url + path, async (client) => {
        await client.getLists();
        await write(client);
      });
      for (const { target } of server.requests)
        assert.ok(target.startsWith(`${expected}/index.php?page=mailer_front&option=com_mailer&`), target);
    }
  });

  it('reports a refused connection', async () => {
    const { port, close } = await start(createServer(), '127.0.0.1');
    await close();
    for (const host of ['127.0.0.1', 'localhost', ...(hasIPv6 ? ['[::1]'] : [])]) {
      const error = await withClient({}, `http://${host}:${port}`, (client) =>
        getFailure(() => client.sendCampaign(1)),
      );
      assert.deepEqual([error.kind, error.code, error.outcome], ['network', 'ECONNREFUSED', 'refused']);
      assert.match(error.message, /Nothing responds at this URL/);
    }
  });
});
