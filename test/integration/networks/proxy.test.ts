import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { createServer } from 'node:tls';
import * as vscode from 'vscode';
import type { ConnectionTestResult } from '../../../src/platform/connections/handlers.ts';
import type { Connection } from '../../../src/platform/connections/model.ts';
import { startSandbox, type Sandbox } from '../../support/sandbox/index.ts';
import { issued } from '../../support/certificates.ts';
import { eventually } from '../../support/eventually.ts';
import { ForwardProxy } from '../../support/proxy.ts';
import { answering } from '../answers.ts';
import { extensionFile } from '../service.ts';
import { listen } from '../../support/listen.ts';

const run = <T>(command: string, argument?: object) => vscode.commands.executeCommand<T>(command, argument);

/** Network settings of VS Code that the tests restore. */
const settings = [
  'http.proxy',
  'http.proxyStrictSSL',
  'http.noProxy',
  'http.proxySupport',
  'http.proxyAuthorization',
  'mailing.connections',
] as const;
type Settings = Readonly<Partial<Record<(typeof settings)[number], string | boolean | object | undefined>>>;

async function configure(values: Settings) {
  for (const name of settings) {
    if (name in values)
      await vscode.workspace.getConfiguration().update(name, values[name], vscode.ConfigurationTarget.Global);
  }
}

describe("VS Code's network settings", () => {
  let sandbox: Sandbox;
  let proxy: ForwardProxy;
  let secure: { readonly port: number; close(): void };

  before(async () => {
    sandbox = await startSandbox({ assets: extensionFile('media/starters') });
    const { port } = new URL(sandbox.baseUrl);
    // The service uses HTTPS as `service.example`, which is only reachable through the proxy.
    const server = createServer(issued, (socket) => {
      const target = connect(Number(port), '127.0.0.1');
      socket
        .on('error', () => target.destroy())
        .pipe(target)
        .on('error', () => socket.destroy())
        .pipe(socket);
    });
    secure = { port: await listen(server), close: () => server.close() };
  });
  beforeEach(async () => {
    proxy = await ForwardProxy.start({ routes: { 'service.example:443': secure.port }, credentials: 'ann:s3cret' });
  });
  afterEach(async () => {
    await configure(Object.fromEntries(settings.map((name) => [name, undefined])));
    await proxy.close();
  });
  after(async () => {
    secure.close();
    await sandbox.close();
  });

  const add = (): Thenable<Connection | undefined> =>
    run('mailing.connection.add', {
      baseUrl: 'https://service.example',
      apiKey: sandbox.apiKey,
      name: 'Far',
      profile: 'documented',
    });
  const test = (): Thenable<ConnectionTestResult | undefined> => run('mailing.connection.test', { connection: 'far' });
  const requests = () => sandbox.requests.length;

  /** Adds a connection that works through the proxy. */
  async function connectThroughProxy() {
    await configure({ 'http.proxy': proxy.url('ann:s3cret'), 'http.proxyStrictSSL': false });
    const { result } = await answering(undefined, add);
    assert.equal(result?.id, 'far');
  }

  it('connects through http.proxy with credentials and http.proxyStrictSSL off, and sends the key only through the tunnel', async () => {
    const before = requests();
    await connectThroughProxy();
    const { result } = await answering(undefined, test);
    assert.equal(result?.ok, true);
    assert.ok(requests() > before);
    assert.ok(
      proxy.requests.length > 0 &&
        proxy.requests.every(({ method, target }) => method === 'CONNECT' && target === 'service.example:443'),
    );
    assert.ok(!JSON.stringify(proxy.requests).includes(sandbox.apiKey));
    assert.ok(!Buffer.concat(proxy.tunneledBytes).includes(sandbox.apiKey));
  });

  it('rejects an untrusted certificate with http.proxyStrictSSL on before the key is sent', async () => {
    await connectThroughProxy();
    await configure({ 'http.proxyStrictSSL': true });
    const before = requests();
    await answering(undefined, async (shown) => {
      const result = await test();
      assert.ok(result?.ok === false && result.kind === 'tls');
      assert.match(result.message, /certificate of the service is not trusted/);
      await eventually(() => assert.match(shown[0]?.text ?? '', /certificate/));
    });
    assert.equal(requests(), before);
  });

  it('reports wrong credentials in http.proxy without reaching the service', async () => {
    await connectThroughProxy();
    const before = requests();
    await configure({ 'http.proxy': proxy.url('ann:guess') });
    const { result, shown } = await answering(undefined, test);
    assert.ok(result?.ok === false && result.kind === 'network');
    assert.match(result.message, /The proxy requires a valid user name and password/);
    assert.ok(!JSON.stringify([result, shown]).includes('guess'));
    assert.equal(requests(), before);
  });

  it('uses the credentials of http.proxyAuthorization', async () => {
    await connectThroughProxy();
    await configure({
      'http.proxy': proxy.url(),
      'http.proxyAuthorization': `Basic ${Buffer.from('ann:s3cret').toString('base64')}`,
    });
    assert.equal((await answering(undefined, test)).result?.ok, true);
  });

  for (const [name, change] of [
    ['http.noProxy', { 'http.noProxy': ['.example'] }],
    ['http.proxySupport off', { 'http.proxySupport': 'off' }],
  ] as const) {
    it(`bypasses the proxy with ${name}`, async () => {
      await connectThroughProxy();
      await configure(change);
      const before = proxy.connections;
      const { result } = await answering(undefined, test);
      assert.ok(result?.ok === false && result.kind === 'network');
      assert.match(result.message, /No host of that name was found/);
      assert.equal(proxy.connections, before);
    });
  }

  it('reports an invalid http.proxy', async () => {
    await connectThroughProxy();
    await configure({ 'http.proxy': 'ftp://127.0.0.1:21' });
    const { result } = await answering(undefined, test);
    assert.ok(result?.ok === false);
    assert.match(result.message, /URL of the proxy can't be read/);
  });

  it('reports a proxy that is down', async () => {
    await connectThroughProxy();
    await proxy.close();
    // VS Code may still read the settings from before the proxy was set.
    await eventually(() =>
      answering(undefined, async (shown) => {
        const result = await test();
        assert.ok(result?.ok === false && result.kind === 'network');
        await eventually(() => assert.match(shown[0]?.text ?? '', /proxy/), { timeoutMs: 2000 });
      }),
    );
  });
});
