import assert from 'node:assert/strict';
import { connect, type AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import * as vscode from 'vscode';
import type { ConnectionTestResult } from '../../../src/platform/connections/actions.ts';
import type { Connection } from '../../../src/platform/connections/model.ts';
import { startSandbox, type Sandbox } from '../../support/sandbox/index.ts';
import { issued } from '../../support/certificates.ts';
import { eventually } from '../../support/eventually.ts';
import { ForwardProxy } from '../../support/proxy.ts';
import { answering } from '../answers.ts';
import { extensionFile } from '../service.ts';

const run = <T>(command: string, argument?: unknown): Thenable<T> =>
  vscode.commands.executeCommand<T>(command, argument);

/** VS Code's own settings of networks, and what they are after the tests. */
const settings = [
  'http.proxy',
  'http.proxyStrictSSL',
  'http.noProxy',
  'http.proxySupport',
  'http.proxyAuthorization',
  'mailing.connections',
] as const;
type Settings = Readonly<Partial<Record<(typeof settings)[number], unknown>>>;

async function configure(values: Settings): Promise<void> {
  for (const name of settings) {
    if (name in values)
      await vscode.workspace.getConfiguration().update(name, values[name], vscode.ConfigurationTarget.Global);
  }
}

describe("VS Code's settings of networks", () => {
  let sandbox: Sandbox;
  let proxy: ForwardProxy;
  let secure: { readonly port: number; close(): void };

  before(async () => {
    sandbox = await startSandbox({ assets: extensionFile('media/starters') });
    const { port } = new URL(sandbox.baseUrl);
    // The service speaks HTTPS as `service.example`, which only the proxy can find.
    const server = createServer(issued, (socket) => {
      const target = connect(Number(port), '127.0.0.1');
      socket
        .on('error', () => target.destroy())
        .pipe(target)
        .on('error', () => socket.destroy())
        .pipe(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    secure = { port: (server.address() as AddressInfo).port, close: () => server.close() };
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

  /** A connection that works through the proxy. */
  async function connected(): Promise<void> {
    await configure({ 'http.proxy': proxy.url('ann:s3cret'), 'http.proxyStrictSSL': false });
    const { result } = await answering(undefined, add);
    assert.equal(result?.id, 'far');
  }

  it('http.proxy with credentials and http.proxyStrictSSL off lead to the service, and the key goes through the tunnel only', async () => {
    const before = requests();
    await connected();
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

  it('http.proxyStrictSSL on refuses a certificate that nobody vouches for, before the key is sent', async () => {
    await connected();
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

  it('wrong credentials in http.proxy are named, and the service gets nothing', async () => {
    await connected();
    const before = requests();
    await configure({ 'http.proxy': proxy.url('ann:guess') });
    const { result, shown } = await answering(undefined, test);
    assert.ok(result?.ok === false && result.kind === 'network');
    assert.match(result.message, /the proxy asks for a user name and password/);
    assert.ok(!JSON.stringify([result, shown]).includes('guess'));
    assert.equal(requests(), before);
  });

  it('http.proxyAuthorization gives the credentials that http.proxy has not', async () => {
    await connected();
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
    it(`${name}: the proxy is not used`, async () => {
      await connected();
      await configure(change);
      const before = proxy.connections;
      const { result } = await answering(undefined, test);
      assert.ok(result?.ok === false && result.kind === 'network');
      assert.match(result.message, /no host of that name was found/);
      assert.equal(proxy.connections, before);
    });
  }

  it("an address in http.proxy that can't be one is named", async () => {
    await connected();
    await configure({ 'http.proxy': 'ftp://127.0.0.1:21' });
    const { result } = await answering(undefined, test);
    assert.ok(result?.ok === false);
    assert.match(result.message, /address of the proxy can't be read/);
  });

  it('a proxy that is gone is named', async () => {
    await connected();
    await proxy.close();
    // VS Code may still be reading its settings for the last time, and see those from before the proxy was set.
    await eventually(
      () =>
        answering(undefined, async (shown) => {
          const result = await test();
          assert.ok(result?.ok === false && result.kind === 'network');
          await eventually(() => assert.match(shown[0]?.text ?? '', /proxy/), { patienceMs: 2000 });
        }),
      { patienceMs: 20_000 },
    );
  });
});
