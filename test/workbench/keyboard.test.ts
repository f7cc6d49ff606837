import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { root } from '../../scripts/lib/paths.mjs';
import { MailingClient } from '../../src/service/client/index.ts';
import { useWorkbench } from '../support/computer.ts';
import { eventually } from '../support/eventually.ts';
import { exactText, withPlainSpaces } from '../support/pages/quickInput.ts';
import { startSandbox, type Sandbox } from '../support/sandbox/index.ts';

const maxTabStops = 30;

/** Presses a key until the focused row of a list or tree has a name. */
async function goToRow(page: Page, list: string, name: string, key = 'ArrowDown') {
  const names = page.locator(`${list} .monaco-list-row .label-name`);
  // A row that is still loading would be passed.
  await names
    .filter({ hasText: exactText(name) })
    .first()
    .waitFor();
  const focused = page.locator(`${list} .monaco-list-row.focused .label-name`).first();
  await eventually(async () => {
    const [label = ''] = (await focused.allTextContents()).map(withPlainSpaces);
    if (label !== name) await page.keyboard.press(key);
    assert.equal(label, name);
  });
}

/** Presses Tab until the focus of a page is on an element with a role and a name. */
async function tabTo(page: Page, frame: Frame, role: 'radio' | 'tab' | 'button', name: string) {
  const target = frame.getByRole(role, { name, exact: true });
  await target.waitFor();
  for (let stop = 0; stop < maxTabStops; stop += 1) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element.matches(':focus, :focus-within'))) return;
  }
  assert.fail(`The key Tab doesn't reach "${name}".`);
}

describe('The keyboard', function () {
  const window = useWorkbench({}, { service: false });
  let service: Sandbox;
  let client: MailingClient;

  beforeEach(async () => {
    service = await startSandbox({ assets: join(root, 'media', 'starters') });
    client = new MailingClient(service);
  });
  afterEach(async () => {
    await client.close();
    await service.close();
  });

  it('connects, edits, previews, tests, schedules, reads statistics and pushes', async () => {
    const workbench = window();
    const { page, quickInput, notifications, editors, dialog, webviews, folder } = workbench;
    const { keyboard } = page;
    const quickList = '.quick-input-widget .quick-input-list';
    const run = async (title: string) => {
      await eventually(async () => {
        await keyboard.press('F1');
        assert.ok(await quickInput.isOpen());
      });
      await keyboard.type(title);
      await goToRow(page, quickList, title);
      await keyboard.press('Enter');
    };
    const answer = async (question: string | RegExp, text: string) => {
      await quickInput.waitFor(question);
      await keyboard.press('ControlOrMeta+a');
      await keyboard.type(text);
      await keyboard.press('Enter');
    };
    const pick = async (question: string | RegExp, text: string) => {
      await quickInput.waitFor(question);
      await keyboard.type(text);
      await goToRow(page, quickList, text);
      await keyboard.press('Enter');
    };
    const focusEditor = async () => {
      await keyboard.press('ControlOrMeta+1');
      await page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
    };
    const received = (wanted: string) => service.requests.filter(({ operation }) => operation === wanted).length;
    await page.evaluate(() =>
      addEventListener('pointerdown', () => (document.body.dataset['clicked'] = ''), { capture: true }),
    );
    const { templateId: id } = await client.createTemplate({ name: 'Hello', subject: 'Hi', body: '<p>First</p>' });
    await client.createOrUpdateCampaign({
      name: 'Spring',
      subject: 'Spring is here',
      body: '<p>Spring {unsubscribe}leave{/unsubscribe}</p>',
      listIds: [8],
      sending_type: 'scheduled',
      sending_date: '2099-12-24',
    });

    await run('Mailing: Connect a Service…');
    await answer('URL of the site', service.baseUrl);
    await answer('API key', service.apiKey);
    await answer('Name shown in the tree', 'Shop');
    await notifications.waitFor('Connected to "Shop".');

    await run('Mailing Studio: Focus on Services View');
    const tree = '.part.sidebar';
    await goToRow(page, tree, 'Templates');
    await keyboard.press('ArrowRight');
    await goToRow(page, tree, 'Hello');
    await keyboard.press('Enter');
    await editors.waitForActive('Hello.html');
    await focusEditor();
    await keyboard.press('ControlOrMeta+a');
    // VS Code closes tags while one types, a moment later.
    await keyboard.type('Typed');
    await keyboard.press('ControlOrMeta+s');
    await eventually(async () => assert.equal((await client.getOneTemplate(id)).body, 'Typed'));

    await keyboard.press('ControlOrMeta+k');
    await keyboard.press('v');
    const preview = await webviews.frame('preview');
    await preview.getByRole('radio', { name: 'Authored' }).waitFor();
    const focusNoticed = await webviews.watchMessages('preview', 'did-focus');
    await keyboard.press('ControlOrMeta+2');
    await tabTo(page, preview, 'radio', 'Authored');
    await keyboard.press('ArrowRight');
    const sent = preview.getByRole('radio', { name: 'As sent' });
    await eventually(async () => assert.equal(await sent.getAttribute('aria-checked'), 'true'));

    // VS Code asks four times a second whether a webview has the focus, and then activates its group: faster keys would lose the editor.
    await focusNoticed();
    await focusEditor();
    await keyboard.press('ControlOrMeta+k');
    await keyboard.press('ControlOrMeta+g');
    await pick(/Select a list to use for all tests/u, 'Test');
    assert.match(await dialog.text(), /Send a test of "Hello" to 3 recipients/u);
    await keyboard.press('Enter');
    await notifications.waitFor('The test was sent to 3 recipients of the list "Test".');

    await run('Mailing: Send Campaign…');
    await pick('Select', 'Spring');
    await editors.waitForActive(/^Review/u);
    const review = await webviews.frame('sendReview');
    await tabTo(page, review, 'button', 'Schedule…');
    await keyboard.press('Enter');
    assert.match(await dialog.text(), /Schedule "Spring"/u);
    const before = received('sendCampaign');
    await keyboard.press('Enter');
    await eventually(() => assert.equal(received('sendCampaign'), before + 1));

    await run('Mailing: Show Statistics of a Campaign…');
    await pick('Select', 'Season sale');
    const statistics = await webviews.frame('statistics');
    await tabTo(page, statistics, 'tab', 'Overview');
    await keyboard.press('ArrowRight');
    const second = statistics.getByRole('tab').nth(1);
    await eventually(async () => assert.equal(await second.getAttribute('aria-selected'), 'true'));

    await run('Mailing: Map Templates to a Folder…');
    await pick('Select templates', 'Hello');
    await answer('Each template gets its own folder', 'emails');
    const body = join(folder, 'emails', 'hello', 'body.html');
    await eventually(() => assert.ok(existsSync(body) && existsSync(join(folder, 'mailing.lock.json'))));
    writeFileSync(body, '<p>Pushed</p>');
    await run('Mailing: Push to the Service…');
    await quickInput.waitFor('Select templates');
    await keyboard.press('Enter');
    assert.match(await dialog.text(), /Push changes to 1 template on Shop\?/u);
    await keyboard.press('Enter');
    await eventually(async () => assert.equal((await client.getOneTemplate(id)).body, '<p>Pushed</p>'));
    assert.equal(await page.evaluate(() => document.body.dataset['clicked']), undefined);
  });
});
