import assert from 'node:assert/strict';
import { join } from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { startSandbox, type Sandbox } from '../../support/sandbox/index.ts';
import { eventually, useWorkbench } from '../../support/workbench.ts';

describe('Connecting a service by hand', () => {
  const window = useWorkbench({ shared: true, service: false });
  let service: Sandbox;

  beforeEach(async () => {
    service = await startSandbox({ assets: join(root, 'media', 'starters'), basePath: '/site', profile: 'acymailing' });
  });
  afterEach(() => service.close());

  it('asks for address, key and name, says what is wrong, and keeps what was entered', async () => {
    const { quickInput, notifications, explorer } = window();
    await window().run('Mailing: Add Connection…');
    await quickInput.waitFor('Address of the site');
    await quickInput.answer('http://user@example.com');
    await quickInput.waitFor('must not contain a user name');
    // A pasted address of the right host, but without its path.
    await quickInput.answer(service.baseUrl.replace('/site', '/index.php?page=x'));
    await quickInput.waitFor('API key');
    await quickInput.answer(service.apiKey);
    await quickInput.waitFor('There is no mailing service at this address');
    await window().screenshot('connect-no-service');
    await quickInput.pick('Correct the address');
    await quickInput.waitFor('Address of the site');
    await quickInput.answer(service.baseUrl);
    // The key was kept, and is only confirmed.
    await quickInput.waitFor('API key');
    await quickInput.answer('not-the-key');
    await quickInput.waitFor('refuses this API key');
    await quickInput.pick('Correct the API key');
    await quickInput.waitFor('API key');
    await window().page.locator('.quick-input-left-action-bar .action-label').click();
    await quickInput.waitFor('Address of the site');
    await quickInput.accept();
    await quickInput.waitFor('API key');
    await quickInput.answer(service.apiKey);
    await quickInput.waitFor('Name shown in the tree');
    await quickInput.answer('My shop');
    await notifications.waitFor('“My shop” is connected: profile AcyMailing.');
    await explorer.open();
    await eventually(async () => assert.ok((await explorer.lines()).some(({ label }) => label === 'My shop')));
    assert.ok(service.requests.every(({ url }) => !url.includes(service.apiKey)));
  });

  it('asks before a key is sent unencrypted, and sends nothing when it may not', async () => {
    const { quickInput, dialog } = window();
    await window().run('Mailing: Add Connection…');
    await quickInput.waitFor('Address of the site');
    await quickInput.answer('http://mail.example.com');
    assert.match(await dialog.text(), /Send the API key to mail\.example\.com without encryption\?/);
    await window().screenshot('connect-unencrypted');
    await dialog.click('Cancel');
    await quickInput.waitFor('Address of the site');
    await quickInput.cancel();
  });

  it('saves a connection that can\'t be reached when told to, and says how to mend it', async () => {
    const { quickInput, notifications, explorer } = window();
    window().problems.allow(/Couldn't connect to “localhost”/);
    const port = new URL(service.baseUrl).port;
    await service.close();
    await window().run('Mailing: Add Connection…');
    await quickInput.waitFor('Address of the site');
    await quickInput.answer(`localhost:${port}`);
    await quickInput.waitFor('API key');
    await quickInput.answer('key');
    await quickInput.waitFor(/Nothing listens|can't be reached/);
    await quickInput.pick('Save anyway');
    await quickInput.waitFor('Name shown in the tree');
    await quickInput.accept();
    await notifications.waitFor('It could not be connected yet');
    await explorer.open();
    await window().run('Mailing: Test Connection');
    await notifications.waitFor(/Couldn't connect to “localhost”: .*nothing answers at the address/);
    assert.deepEqual(await notifications.buttons(/Couldn't connect/), ['Retry', 'Edit Connection', 'Show Log']);
    await window().screenshot('connect-unreachable');
  });

  it('brings the sandbox back after a reload', async () => {
    const { explorer } = window();
    await explorer.open();
    await window().run('Mailing: Start Sandbox');
    await eventually(async () => assert.ok((await explorer.lines()).some(({ label }) => label === 'Sandbox')));
    await window().reload();
    await explorer.open();
    await eventually(async () => assert.ok((await explorer.lines()).some(({ label }) => label === 'Sandbox')));
    await window().run('Mailing: Test Connection');
    await window().notifications.waitFor(/“Sandbox” answers: profile as documented, \d+ ms, \d+ lists/);
  });
});
