import assert from 'node:assert/strict';
import { eventually, testConnection, useWorkbench } from '../support/workbench.ts';

describe('A fresh window without connections', () => {
  const window = useWorkbench({ service: false, shared: true });

  it('invites to connect or to try the sandbox', async () => {
    const { explorer } = window();
    await explorer.open();
    const buttons = await explorer.welcomeButtons();
    assert.equal(buttons.length, 2, buttons.join(', '));
    assert.match(buttons.join('\n'), /connect/i);
    assert.match(buttons.join('\n'), /sandbox/i);
    await window().screenshot('welcome');
  });

  it('has its commands in the palette', async () => {
    const { quickInput } = window();
    for (const title of ['Mailing: Add Connection…', 'Mailing: Start Sandbox', 'Mailing: Show Log']) {
      assert.deepEqual(await quickInput.commands(title), [title]);
    }
  });
});

describe('A window with a connection in its settings', () => {
  const window = useWorkbench();

  it('reads the service once it has a key, which outlives a reload', async () => {
    const { explorer, service } = window();
    await explorer.open();
    await explorer.row([testConnection.name]);
    assert.equal(service.requests.length, 0, 'A connection without a key asks nothing of its service.');

    await window().enterApiKey();
    const templates = await explorer.row([testConnection.name, 'Templates']);
    await templates.expand();
    await eventually(() => assert.ok(service.requests.some(({ operation, status }) => operation === 'getTemplates' && status === 200)));
    await eventually(async () => assert.ok((await explorer.lines()).some(({ level }) => level === 3)));

    await window().reload();
    await explorer.open();
    const read = () => service.requests.filter(({ operation }) => operation === 'getTemplates').length;
    const before = read();
    await window().run('Mailing: Refresh');
    await (await explorer.row([testConnection.name, 'Templates'])).expand();
    await eventually(() => assert.ok(read() > before, 'After the reload, the key is not known any more.'));
  });
});
