import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../support/sandbox/index.ts';
import type { Connection, ConnectionState } from '../../../src/platform/connections/model.ts';
import type { ConnectionTestResult } from '../../../src/platform/connections/handlers.ts';
import { eventually } from '../../support/eventually.ts';
import { extensionFile } from '../service.ts';
import { answering, type Shown } from '../answers.ts';

const run = <T>(command: string, argument?: object) => vscode.commands.executeCommand<T>(command, argument);
const setting = () => vscode.workspace.getConfiguration('mailing').inspect('connections')?.globalValue;
const write = (value: object | undefined) =>
  vscode.workspace.getConfiguration('mailing').update('connections', value, vscode.ConfigurationTarget.Global);

describe('Connection commands', () => {
  let sandbox: Sandbox;

  before(async () => {
    sandbox = await startSandbox({ assets: extensionFile('media/starters'), basePath: '/site' });
  });
  beforeEach(() => write(undefined));
  afterEach(() => sandbox.faults.clear());
  after(async () => {
    await write(undefined);
    await sandbox.close();
  });

  const add = (more: object = {}): Thenable<Connection | undefined> =>
    run('mailing.connection.add', { baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey, name: 'Shop', ...more });
  const test = (connection = 'shop'): Thenable<ConnectionTestResult | undefined> =>
    run('mailing.connection.test', { connection });
  /** Runs a task and closes its messages. Returns its result and the first message. */
  const closing = async <T>(task: () => Thenable<T>) => {
    const { result, shown } = await answering(undefined, task);
    return { result, text: shown[0]?.text ?? '', buttons: shown[0]?.buttons ?? [], all: JSON.stringify(shown) };
  };
  const assertNoKey = async () => {
    const { result } = await closing(() => test());
    assert.ok(result?.ok === false && result.kind === 'unauthorized');
    assert.match(result.message, /No API key is stored/);
  };
  /** Starts another service for a task. */
  const withOther = async (options: Omit<SandboxOptions, 'assets'>, task: (other: Sandbox) => Promise<void>) => {
    const other = await startSandbox({ assets: extensionFile('media/starters'), ...options });
    await task(other).finally(() => other.close());
  };

  it('add a connection by arguments, detect the profile, and store no key in settings', async () => {
    const { result: connection, text, all } = await closing(() => add());
    assert.deepEqual(connection, { id: 'shop', name: 'Shop', baseUrl: sandbox.baseUrl, profile: 'documented' });
    assert.deepEqual(setting(), [connection]);
    assert.ok(!(JSON.stringify(setting()) + all).includes(sandbox.apiKey));
    assert.match(text, /Connected to "Shop"/);
  });

  it('detect AcyMailing and the content management system of its site', () =>
    withOther({ profile: 'acymailing' }, async ({ baseUrl, apiKey }) => {
      const connection = await add({ baseUrl, apiKey });
      assert.deepEqual([connection?.profile, connection?.cms], ['acymailing', 'wordpress']);
      assert.deepEqual(setting(), [connection]);
    }));

  it('choose an unused id, even next to invalid entries', async () => {
    await write([{ id: 'shop' }]);
    assert.equal((await closing(() => add())).result?.id, 'shop-2');
    assert.equal((await add())?.id, 'shop-3');
  });

  it('refuse a used id and an invalid key before sending a request', async () => {
    await add();
    const before = sandbox.requests.length;
    for (const [more, words, requests = 0] of [
      [{ apiKey: 'two words' }, /no spaces/],
      [{ baseUrl: 'https://a@b.example' }, /user name/],
      [{ profile: 'other' }, /no profile/],
      [{ id: 'shop' }, /already a connection with the ID "shop"/, 1],
    ] as const) {
      const { result, text } = await closing(() => add(more));
      assert.equal(result, undefined);
      assert.match(text, words);
      assert.equal(sandbox.requests.length, before + requests);
    }
  });

  it('test a connection: profile, latency and lists', async () => {
    await add();
    const { result, text } = await closing(() => test());
    assert.ok(result?.ok && result.profile === 'documented' && result.lists > 0);
    assert.match(text, /^Connected to "Shop" · other service with AcyMailing's REST API · \d+ ms · \d+ lists$/);
  });

  it('report a wrong key and offer to set another one', async () => {
    await add();
    const setKey = (apiKey: string) =>
      run<ConnectionState>('mailing.connection.setApiKey', { connection: 'shop', apiKey });
    const { result, buttons, all } = await closing(() => setKey('wrong-key'));
    assert.ok(result.kind === 'failed' && result.error.kind === 'unauthorized');
    assert.ok(buttons.includes('Set API Key') && !all.includes('wrong-key'));
    assert.equal((await setKey(sandbox.apiKey)).kind, 'connected');
  });

  it('report a missing service and offer to edit the address', async () => {
    await add();
    sandbox.faults.add({ kind: 'html' });
    await answering(undefined, async (shown) => {
      const result = await test();
      assert.ok(result?.ok === false && result.kind === 'notJson');
      await eventually(() => assert.ok(shown[0]?.buttons.includes('Edit Connection')));
    });
  });

  it('report a picker that can’t search, also if no argument names the connection, and open it again', async () => {
    await add();
    sandbox.faults.add({ kind: 'html' });
    const answers = ['Retry'];
    const answerOnce = () => Promise.resolve(answers.pop());
    await answering(answerOnce, async (shown) => {
      assert.equal(await run('mailing.record.open'), undefined);
      await eventually(() => assert.equal(shown.length, 2));
      for (const { text, buttons } of shown) {
        assert.match(text, /^Open: /u);
        assert.deepEqual(buttons, ['Edit Connection', 'Retry', 'Show Log']);
      }
    });
  });

  it('edit a connection, whose new address needs its own key', async () => {
    const connection = await add();
    const edit = (changes: object) =>
      run<Connection>('mailing.connection.edit', Object.assign({ connection: 'shop' }, changes));
    assert.equal((await edit({ name: 'Renamed' })).name, 'Renamed');
    assert.equal((await test())?.ok, true);
    await withOther({}, async ({ baseUrl, apiKey }) => {
      assert.equal((await edit({ baseUrl, apiKey })).baseUrl, baseUrl);
      assert.equal((await test())?.ok, true);
      // The key for the old address was deleted.
      await write([connection]);
      await assertNoKey();
    });
  });

  it('remove a connection and its key after a modal confirmation', async () => {
    const connection = await add();
    const canceled = await answering(undefined, () => run('mailing.connection.remove', { connection: 'shop' }));
    assert.equal(canceled.result, undefined);
    assert.deepEqual([canceled.shown[0]?.modal, canceled.shown[0]?.buttons], [true, ['Remove']]);
    assert.deepEqual(setting(), [connection]);
    const removed = await answering('Remove', () => run('mailing.connection.remove', { connection: 'shop' }));
    assert.equal(removed.result, true);
    assert.deepEqual(setting(), []);
    await write([connection]);
    await assertNoKey();
  });

  it('warn about invalid entries in the settings, and use the others', async () => {
    const connection = await add();
    const notices = (shown: readonly Shown[]) =>
      shown.filter(({ text }) => text.includes('connection settings contain errors'));
    const noticed = (entries: readonly (object | undefined)[]) =>
      answering(undefined, async (shown) => {
        await write(entries);
        await eventually(() => assert.equal(notices(shown).length, 1));
        assert.equal((await test())?.ok, true);
      });
    const wrong = [connection, { id: 'bad', name: 'Bad one', baseUrl: 'nowhere' }, { ...connection, name: 'Twin' }];
    const [notice] = notices((await noticed(wrong)).shown);
    assert.match(notice?.text ?? '', /"Bad one" \(entry 2\).*"Twin" \(entry 3\)/);
    assert.deepEqual(notice?.buttons, ['Open Settings']);
    assert.equal(notices((await noticed([...wrong, connection])).shown).length, 1);
  });

  it('report a missing connection', async () => {
    const { result, text } = await closing(() => test('missing'));
    assert.equal(result, undefined);
    assert.match(text, /no connection "missing"/);
  });
});

describe('Sandbox commands', () => {
  after(() => run('mailing.sandbox.stop'));

  /** Runs a command and closes its messages. Returns the text of the first one. */
  const readMessage = async (command: string, argument?: object) =>
    (await answering(undefined, () => run(command, argument))).shown[0]?.text;

  it('start the sandbox once, as a connection of this window only', async () => {
    const first = await run<Connection>('mailing.sandbox.start', {});
    assert.deepEqual([first.id, first.name, first.sandbox], ['sandbox', 'Sandbox', true]);
    assert.match(first.baseUrl, /^http:\/\/127\.0\.0\.1:\d+/);
    const countTabs = () => vscode.window.tabGroups.all.map(({ tabs }) => tabs.length);
    assert.deepEqual(countTabs(), [0]);
    assert.deepEqual(await run<Connection>('mailing.sandbox.start'), first);
    assert.match(vscode.window.activeTextEditor?.document.uri.path ?? '', /^\/templates\/1\/.*\.html$/);
    await eventually(() => assert.deepEqual(countTabs(), [1, 1], 'The template, and its preview beside it.'));
    assert.ok(!JSON.stringify(setting() ?? null).includes('sandbox'));
    const { result } = await answering(undefined, () =>
      run<ConnectionTestResult>('mailing.connection.test', { connection: 'sandbox' }),
    );
    assert.equal(result.ok, true);
  });

  it('reset the sandbox only after a confirmation', async () => {
    await run('mailing.sandbox.start', {});
    const { result, shown } = await answering(undefined, () => run('mailing.sandbox.reset'));
    assert.deepEqual([result, shown[0]?.modal], [undefined, true]);
    assert.equal((await answering('Reset', () => run('mailing.sandbox.reset'))).result, true);
  });

  it('do not edit the sandbox', async () => {
    await run('mailing.sandbox.start', {});
    for (const command of ['mailing.connection.remove', 'mailing.connection.setApiKey', 'mailing.connection.edit']) {
      const argument = { connection: 'sandbox', name: 'Mine', apiKey: 'k' };
      const { result, shown } = await answering('Remove', () => run(command, argument));
      assert.equal(result, undefined, command);
      assert.match(shown.map(({ text }) => text).join(), /belongs to this window/, command);
    }
  });

  it('copy diagnostics without keys, addresses and names', async () => {
    const { baseUrl } = await run<Connection>('mailing.sandbox.start', {});
    const { result } = await answering(undefined, () => run<string>('mailing.copyDiagnostics'));
    assert.match(result, /^Mailing Studio \d+\.\d+\.\d+, VS Code \d/u);
    assert.match(result, /- sandbox, documented, connected/u);
    assert.match(result, /"maxRecipients": \d+/u);
    // Their keys are the ids of connections.
    assert.doesNotMatch(result, /"connections"|"testLists"|"testRecipients"/u);
    assert.match(result, /Log:\n\S/u);
    assert.ok(!result.slice(0, result.indexOf('Log:')).includes(baseUrl));
    assert.equal(await vscode.env.clipboard.readText(), result);
  });

  it('stop the sandbox, and report an empty outbox or that it is not running', async () => {
    await run('mailing.sandbox.start', {});
    assert.match((await readMessage('mailing.sandbox.openOutbox')) ?? '', /outbox is empty/);
    assert.equal(await run('mailing.sandbox.stop'), true);
    assert.equal(await run('mailing.sandbox.stop'), false);
    assert.match((await readMessage('mailing.sandbox.openOutbox')) ?? '', /isn't running/);
    const message = await readMessage('mailing.connection.test', { connection: 'sandbox' });
    assert.match(message ?? '', /no connection "sandbox"/);
  });
});
