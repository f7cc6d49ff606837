import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import * as vscode from 'vscode';
import { Connections } from '../../../src/platform/connections/connections.ts';
import { openOutboxMessage, buildOutboxUri } from '../../../src/platform/connections/outbox.ts';
import { SandboxHost } from '../../../src/platform/connections/sandbox.ts';
import { extensionFile } from '../service.ts';
import { answering } from '../answers.ts';
import { memoryMemento } from '../../support/memento.ts';
import { compose } from '../../support/sandbox/index.ts';

/** A secret store that must not be used: the sandbox's key isn't persisted. */
const noSecrets: vscode.SecretStorage = {
  keys: () => Promise.resolve([]),
  get: () => Promise.resolve(undefined),
  store: () => Promise.reject(new Error('A key was stored.')),
  delete: () => Promise.resolve(),
  onDidChange: () => new vscode.Disposable(() => undefined),
};

describe('SandboxHost', () => {
  const log = vscode.window.createOutputChannel('Sandbox host tests', { log: true });
  const open: vscode.Disposable[] = [];

  /** @param folder the folder of the extension's files */
  function openWindow(workspaceState: vscode.Memento, folder = '.') {
    const connections = new Connections({ secrets: noSecrets, globalStorageUri: vscode.Uri.file(tmpdir()) }, log);
    const asAbsolutePath = (path: string) => extensionFile(`${folder}/${path}`);
    const sandbox = new SandboxHost({ asAbsolutePath, workspaceState }, connections, compose);
    open.push(sandbox, connections);
    return { connections, sandbox };
  }

  function closeWindow() {
    for (const part of open.splice(0)) part.dispose();
  }

  afterEach(closeWindow);
  after(() => log.dispose());

  it('restarts the sandbox after a reload, and makes operations wait', async () => {
    const memory = memoryMemento();
    const first = openWindow(memory);
    await first.sandbox.start();
    assert.equal(first.connections.state('sandbox').kind, 'connected');
    closeWindow();
    const second = openWindow(memory);
    assert.equal(second.connections.get('sandbox')?.name, 'Sandbox');
    assert.equal(await second.sandbox.outbox(), undefined);
    const lists = await Promise.all(
      [1, 2].map(() => second.connections.run(second.connections.getService('sandbox'), (client) => client.getLists())),
    );
    assert.ok(lists.every((page) => page.length > 0));
    const restarted = second.connections.get('sandbox')?.baseUrl;
    assert.match(restarted ?? '', /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal((await second.sandbox.start()).baseUrl, restarted);
  });

  it('does not restart a sandbox that was stopped or never ran', async () => {
    const memory = memoryMemento();
    const { sandbox, connections } = openWindow(memory);
    assert.equal(connections.get('sandbox'), undefined);
    const [one, two] = await Promise.all([sandbox.start(), sandbox.start()]);
    assert.equal(one.baseUrl, two.baseUrl);
    await sandbox.stop();
    assert.equal(connections.get('sandbox'), undefined);
    closeWindow();
    assert.equal(openWindow(memory).connections.get('sandbox'), undefined);
  });

  it('cleans up after a failed start', async () => {
    const memory = memoryMemento();
    const { sandbox, connections } = openWindow(memory, 'nowhere');
    await assert.rejects(sandbox.start());
    assert.deepEqual([connections.get('sandbox'), memory.keys()], [undefined, []]);
  });

  it('shows sent messages as documents, and reports deleted messages after a reset', async () => {
    const { sandbox, connections } = openWindow(memoryMemento());
    await sandbox.start();
    const outbox = await sandbox.outbox();
    assert.ok(outbox);
    await connections.run(connections.getService('sandbox'), async (client) => {
      const listIds = (await client.getLists({ limit: 1 })).map(({ id }) => id);
      const fields = { name: 'C', subject: '50% off: a/b?', body: '<p>Hello</p>', listIds };
      await client.sendCampaign((await client.createOrUpdateCampaign(fields)).campaignId);
    });
    const newest = outbox.messages.at(-1);
    assert.ok(newest);
    const uri = buildOutboxUri(newest);
    assert.equal(uri.toString(true), `mailing-outbox:/${newest.id}/50 off a b.eml`);
    const message = await sandbox.provideTextDocumentContent(uri);
    assert.match(message, /^Subject: 50% off: a\/b\?\r$/m);
    assert.match(message, /OfficeDocumentSettings/, 'It is composed as AcyMailing does.');
    const details = JSON.parse(await sandbox.provideTextDocumentContent(buildOutboxUri(newest, 'json')));
    assert.deepEqual([details.envelope.subject, details.to], [newest.subject, newest.to]);
    assert.match(details.envelope.from_email, /@/);
    assert.match(details.text, /Hello/);
    const connection = connections.get('sandbox');
    assert.deepEqual([connection?.profile, connection?.composing], ['documented', 'acymailing']);
    await assert.rejects(openOutboxMessage(sandbox, newest.id + 1), /no message/);
    await sandbox.reset();
    assert.match(await sandbox.provideTextDocumentContent(uri), /no longer in the outbox/);
    const { result, shown } = await answering(undefined, () => openOutboxMessage(sandbox));
    assert.equal(result, undefined);
    assert.match(shown[0]?.text ?? '', /outbox is empty/);
  });
});
