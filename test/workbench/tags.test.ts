import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { MailingClient } from '../../src/api/index.ts';
import { eventually, pictureThemes, testConnection, useWorkbench, type Workbench } from '../support/workbench.ts';

const body = `<!doctype html>
<html><body style="font-family: sans-serif; padding: 24px">
<h1>Dear {subscriber:name|part:first|default:friend},</h1>
<p>Hello {name}</p>
<p>This goes to {subscriber:name} at {subscriber:email}.</p>
{if:City=Rome}<p>There is something new in Rome.</p>{/if}
<p><a href="{unsubscribe}{/unsubscribe}">Unsubscribe</a></p>
</body></html>
`;

const team = JSON.stringify({ people: [{ name: 'Giulia Rossi', email: 'giulia@example.com', fields: { city: { label: 'City', value: 'Rome' } } }] });

/** Whom the e-mail is looked at as, and how it then begins. */
const people = [
  ['nameless', 'Without a name', /^Dear friend,/u],
  ['long', 'A very long name', /^Dear Maximiliane,/u],
  ['rtl', 'Right to left', /^Dear ليلى/u],
  ['team', 'Giulia Rossi', /^Dear Giulia,/u],
] as const;

/** Chooses whom the preview is looked at as. */
async function lookAs(preview: Frame, who: string): Promise<void> {
  await preview.locator('.as vscode-dropdown').click();
  await preview.locator('.as vscode-option', { hasText: who }).click();
}

describe('Tags in the workbench', function () {
  this.timeout(300_000);
  const window = useWorkbench({
    shared: true,
    files: { 'mailing.people.json': team },
    // A page opens with what it offers; nothing else comes up by itself.
    settings: { 'editor.suggestOnTriggerCharacters': true },
    seed: async (service) => {
      const client = new MailingClient(service);
      await client.createTemplate({ name: 'Tags', body, subject: 'News for {subscriber:name|default:you}', preheader: 'Sent to {subscriber:email}', from_name: 'Fjord' });
      await client.close();
    },
  });

  async function open(workbench: Workbench): Promise<void> {
    await workbench.enterApiKey();
    await workbench.explorer.open();
    await (await workbench.explorer.row([testConnection.name, 'Templates', 'Tags'])).click();
    await workbench.editors.waitForActive('Tags.html');
    await workbench.notifications.clear();
  }

  it('are completed, explained and mended, in each theme', async () => {
    const workbench = window();
    const { page, editors } = workbench;
    await open(workbench);
    const offered = page.locator('.suggest-widget.visible');
    const hover = page.locator('.monaco-hover:visible', { hasText: 'Replaced in' });
    const fixes = page.locator('.action-widget', { hasText: 'Quick Fix' });
    for (const theme of pictureThemes) {
      await workbench.setTheme(theme);
      await editors.goTo(4, 4);
      await editors.type('{');
      await eventually(async () => {
        if (!(await offered.isVisible())) await editors.press('Control+Space');
        assert.match(await offered.innerText({ timeout: 2000 }), /subscriber/u);
      });
      await workbench.screenshot(`tags-completion-${theme}`);
      await editors.press('Escape');
      await editors.press('Backspace');

      await editors.goTo(3, 14);
      await workbench.run('Show or Focus Hover');
      await eventually(async () => assert.match(await hover.innerText({ timeout: 2000 }), /Ann/u));
      await workbench.screenshot(`tags-hover-${theme}`);
      await editors.press('Escape');

      await eventually(async () => assert.ok((await editors.squiggles()) > 0));
      await editors.goTo(4, 12);
      await eventually(async () => {
        if (!(await fixes.isVisible())) await editors.press('ControlOrMeta+.');
        assert.match(await fixes.innerText({ timeout: 2000 }), /subscriber:name/u);
      });
      await workbench.screenshot(`tags-fix-${theme}`);
      if (theme !== pictureThemes.at(-1)) await editors.press('Escape');
    }
    await fixes.getByText('subscriber:name').first().click();
    await editors.waitForText('Hello {subscriber:name}');
  });

  it('are seen in the preview as people see them, in each theme', async () => {
    const workbench = window();
    await open(workbench);
    await workbench.editors.titleAction('Open Preview to the Side');
    const mail = await workbench.webviews.inner('preview');
    const preview = await workbench.webviews.frame('preview');
    await eventually(async () => assert.match(await mail.locator('h1').innerText(), /\{subscriber:name/u));
    for (const theme of pictureThemes) {
      await workbench.setTheme(theme);
      for (const [name, who, greeting] of people) {
        await lookAs(preview, who);
        await eventually(async () => assert.match(await mail.locator('h1').innerText(), greeting));
        await workbench.screenshot(`tags-as-${name}-${theme}`);
      }
    }
    await eventually(async () => assert.match(await preview.locator('.inbox').innerText(), /News for Giulia Rossi/u));
    assert.match(await mail.locator('body').innerText(), /something new in Rome/u);
    await preview.locator('.branches summary').click();
    await preview.locator('.branches vscode-button', { hasText: 'Hidden' }).click();
    await eventually(async () => assert.doesNotMatch(await mail.locator('body').innerText(), /something new in Rome/u));
    await workbench.pictures((theme) => `tags-branches-${theme}`);
  });

  it('are seen as a subscriber of a list, who is picked, and are explained for them', async () => {
    const workbench = window();
    const client = new MailingClient(workbench.service);
    const [list] = await client.getLists({ limit: 1 });
    const [subscriber] = await client.getSubscribersFromLists([list?.id ?? 0], { offset: 0, limit: 1 });
    await client.close();
    await open(workbench);
    await workbench.editors.titleAction('Open Preview to the Side');
    const mail = await workbench.webviews.inner('preview');
    const preview = await workbench.webviews.frame('preview');
    await lookAs(preview, 'A subscriber…');
    await workbench.quickInput.pick(list?.name ?? '');
    await eventually(async () => assert.ok((await workbench.quickInput.labels()).includes(subscriber?.name || 'No name')));
    await workbench.quickInput.type(subscriber?.email ?? '');
    await workbench.quickInput.accept();
    await eventually(async () => assert.ok((await mail.locator('body').innerText()).includes(subscriber?.email ?? '?')));
    await workbench.editors.show('Tags.html');
    await workbench.editors.goTo(5, 50);
    await workbench.run('Show or Focus Hover');
    const hover = workbench.page.locator('.monaco-hover:visible', { hasText: 'Replaced in' });
    await eventually(async () => assert.ok((await hover.innerText({ timeout: 2000 })).includes(subscriber?.email ?? '?')));
  });

  describe('Tags in the campaign form', () => {
    it('are offered in the subject as in the editor, in each theme, and what is wrong is said', async () => {
      const workbench = window();
      await workbench.enterApiKey();
      await workbench.explorer.open();
      await (await workbench.explorer.row([testConnection.name, 'Campaigns', 'Winter sale'])).click();
      await workbench.editors.waitForActive('Winter sale.campaign.json');
      const page = await workbench.webviews.frame('campaignForm');
      await workbench.notifications.clear();
      const subject = page.locator('[data-field="subject"] input');
      const offered = page.getByRole('listbox', { name: 'Tags' });
      for (const theme of pictureThemes) {
        await workbench.setTheme(theme);
        await eventually(async () => {
          await subject.fill('');
          await subject.pressSequentially('News for {subscriber:');
          assert.match(await offered.innerText({ timeout: 2000 }), /Ann Marie/u);
        });
        await workbench.page.keyboard.press('ArrowDown');
        await workbench.screenshot(`tags-form-${theme}`);
      }
      await workbench.page.keyboard.press('ArrowUp');
      await workbench.page.keyboard.press('Enter');
      assert.equal(await subject.inputValue(), 'News for {subscriber:name}');
      await workbench.page.keyboard.press('ControlOrMeta+s');
      await workbench.editors.waitForDirty('Winter sale.campaign.json', false);
      await subject.fill('News for {name}');
      await page.getByText('is no tag of the service').waitFor();
      await workbench.screenshot('tags-form-wrong');
    });
  });
});
