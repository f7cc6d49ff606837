import assert from 'node:assert/strict';
import { MailingClient } from '../../src/api/index.ts';
import { eventually, pictureThemes, testConnection, useWorkbench, type Workbench } from '../support/workbench.ts';

const sentToList = 'The test was sent to 3 recipients of the list "Test".';

/** Presses keys in the workbench, one after the other. */
async function press(workbench: Workbench, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await workbench.page.keyboard.press(key);
}

async function open(workbench: Workbench, branch: string, name: string, tab: string): Promise<void> {
  await workbench.explorer.open();
  await (await workbench.explorer.row([testConnection.name, branch, name])).click();
  await workbench.editors.waitForActive(tab);
}

describe('A first test, in the sandbox', () => {
  const window = useWorkbench({ service: false });

  it('takes a key and two times Enter, and so does the next', async () => {
    const workbench = window();
    const { explorer, editors, quickInput, dialog, notifications } = workbench;
    await workbench.run('Mailing: Start Sandbox');
    await explorer.open();
    const templates = await explorer.row(['Sandbox', 'Templates']);
    await templates.expand();
    const first = await eventually(async () => (await explorer.lines()).find(({ level }) => level === 3)?.label ?? assert.fail('no template'));
    await (await explorer.row(['Sandbox', 'Templates', first])).click();
    await editors.waitForActive(`${first}.html`);
    await editors.focus();
    for (const turn of ['first', 'second']) {
      await press(workbench, 'Control+k', 'Control+g');
      await quickInput.waitFor('To whom?');
      await eventually(async () => assert.match((await quickInput.entries())[0] ?? '', /^Test \| your test list .*3 recipients/u));
      if (turn === 'first') await workbench.screenshot('send-test-sandbox');
      await press(workbench, 'Enter');
      assert.match(await dialog.text(), /Send a test of .* to 3 recipients of the list "Test" on Sandbox\?/u);
      assert.match(await dialog.text(), /To: test\.phone@example\.com, test\.desktop@example\.org, test\.webmail@example\.net/u);
      await press(workbench, 'Enter');
      await notifications.waitFor(sentToList);
      await notifications.clear();
    }
  });
});

describe('Send Test E-mail', () => {
  const window = useWorkbench({ service: { profile: 'acymailing' } });

  it('is the first of the palette for "test", and asks of which e-mail where none is in front', async () => {
    const workbench = window();
    const { quickInput } = workbench;
    const hits = await quickInput.commands('test');
    assert.equal(hits.find((title) => title.startsWith('Mailing:')), 'Mailing: Send Test E-mail…', hits.join(', '));
    await workbench.enterApiKey();
    await workbench.run('Mailing: Send Test E-mail…');
    await quickInput.waitFor('A test of which e-mail?');
    await eventually(async () => assert.ok((await quickInput.labels()).length > 5));
    await workbench.screenshot('send-test-of');
    await quickInput.cancel();
  });

  for (const theme of pictureThemes) {
    it(`goes to addresses that are typed, and to the same with two times Enter (${theme})`, async () => {
      const workbench = window();
      const { editors, quickInput, dialog, notifications, service } = workbench;
      const other = new MailingClient(service);
      await other.createTemplate({ name: 'Hello', subject: 'Greetings', body: '<p>First</p>' });
      await workbench.enterApiKey();
      if (theme !== 'light') await workbench.setTheme(theme);
      await open(workbench, 'Templates', 'Hello', 'Hello.html');
      await editors.titleAction('Send Test E-mail');
      await quickInput.waitFor(/Which list receives tests\? It is remembered\. Or type one or more addresses/u);
      await eventually(async () => assert.match((await quickInput.entries())[0] ?? '', /^Test \| #8 · 3 recipients/u));
      await workbench.screenshot(`send-test-to-${theme}`);
      await quickInput.type('test.phone@example.com, test.desktop@example.org');
      await workbench.screenshot(`send-test-typed-${theme}`);
      await press(workbench, 'Enter');
      assert.match(await dialog.text(), /Send a test of "Hello" to 2 recipients on Test service\?\n.*Subject: Greetings\n+To: test\.phone@example\.com, test\.desktop@example\.org/su);
      await workbench.screenshot(`send-test-modal-${theme}`);
      await press(workbench, 'Enter');
      await notifications.waitFor('The test was sent to test.phone@example.com, test.desktop@example.org.');
      assert.deepEqual(service.outbox.messages.map(({ to, campaignId }) => [to, campaignId]), [['test.phone@example.com', null], ['test.desktop@example.org', null]]);
      await notifications.clear();

      await editors.replaceAll('<p>Unsaved</p>');
      await workbench.run('Mailing: Send Test E-mail…');
      await quickInput.waitFor('To whom?');
      await press(workbench, 'Enter');
      assert.match(await dialog.text(), /by a template that is made for it, and deleted afterwards/u);
      await press(workbench, 'Enter');
      await notifications.waitFor('The test was sent to test.phone@example.com, test.desktop@example.org.');
      assert.deepEqual([service.outbox.count, (await other.getTemplates({ limit: 100 })).filter(({ name }) => name?.startsWith('[Test]')).length], [4, 0]);
      assert.match(await service.outbox.eml(4), /Unsaved/u);
    });
  }

  it('is of the campaign, the mail of a follow-up or the preview that is in front', async () => {
    const workbench = window();
    const { editors, quickInput, dialog, service, webviews } = workbench;
    const other = new MailingClient(service);
    await other.createOrUpdateCampaign({ name: 'Autumn', subject: 'Leaves', body: '<p>Leaves</p>', listIds: [8] });
    await workbench.enterApiKey();
    await open(workbench, 'Campaigns', 'Autumn', 'Autumn.campaign.json');
    const form = await webviews.frame('campaignForm');
    await form.getByText('Send Test').click();
    const isAsked = async (words: RegExp): Promise<void> => {
      await quickInput.waitFor(/Which list receives tests/u);
      await quickInput.type('test.phone@example.com');
      await press(workbench, 'Enter');
      assert.match(await dialog.text(), words);
      await dialog.click('Cancel');
    };
    await isAsked(/Send a test of "Autumn" to test\.phone@example\.com/u);
    await editors.titleAction('Open Campaign Preview to the Side');
    const frame = await webviews.frame('preview');
    await frame.locator('body').click({ position: { x: 5, y: 300 } });
    await editors.waitForActive(/Preview/u);
    await press(workbench, 'Control+k', 'Control+g');
    await isAsked(/Send a test of "Autumn" to test\.phone@example\.com/u);
  });
});
