import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { MailingClient } from '../../../src/service/client/index.ts';
import { ConnectionCore } from '../../../src/platform/connections/core.ts';
import type { Connection } from '../../../src/platform/connections/model.ts';
import { resolveRoute, type NetworkSettings } from '../../../src/platform/connections/network.ts';
import { authority, issued } from '../../support/certificates.ts';
import { ForwardProxy } from '../../support/proxy.ts';
import { WireServer, json } from '../../support/wire.ts';
import { KEY } from '../service/client/setup.ts';
import { plainSettings, useClosing } from '../networks/setup.ts';

const answer = () => json(200, [{ id: 1 }]);

/** A window with one connection and changeable network settings. */
class Window extends ConnectionCore {
  #settings: NetworkSettings = { ...plainSettings, timeoutMs: 5000 };

  constructor(baseUrl: string) {
    super();
    this.setConnections([{ id: 'shop', name: 'Shop', baseUrl, profile: 'documented' }]);
  }

  use = <T>(operation: (client: MailingClient) => Promise<T>) => this.run(this.getService('shop'), operation);

  change(changes: Partial<NetworkSettings>) {
    this.#settings = { ...this.#settings, ...changes };
    this.restart();
  }

  protected override readKey = () => Promise.resolve(KEY);
  protected override handleChange = () => undefined;
  protected override async openClient({ baseUrl }: Connection, apiKey: () => Promise<string>) {
    const network = { ...resolveRoute(baseUrl, this.#settings, {}), extraCertificates: [authority.cert] };
    const { timeoutMs } = network;
    return new MailingClient({ baseUrl, apiKey, network, timeoutMs, wait: () => Promise.resolve() });
  }
}

/** Starts a server that delays its responses until `release`. */
function startDelayedServer(tls?: { readonly key: string; readonly cert: string }) {
  const waiting: Socket[] = [];
  const arrivals: (() => void)[] = [];
  const server = WireServer.start(
    () => (socket) => {
      waiting.push(socket);
      arrivals.shift()?.();
    },
    tls,
  );
  const arrived = () => new Promise<void>((resolve) => (waiting.length > 0 ? resolve() : arrivals.push(resolve)));
  const release = () => waiting.splice(0).forEach((socket) => socket.write(answer()));
  return {
    server,
    arrived,
    release,
    serve: async (request: Promise<unknown>) => {
      await arrived();
      release();
      await request;
    },
  };
}

describe('A change of http.proxy during requests', () => {
  const closing = useClosing();
  const startProxy = (routes: Readonly<Record<string, number>> = {}) => closing(ForwardProxy.start({ routes }));
  const getLists = (client: MailingClient) => client.getLists();

  it('HTTPS: running requests keep their route, and the next one uses a tunnel that sees no key', async () => {
    const { server, arrived, release, serve } = startDelayedServer(issued);
    const service = await closing(server);
    const proxy = await startProxy({ [`localhost.service.example:${service.port}`]: service.port });
    // The route to this computer is always direct; the name behind the proxy is another service's.
    const near = new Window(`https://localhost:${service.port}`);
    const running = near.use(getLists);
    await arrived();
    near.change({ proxy: proxy.url() });
    release();
    assert.equal((await running).length, 1);
    await serve(near.use(getLists));
    assert.deepEqual([proxy.connections, service.requests.length], [0, 2]);
    near.dispose();
  });

  it('HTTPS to a remote host: each request uses one route, and no proxy sees the key', async () => {
    const { server, arrived, release, serve } = startDelayedServer(issued);
    const service = await closing(server);
    const routes = { 'service.example:443': service.port };
    const [first, second] = [await startProxy(routes), await startProxy(routes)];
    const window = new Window('https://service.example');
    window.change({ proxy: first.url() });
    const running = window.use(async (client) => [await client.getLists(), await client.getLists()]);
    await arrived();
    window.change({ proxy: second.url() });
    release();
    await arrived();
    release();
    assert.equal((await running).length, 2);
    assert.equal(second.connections, 0);
    await serve(window.use((client) => client.deleteList(1)));
    for (const proxy of [first, second]) {
      assert.deepEqual(
        proxy.requests.map(({ method, target }) => [method, target]),
        [['CONNECT', 'service.example:443']],
      );
      assert.ok(
        !JSON.stringify(proxy.requests).includes(KEY) &&
          !Buffer.concat(proxy.tunneledBytes).includes(KEY) &&
          !/api-key/i.test(JSON.stringify(proxy.requests)),
      );
    }
    assert.ok(service.requests.length === 3 && service.requests.every(({ headers }) => headers.get('Api-Key') === KEY));
    window.dispose();
  });

  it('HTTPS: a proxy that replies instead of opening a tunnel gets no key', async () => {
    for (const reply of [
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n[]',
      'HTTP/1.1 302 Found\r\nLocation: http://service.example/index.php\r\nContent-Length: 0\r\n\r\n',
      'HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n',
    ]) {
      const received: Buffer[] = [];
      const proxy = await closing(
        ForwardProxy.start({
          routes: {},
          onConnect: (socket) => {
            socket.on('data', (chunk: Buffer) => received.push(chunk));
            socket.write(reply);
          },
        }),
      );
      const window = new Window('https://service.example');
      window.change({ proxy: proxy.url(), timeoutMs: 1000 });
      await assert.rejects(window.use((client) => client.sendCampaign(1)));
      assert.ok(proxy.requests.length > 0);
      assert.ok(!Buffer.concat(received).includes(KEY) && !JSON.stringify(proxy.requests).includes(KEY));
      window.dispose();
    }
  });

  it('HTTP to this computer never uses the proxy', async () => {
    const { server, arrived, release, serve } = startDelayedServer();
    const service = await closing(server);
    const proxy = await startProxy();
    for (const host of ['127.0.0.1', 'localhost']) {
      const window = new Window(`http://${host}:${service.port}`);
      const running = window.use(getLists);
      await arrived();
      window.change({ proxy: proxy.url() });
      release();
      await running;
      await serve(window.use(getLists));
      window.dispose();
    }
    assert.deepEqual([proxy.connections, service.requests.length], [0, 4]);
  });

  it('HTTP to a remote host: a proxy sees requests only after it was set', async () => {
    const service = await closing(WireServer.start(answer));
    const routes = { 'service.example': service.port };
    const [first, second] = [await startProxy(routes), await startProxy(routes)];
    const window = new Window('http://service.example');
    window.change({ proxy: first.url() });
    await window.use(getLists);
    window.change({ proxy: second.url() });
    await window.use(getLists);
    assert.deepEqual([first.requests.length, second.requests.length], [1, 1]);
    assert.ok(
      [...first.requests, ...second.requests].every(
        ({ target, headers }) =>
          target.startsWith('http://service.example/index.php?') &&
          !target.includes(KEY) &&
          headers.includes(`Api-Key: ${KEY}`),
      ),
    );
    window.dispose();
  });
});
