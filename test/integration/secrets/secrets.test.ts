import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import * as vscode from 'vscode';
import type { MailingClient } from '../../../src/service/client/index.ts';
import type { ConnectionTestResult } from '../../../src/platform/connections/handlers.ts';
import { Connections } from '../../../src/platform/connections/connections.ts';
import { getKeyName } from '../../../src/platform/connections/keys.ts';
import { startSandbox, type Sandbox } from '../../support/sandbox/index.ts';
import { openCollector, type Collector } from '../../support/collector.ts';
import { leaks, openEcho, type Echo } from '../../support/secrets/echo.ts';
import { formsIn, listForms } from '../../support/secrets/forms.ts';
import { answering } from '../answers.ts';
import { extensionFile } from '../service.ts';

const key = 'Kq7tWm2xPz9RvNb4/+="<&%yLc8';
const forms = listForms(key);
const run = <T>(command: string, argument?: unknown) => vscode.commands.executeCommand<T>(command, argument);
const write = (name: string, value: unknown, target: vscode.ConfigurationTarget) =>
  vscode.workspace.getConfiguration().update(name, value, target);
const { Global, Workspace } = vscode.ConfigurationTarget;
const { fs } = vscode.workspace;
const folder = vscode.Uri.parse('mailing://shop/templates');
const file = vscode.Uri.parse('mailing://shop/templates/1/Welcome.html');
const test = () => run<ConnectionTestResult | undefined>('mailing.connection.test', { connection: 'shop' });
const remove = () => answering('Remove', () => run('mailing.connection.remove', { connection: 'shop' }));
const start = () => startSandbox({ assets: extensionFile('media/starters'), apiKey: key });

describe('The key and workspace settings', () => {
  let sandbox: Sandbox;
  let stranger: Collector;

  before(async () => {
    sandbox = await start();
    stranger = await openCollector();
    await write('mailing.connections', undefined, Global);
    const connection = { id: 'shop', name: 'Shop', baseUrl: sandbox.baseUrl, apiKey: key, profile: 'documented' };
    assert.ok((await answering(undefined, () => run('mailing.connection.add', connection))).result);
  });
  afterEach(() => write('mailing.connections', undefined, Workspace));
  after(async () => {
    await remove();
    await write('mailing.connections', undefined, Global);
    await stranger.close();
    await sandbox.close();
  });

  /** Uses a redefined connection in every way that sends requests. `requestCount`: number of requests to the original service. */
  async function redefined(value: unknown) {
    const before = sandbox.requests.length;
    const { result, shown } = await answering(undefined, async () => {
      await write('mailing.connections', value, Workspace);
      await Promise.allSettled([fs.readDirectory(folder), fs.readFile(file)]);
      await run('mailing.explorer.refresh');
      return test();
    });
    return { result, requestCount: sandbox.requests.length - before, shown: JSON.stringify(shown) };
  }

  const shop = (baseUrl: string, name = 'Shop') => [{ id: 'shop', name, baseUrl }];
  const tricks: Readonly<Record<string, (own: URL, other: URL) => unknown>> = {
    'another port': (_own, { port }) => shop(`http://127.0.0.1:${port}`),
    'another port of another spelling': (_own, { port }) => shop(`http://0x7f.1:${port}`),
    'a name': (_own, { port }) => shop(`http://localhost:${port}`),
    'a name of the own port': ({ port }) => shop(`http://localhost:${port}`),
    'a trailing dot': (_own, { port }) => shop(`http://127.0.0.1.:${port}`),
    capitals: (_own, { port }) => shop(`HTTP://LOCALHOST:${port}/`),
    'the own address as a user name': ({ host }, other) => shop(`http://${host}@${other.host}`),
    'the own address before a backslash and a user name': ({ host }, other) => shop(`http://${host}\\@${other.host}`),
    'the own address behind a backslash': ({ host }, other) => shop(`http://${other.host}\\@${host}`),
    'the own address in the path': ({ host }, other) => shop(`http://${other.host}/${host}`),
    'the own address in the fragment': ({ host }, other) => shop(`http://${other.host}#@${host}`),
    'a tab': ({ host }, other) => shop(`http://${host}\t@${other.host}`),
    'another path of the own service': ({ host }) => shop(`http://${host}/site`),
    'an empty segment of the own service': ({ host }, other) => shop(`http://${host}//${other.host}`),
    'https for http': ({ host }) => shop(`https://${host}`),
    IPv6: (_own, { port }) => shop(`http://[::1]:${port}`),
    'IPv4 in IPv6': (_own, { port }) => shop(`http://[::ffff:127.0.0.1]:${port}`),
    'two entries of one id': ({ host }, other) => [...shop(`http://${other.host}`), ...shop(`http://${host}`)],
  };
  for (const [trick, settings] of Object.entries(tricks)) {
    it(`${trick}: sends no key and no request`, async () => {
      const { result, requestCount, shown } = await redefined(
        settings(new URL(sandbox.baseUrl), new URL(stranger.url)),
      );
      assert.notEqual(result?.ok, true);
      assert.match(shown, /No API key is stored|connection settings contain errors|There is no connection/u);
      assert.deepEqual([requestCount, stranger.connections], [0, 0]);
    });
  }

  const same: Readonly<Record<string, (own: URL) => unknown>> = {
    'as it is': ({ host }) => shop(`http://${host}`),
    'capitals and a slash': ({ host }) => shop(`HTTP://${host}/`),
    'a trailing dot': ({ port }) => shop(`http://127.0.0.1.:${port}`),
    hexadecimal: ({ port }) => shop(`http://0x7F000001:${port}`),
    'dot segments': ({ host }) => shop(`http://${host}/a/..`),
    'another name': ({ host }) => shop(`http://${host}`, 'Renamed'),
  };
  for (const [spelling, settings] of Object.entries(same)) {
    it(`the same service, ${spelling}: keeps its key`, async () => {
      const { result, requestCount } = await redefined(settings(new URL(sandbox.baseUrl)));
      assert.equal(result?.ok, true);
      assert.ok(requestCount > 0);
      assert.equal(stranger.connections, 0);
    });
  }

  it('the prompt for a key shows the address', async () => {
    await redefined(shop(stranger.url));
    const prompts: string[] = [];
    const original = vscode.window.showInputBox;
    const redefine = (value: object) => {
      Object.defineProperty(vscode.window, 'showInputBox', { configurable: true, writable: true, value });
    };
    redefine(async (options: vscode.InputBoxOptions) => void prompts.push(options.prompt ?? ''));
    try {
      await run('mailing.connection.setApiKey', { connection: 'shop' });
    } finally {
      redefine(original);
    }
    assert.deepEqual([prompts.length, prompts[0]?.includes(stranger.url)], [1, true]);
  });

  it("a workspace can't set a proxy or disable certificate checks", async () => {
    for (const [name, value] of [
      ['http.proxy', stranger.url],
      ['http.proxyStrictSSL', false],
      ['http.proxySupport', 'on'],
      ['http.noProxy', ['*']],
    ] as const) {
      await assert.rejects(async () => write(name, value, Workspace), /workspace settings/iu, name);
    }
  });

  it('the original service still has its key', async () => {
    assert.equal((await answering(undefined, test)).result?.ok, true);
  });
});

/** Records log lines of all levels. */
function recordingLog() {
  const lines: string[] = [];
  const channel = vscode.window.createOutputChannel('Secrets tests', { log: true });
  const level = (...parts: readonly unknown[]) => {
    lines.push(parts.map((part) => (part instanceof Error ? `${part.message} ${part.stack}` : String(part))).join(' '));
  };
  const log = new Proxy(channel, {
    get: (target, name) =>
      ['trace', 'debug', 'info', 'warn', 'error', 'append', 'appendLine'].includes(String(name))
        ? level
        : Reflect.get(target, name),
  });
  return { log, lines };
}

/** Returns everything readable in an error, including properties that aren't printed. */
function dumpError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const own = Object.getOwnPropertyNames(error).map((name) => `${name}: ${String(Reflect.get(error, name))}`);
  return [
    String(error),
    error.stack,
    JSON.stringify(error),
    ...own,
    error.cause === undefined ? '' : dumpError(error.cause),
  ].join('\n');
}

describe('The key and a service that leaks it', () => {
  let sandbox: Sandbox;
  let stranger: Collector;
  let echo: Echo;
  let connections: Connections;
  const { log, lines } = recordingLog();
  const stored = new Map<string, string>();

  const operations: Readonly<Record<string, (client: MailingClient) => Promise<unknown>>> = {
    getLists: (client) => client.getLists(),
    getOneTemplate: (client) => client.getOneTemplate(1),
    getCampaignStatistics: (client) => client.getCampaignStatistics(1),
    updateTemplate: (client) => client.updateTemplate({ templateId: 1, name: 'T' }),
    sendCampaign: (client) => client.sendCampaign(1),
    createList: (client) => client.createList({ name: 'L' }),
    subscribeUsers: (client) => client.subscribeUsers({ emails: ['a@example.com'], listIds: [1] }),
    deleteFollowUp: (client) => client.deleteFollowUp(1),
  };

  before(async () => {
    sandbox = await start();
    stranger = await openCollector();
    echo = await openEcho(sandbox.baseUrl, stranger.url);
    stored.set(getKeyName('shop', echo.baseUrl), key);
    await write(
      'mailing.connections',
      [{ id: 'shop', name: 'Shop', baseUrl: echo.baseUrl, profile: 'documented' }],
      Global,
    );
    connections = new Connections(
      {
        globalStorageUri: vscode.Uri.file(tmpdir()),
        secrets: {
          keys: () => Promise.resolve([...stored.keys()]),
          get: (name) => Promise.resolve(stored.get(name)),
          store: () => Promise.reject(new Error('A key was stored.')),
          delete: () => Promise.resolve(),
          onDidChange: () => new vscode.Disposable(() => undefined),
        },
      },
      log,
    );
    await answering(undefined, () => run('mailing.connection.setApiKey', { connection: 'shop', apiKey: key }));
  });
  after(async () => {
    echo.setLeak(undefined);
    connections.dispose();
    log.dispose();
    await remove();
    await write('mailing.connections', undefined, Global);
    await echo.close();
    await stranger.close();
    await sandbox.close();
  });

  for (const how of Object.keys(leaks)) {
    it(`by ${how}: does not appear in any error, state, log, result, message or URL`, async () => {
      echo.setLeak(how);
      const outputs: string[] = [];
      const from = echo.requests.length;
      for (const [name, operation] of Object.entries(operations)) {
        const outcome = await connections
          .run(connections.getService('shop'), operation)
          .catch((error: unknown) => error);
        outputs.push(`${name}: ${dumpError(outcome)} ${JSON.stringify(outcome)}`);
        const state = connections.state('shop');
        outputs.push(state.kind === 'failed' ? dumpError(state.error) : state.kind);
      }
      const { shown } = await answering(undefined, async () => {
        await test();
        for (const ask of [
          () => fs.readFile(file),
          () => fs.writeFile(file, Buffer.from('<p>x</p>')),
          () => fs.readDirectory(folder),
          () => run('mailing.connection.add', { name: 'Again', baseUrl: echo.baseUrl, apiKey: 'two words' }),
        ])
          outputs.push(await Promise.resolve(ask()).then(String, dumpError));
      });
      assert.ok(echo.requests.length > from + 8 && lines.length > 0 && shown.length > 0);
      for (const text of [...outputs, ...lines, JSON.stringify(shown)])
        assert.deepEqual(formsIn(text, forms), [], text);
      for (const { url, body } of echo.requests)
        assert.deepEqual(formsIn(`${url}\n${decodeURIComponent(url)}\n${body}`, forms), []);
      assert.equal(stranger.connections, 0);
    });
  }

  it('is found in the header of each request', () => {
    for (const { rawHeaders } of echo.requests) assert.ok(formsIn(rawHeaders.join('\n'), forms).includes('plain'));
    assert.ok(formsIn(dumpError(new Error(`It is ${Buffer.from(key).toString('base64')}.`)), forms).length > 0);
  });
});
