import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { startSandbox, type Sandbox } from '../../support/sandbox/index.ts';
import type { Connection, ConnectionState } from '../../../src/platform/connections/model.ts';
import type { ConnectionTestResult } from '../../../src/platform/connections/handlers.ts';
import { eventually } from '../../support/eventually.ts';
import { extensionFile } from '../service.ts';
import { answering, type Shown } from '../answers.ts';

const run = <T>(command: string, argument?: object): Thenable<T> =>
  vscode.commands.executeCommand<T>(command, argument);
const setting = () => vscode.workspace.getConfiguration('mailing').inspect('connections')?.globalValue;
const write = (value: object | undefined): Thenable<void> =>
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
  const test = (connection: string): Thenable<ConnectionTestResult | undefined> =>
    run('mailing.connection.test', { connection });

  it('add a connection by arguments, detect the profile, and store no key in settings', async () => {
    const { result: connection, shown } = await answering(undefined, () => add());
    assert.deepEqual(connection, { id: 'shop', name: 'Shop', baseUrl: sandbox.baseUrl, profile: 'documented' });
    assert.deepEqual(setting(), [connection]);
    assert.ok(!JSON.stringify([setting(), shown]).includes(sandbox.apiKey));
    assert.match(shown[0]?.text ?? '', /“Shop” is connected/);
  });

  it('detect AcyMailing', async () => {
    const acymailing = await startSandbox({ assets: extensionFile('media/starters'), profile: 'acymailing' });
    try {
      const connection = await add({ baseUrl: acymailing.baseUrl, apiKey: acymailing.apiKey });
      assert.equal(connection?.profile, 'acymailing');
    } finally {
      await acymailing.close();
    }
  });

  it('choose an unused id, even next to invalid entries', async () => {
    await write([{ id: 'shop' }]);
    assert.equal((await answering(undefined, () => add())).result?.id, 'shop-2');
    assert.equal((await add())?.id, 'shop-3');
  });

  it('refuse a used id and an invalid key before sending a request', async () => {
    await add();
    const before = sandbox.requests.length;
    for (const [more, words] of [
      [{ apiKey: 'two words' }, /no spaces/],
      [{ baseUrl: 'https://a@b.example' }, /user name/],
      [{ profile: 'other' }, /no profile/],
    ] as const) {
      const { result, shown } = await answering(undefined, () => add(more));
      assert.equal(result, undefined);
      assert.match(shown[0]?.text ?? '', words);
    }
    assert.equal(sandbox.requests.length, before);
    const { result, shown } = await answering(undefined, () => add({ id: 'shop' }));
    assert.equal(result, undefined);
    assert.match(shown[0]?.text ?? '', /id “shop” already/);
  });

  it('test a connection: profile, latency and lists', async () => {
    await add();
    const { result, shown } = await answering(undefined, () => test('shop'));
    assert.ok(result?.ok);
    assert.equal(result.profile, 'documented');
    assert.ok(result.lists > 0);
    assert.match(shown[0]?.text ?? '', /“Shop” answers: profile as documented, \d+ ms, \d+ lists\./);
  });

  it('report a wrong key and offer to set another one', async () => {
    await add();
    const { result, shown } = await answering(undefined, () =>
      run<ConnectionState>('mailing.connection.setApiKey', { connection: 'shop', apiKey: 'wrong-key' }),
    );
    assert.equal(result.kind, 'failed');
    assert.ok(result.kind === 'failed' && result.error.kind === 'unauthorized');
    assert.ok(shown[0]?.buttons.includes('Set API Key'));
    assert.ok(!JSON.stringify(shown).includes('wrong-key'));
    const mended = await run<ConnectionState>('mailing.connection.setApiKey', {
      connection: 'shop',
      apiKey: sandbox.apiKey,
    });
    assert.equal(mended.kind, 'connected');
  });

  it('report a missing service and offer to edit the address', async () => {
    await add();
    sandbox.faults.add({ kind: 'html' });
    await answering(undefined, async (shown) => {
      const result = await test('shop');
      assert.ok(result?.ok === false);
      assert.equal(result.kind, 'notJson');
      await eventually(() => assert.ok(shown[0]?.buttons.includes('Edit Connection')));
    });
  });

  it('send no key to a redefined address', async () => {
    const connection = await add();
    const elsewhere = await startSandbox({ assets: extensionFile('media/starters'), apiKey: sandbox.apiKey });
    try {
      await write([{ ...connection, baseUrl: elsewhere.baseUrl }]);
      const { result } = await answering(undefined, () => test('shop'));
      assert.ok(result?.ok === false && result.kind === 'unauthorized');
      assert.match(result.message, /No API key is stored/);
      assert.equal(elsewhere.requests.length, 0);
      await write([connection]);
      assert.equal((await test('shop'))?.ok, true);
    } finally {
      await elsewhere.close();
    }
  });

  it('edit a connection, whose new address needs its own key', async () => {
    const connection = await add();
    assert.equal(
      (await run<Connection>('mailing.connection.edit', { connection: 'shop', name: 'Renamed' })).name,
      'Renamed',
    );
    assert.equal((await test('shop'))?.ok, true);
    const other = await startSandbox({ assets: extensionFile('media/starters') });
    try {
      const edited = await run<Connection>('mailing.connection.edit', {
        connection: 'shop',
        baseUrl: other.baseUrl,
        apiKey: other.apiKey,
      });
      assert.equal(edited.baseUrl, other.baseUrl);
      assert.equal((await test('shop'))?.ok, true);
      // The key for the old address was deleted.
      await write([connection]);
      const { result } = await answering(undefined, () => test('shop'));
      assert.ok(result?.ok === false && result.kind === 'unauthorized');
    } finally {
      await other.close();
    }
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
    const { result } = await answering(undefined, () => test('shop'));
    assert.ok(result?.ok === false);
    assert.match(result.message, /No API key is stored/);
  });

  it('warn about invalid entries in the settings, and use the others', async () => {
    const connection = await add();
    const notices = (shown: readonly Shown[]) => shown.filter(({ text }) => text.includes('needs correcting'));
    const noticed = (entries: readonly (object | undefined)[]) =>
      answering(undefined, async (shown) => {
        await write(entries);
        await eventually(() => assert.equal(notices(shown).length, 1));
        assert.equal((await test('shop'))?.ok, true);
      });
    const wrong = [connection, { id: 'bad', name: 'Bad one', baseUrl: 'nowhere' }, { ...connection, name: 'Twin' }];
    const [notice] = notices((await noticed(wrong)).shown);
    assert.match(notice?.text ?? '', /“Bad one” \(entry 2\).*“Twin” \(entry 3\)/);
    assert.deepEqual(notice?.buttons, ['Open Settings']);
    assert.equal(notices((await noticed([...wrong, connection])).shown).length, 1);
  });

  it('report a missing connection', async () => {
    const { result, shown } = await answering(undefined, () => test('missing'));
    assert.equal(result, undefined);
    assert.match(shown[0]?.text ?? '', /no connection “missing”/);
  });
});

describe('Sandbox commands', () => {
  after(() => run('mailing.sandbox.stop'));

  it('start the sandbox once, as a connection of this window only', async () => {
    const first = await run<Connection>('mailing.sandbox.start');
    assert.deepEqual([first.id, first.name, first.sandbox], ['sandbox', 'Sandbox', true]);
    assert.match(first.baseUrl, /^http:\/\/127\.0\.0\.1:\d+/);
    assert.deepEqual(await run<Connection>('mailing.sandbox.start'), first);
    assert.ok(!JSON.stringify(setting() ?? null).includes('sandbox'));
    const { result } = await answering(undefined, () =>
      run<ConnectionTestResult>('mailing.connection.test', { connection: 'sandbox' }),
    );
    assert.equal(result.ok, true);
  });

  it('reset the sandbox only after a confirmation', async () => {
    await run('mailing.sandbox.start');
    const { result, shown } = await answering(undefined, () => run('mailing.sandbox.reset'));
    assert.equal(result, undefined);
    assert.equal(shown[0]?.modal, true);
    assert.equal((await answering('Reset', () => run('mailing.sandbox.reset'))).result, true);
  });

  it('do not edit the sandbox', async () => {
    await run('mailing.sandbox.start');
    for (const command of ['mailing.connection.remove', 'mailing.connection.setApiKey', 'mailing.connection.edit']) {
      const { result, shown } = await answering('Remove', () =>
        run(command, { connection: 'sandbox', name: 'Mine', apiKey: 'k' }),
      );
      assert.equal(result, undefined, command);
      assert.ok(
        shown.some(({ text }) => text.includes('belongs to this window')),
        command,
      );
    }
  });

  it('report an empty outbox, or that the sandbox is not running', async () => {
    await run('mailing.sandbox.start');
    assert.match(
      (await answering(undefined, () => run('mailing.sandbox.openOutbox'))).shown[0]?.text ?? '',
      /outbox is empty/,
    );
    await run('mailing.sandbox.stop');
    assert.match(
      (await answering(undefined, () => run('mailing.sandbox.openOutbox'))).shown[0]?.text ?? '',
      /not running/,
    );
  });

  it('remove the connection when the sandbox stops', async () => {
    await run('mailing.sandbox.start');
    assert.equal(await run('mailing.sandbox.stop'), true);
    assert.equal(await run('mailing.sandbox.stop'), false);
    const { shown } = await answering(undefined, () => run('mailing.connection.test', { connection: 'sandbox' }));
    assert.match(shown[0]?.text ?? '', /no connection “sandbox”/);
  });
});
