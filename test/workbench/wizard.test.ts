import assert from 'node:assert/strict';
import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import { startSandbox, type Sandbox } from '../support/sandbox/index.ts';
import { useWorkbench } from '../support/computer.ts';
import { eventually } from '../support/eventually.ts';

describe('A fresh window', function () {
  const window = useWorkbench({}, { service: false });
  let service: Sandbox;

  beforeEach(async () => {
    service = await startSandbox({ assets: join(root, 'media', 'starters'), basePath: '/site', profile: 'acymailing' });
  });
  afterEach(() => service.close());

  it('shows a starter of the sandbox with its preview, sends a test to a typed address in one step, and renders it', async () => {
    const workbench = window();
    const { dialog, editors, explorer, notifications, page, quickInput, webviews } = workbench;
    await explorer.open();
    await explorer.clickWelcomeButton('Try the Sandbox');
    await eventually(async () =>
      assert.match(await (await webviews.inner('preview')).locator('body').innerText(), /\w/u),
    );
    const [starter = ''] = await editors.tabs();
    assert.match(starter, /\.html/u);
    await eventually(async () => assert.ok(await (await explorer.row(['Sandbox'])).isSelected()));
    assert.deepEqual(await (await explorer.row(['Sandbox', 'Templates'])).description(), '');
    await eventually(async () => assert.ok((await workbench.statusBar()).some((text) => text.includes('Sandbox'))));

    await workbench.run('Mailing: Send Test Email…');
    await quickInput.waitFor('type addresses');
    await quickInput.type('me@example.com');
    await eventually(async () => assert.match((await quickInput.entries())[0] ?? '', /^me@example\.com/u));
    await page.keyboard.press('Enter');
    assert.match(await dialog.text(), /Send a test of .* to me@example\.com on Sandbox\?/u);
    await page.keyboard.press('Enter');
    await notifications.click('The test was sent to me@example.com.', 'Open Outbox');
    await quickInput.waitFor('Select a message');
    await page.keyboard.press('Enter');
    await eventually(async () => {
      const titles = await editors.tabs();
      assert.ok(titles.some((title) => title.startsWith('[Preview] ')));
      assert.ok(
        titles.some((title) => title.startsWith('Preview ')),
        'The preview of the draft stays.',
      );
      const text = await (await webviews.inner('preview')).locator('body').innerText({ timeout: 2000 });
      assert.match(text, /\w/u);
      assert.doesNotMatch(text, /\{/u);
    });
    assert.ok(!(await explorer.labels()).includes('Tests of Mailing Studio'));

    // A click opens a preview tab beside the preview, which the next click replaces.
    const before = (await editors.tabs()).length;
    const templates = await explorer.row(['Sandbox', 'Templates']);
    await templates.expand();
    for (const name of ['Welcome', 'Order receipt']) {
      await (await explorer.row(['Sandbox', 'Templates', name])).click();
      await editors.waitForActive(`${name}.html`);
    }
    assert.equal((await editors.tabs()).length, before + 1);
    await workbench.run('Mailing: Stop Sandbox');
  });

  it('invites to connect, validates each step, and stores the key across a restart', async () => {
    const workbench = window();
    const { quickInput, dialog, notifications, explorer } = workbench;
    workbench.problems.allow(/Couldn't connect to "localhost"/u);
    await explorer.open();
    const [connect = '', ...others] = await explorer.welcomeButtons();
    assert.match(connect, /connect/iu);
    assert.deepEqual(
      others.map((label) => /sandbox/iu.test(label)),
      [true],
    );

    // A service that can't be reached is saved if its user wants that.
    const unused = await startSandbox({ assets: join(root, 'media', 'starters') });
    await unused.close();
    await explorer.clickWelcomeButton(connect);
    await quickInput.waitFor('URL of the site');
    await quickInput.answer('http://user@example.com');
    await quickInput.waitFor('must not contain a user name');
    await quickInput.answer('http://mail.example.com');
    assert.match(await dialog.text(), /Send the API key to mail\.example\.com without encryption\?/u);
    await dialog.click('Cancel');
    await quickInput.waitFor('URL of the site');
    const { port } = new URL(unused.baseUrl);
    await quickInput.answer(`127.0.0.1:${port}`);
    await quickInput.waitFor('API key');
    await quickInput.answer('key');
    await quickInput.waitFor(/Nothing responds at this URL|can't be reached/u);
    await quickInput.type(`localhost:${port}`);
    await quickInput.click('Save anyway');
    await quickInput.waitFor('Name shown in the tree');
    await quickInput.accept();
    await notifications.waitFor("couldn't be connected yet");
    await workbench.run('Mailing: Test Connection');
    await notifications.waitFor(/Couldn't connect to "localhost": .*Nothing responds at this URL/u);
    assert.deepEqual(await notifications.buttons(/Couldn't connect/u), ['Retry', 'Edit Connection', 'Show Log']);
    await notifications.clear();

    await workbench.run('Mailing: Connect a Service…');
    await quickInput.waitFor('URL of the site');
    // A pasted address of the right host, but without its path.
    await quickInput.answer(service.baseUrl.replace('/site', '/index.php?page=x'));
    await quickInput.waitFor('API key');
    await quickInput.answer(service.apiKey);
    await quickInput.waitFor('responded with a web page');
    await quickInput.answer(service.baseUrl);
    // The stored key only needs confirmation.
    await quickInput.waitFor('API key');
    await quickInput.answer('not-the-key');
    await quickInput.waitFor('refused the API key');
    await workbench.page.locator('.quick-input-left-action-bar .action-label').click();
    await quickInput.waitFor('URL of the site');
    await quickInput.accept();
    await quickInput.waitFor('API key');
    await quickInput.answer(service.apiKey);
    await quickInput.waitFor('Name shown in the tree');
    await quickInput.answer('My shop');
    await notifications.waitFor('Connected to "My shop".');
    await (await explorer.row(['My shop', 'Templates'])).expand();
    await eventually(() =>
      assert.ok(service.requests.some(({ operation, status }) => operation === 'getTemplates' && status === 200)),
    );
    await eventually(async () => assert.ok((await explorer.lines()).some(({ level }) => level === 3)));
    assert.ok(service.requests.every(({ url }) => !url.includes(service.apiKey)));

    const before = service.requests.length;
    await workbench.reload();
    await (await explorer.row(['My shop', 'Templates'])).expand();
    await eventually(() => {
      const reads = service.requests.slice(before).filter(({ operation }) => operation === 'getTemplates');
      assert.ok(reads.length > 0 && reads.every(({ status }) => status === 200), 'The key outlives a restart.');
    });
  });
});
