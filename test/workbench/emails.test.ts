import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { useWorkbench } from '../support/computer.ts';
import { eventually } from '../support/eventually.ts';
import type { Workbench } from '../support/workbench.ts';

const body = `<!doctype html>
<html lang="en"><body style="background: #ffffff; color: #777777">
<h1>Dear {subscriber:name|part:first|default:friend},</h1>
<p>Hello</p>
<p>This goes to {subscriber:name} at {subscriber:email}.</p>
<img src="https://example.com/fjord.png" width="80">
<img alt="" width="8" height="8" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
{if:City=Rome}<p>There is something new in Rome.</p>{/if}
<p>{unsubscribe}Unsubscribe</p>
</body></html>
`;

const team = JSON.stringify({
  people: [{ name: 'Giulia Rossi', email: 'giulia@example.com', fields: { city: { label: 'City', value: 'Rome' } } }],
});

const sentToAddresses = 'The test was sent to test.phone@example.com and test.desktop@example.org.';

/** Presses keys in the workbench, one after the other. */
async function press(workbench: Workbench, ...keys: readonly string[]) {
  for (const key of keys) await workbench.page.keyboard.press(key);
}

async function previewAs(preview: Frame, person: string) {
  const list = preview.getByLabel('Preview as');
  if (!(await list.isVisible())) await preview.getByRole('button', { name: 'More Options' }).click();
  await list.selectOption(person);
}

describe('Emails in the workbench', () => {
  const window = useWorkbench(
    {
      files: { 'mailing.people.json': team },
      seed: async (client) => {
        await client.createTemplate({
          name: 'Tags',
          body,
          subject: 'News for {subscriber:name|default:you}',
          preheader: 'Sent to {subscriber:email}',
          from_name: 'Fjord',
        });
        await client.createTemplate({ name: 'Hello', subject: 'Greetings', body: '<p>First</p>' });
        await client.createOrUpdateCampaign({ name: 'Autumn', subject: 'Leaves', body: '<p>Leaves</p>', listIds: [8] });
      },
    },
    { settings: { 'editor.suggestOnTriggerCharacters': true }, service: { profile: 'acymailing' } },
  );

  it('completes, explains, checks, and previews merge tags', async () => {
    const workbench = window();
    const { page, editors, quickInput, client } = workbench;
    const [list] = await client.getLists({ limit: 1 });
    const [subscriber] = await client.getSubscribersFromLists([list?.id ?? 0], { offset: 0, limit: 1 });
    const email = subscriber?.email ?? assert.fail('The list is empty.');
    await workbench.openRecord('Templates', 'Tags', 'Tags.html');
    await editors.titleAction('Open Preview to the Side');
    const mail = await workbench.webviews.inner('preview');
    const preview = await workbench.webviews.frame('preview');
    await eventually(async () => assert.match(await mail.locator('h1').innerText(), /^Dear \w+,/u));
    await previewAs(preview, 'Giulia Rossi');
    await eventually(async () => assert.match(await mail.locator('h1').innerText(), /^Dear Giulia,/u));
    await eventually(async () => assert.match(await preview.locator('.inbox').innerText(), /News for Giulia Rossi/u));
    assert.match(await mail.locator('body').innerText(), /something new in Rome/u);

    const problems = preview.locator('vscode-button.problems');
    await eventually(async () =>
      assert.match((await problems.getAttribute('title')) ?? '', /2 errors.* · Go to First Problem/u),
    );
    await problems.click();
    await editors.waitForActive('Tags.html');
    await eventually(async () => assert.ok((await editors.squiggles()) > 1));
    assert.ok(await page.locator('.statusbar-item', { hasText: 'HTML' }).first().isVisible());
    const fixes = page.locator('.action-widget', { hasText: 'Quick Fix' });
    await editors.goTo(6, 10);
    await eventually(async () => {
      if (!(await fixes.isVisible())) await editors.press('ControlOrMeta+.');
      assert.match(await fixes.innerText({ timeout: 2000 }), /Add alt=""[^]*Ignore rule "image-alt"/u);
    });
    await fixes.getByText('Add alt=""').first().click();
    await editors.waitForText('<img alt="" src="https://example.com/fjord.png"');

    const offered = page.locator('.suggest-widget.visible');
    await editors.goTo(4, 4);
    await editors.type('{');
    await eventually(async () => {
      if (!(await offered.isVisible())) await editors.press('Control+Space');
      assert.match(await offered.innerText({ timeout: 2000 }), /subscriber/u);
    });
    await editors.press('Escape');
    await editors.press('Backspace');

    await previewAs(preview, 'Choose a subscriber…');
    await quickInput.pick(list?.name ?? '');
    await eventually(async () => assert.ok((await quickInput.labels()).includes(subscriber?.name || 'No name')));
    await quickInput.type(email);
    await quickInput.accept();
    await eventually(async () => assert.ok((await mail.locator('body').innerText()).includes(email)));
    await editors.show('Tags.html');
    await editors.goTo(5, 50);
    await workbench.run('Show or Focus Hover');
    const hover = page.locator('.monaco-hover:visible', { hasText: 'Replaced in' });
    await eventually(async () => assert.ok((await hover.innerText({ timeout: 2000 })).includes(email)));
  });

  it('sends tests to typed addresses, and again with Enter twice, from the palette, a campaign, its preview, and a template', async () => {
    const workbench = window();
    const { client, editors, quickInput, dialog, notifications, service, webviews } = workbench;
    const offersFirst = (entry: RegExp) =>
      eventually(async () => assert.match((await quickInput.entries())[0] ?? '', entry));
    const outbox = () => service.outbox.messages.map(({ to, campaignId }) => [to, campaignId]);
    assert.equal(
      (await quickInput.commands('test')).find((title) => title.startsWith('Mailing:')),
      'Mailing: Send Test Email…',
    );
    await workbench.enterApiKey();
    await workbench.run('Mailing: Send Test Email…');
    await quickInput.waitFor('Type to search names on the service');
    await eventually(async () => assert.ok((await quickInput.labels()).length > 5));
    await quickInput.type('Hello');
    await eventually(async () => assert.deepEqual(await quickInput.labels(), ['Hello']));
    await quickInput.pick('Hello');
    await quickInput.waitFor(/Select a list to use for all tests, or type addresses/u);
    await offersFirst(/^Test \| #8 · 3 recipients/u);
    await quickInput.type('test.phone@example.com, test.desktop@example.org');
    await offersFirst(
      /^test\.phone@example\.com, test\.desktop@example\.org \| the addresses you typed · 2 recipients/u,
    );
    await press(workbench, 'Enter');
    assert.match(
      await dialog.text(),
      /Send a test of "Hello" to 2 recipients on Test service\?\n.*Subject: Greetings\n+To: test\.phone@example\.com, test\.desktop@example\.org/su,
    );
    await press(workbench, 'Enter');
    await notifications.waitFor(sentToAddresses);
    assert.deepEqual(outbox(), [
      ['test.phone@example.com', null],
      ['test.desktop@example.org', null],
    ]);
    await notifications.clear();

    /** Repeats the last test up to its question, whatever asked for it. */
    const repeats = async (name: string) => {
      await quickInput.waitFor('Select recipients or type addresses');
      await offersFirst(/^test\.phone@example\.com, test\.desktop@example\.org \| last recipients · 2 recipients/u);
      await press(workbench, 'Enter');
      assert.match(await dialog.text(), new RegExp(`Send a test of "${name}" to 2 recipients`, 'u'));
    };
    await workbench.openRecord('Campaigns', 'Autumn', 'Autumn.campaign.json');
    await (await webviews.frame('campaignForm')).getByText('Send Test').click();
    await repeats('Autumn');
    await dialog.click('Cancel');
    // A half-typed address isn't replaced by the last recipients.
    await workbench.run('Mailing: Send Test Email…');
    await quickInput.waitFor('Select recipients or type addresses');
    await quickInput.type('phone@');
    await offersFirst(/^phone@ \| Enter a complete email address/u);
    await press(workbench, 'Enter');
    await quickInput.waitFor('Send Test Email · Enter a complete email address');
    assert.equal(await dialog.isOpen(), false);
    await quickInput.cancel();
    await editors.titleAction('Open Preview to the Side');
    const preview = await webviews.frame('preview');
    await preview.locator('body').click({ position: { x: 5, y: 300 } });
    await editors.waitForActive(/Preview/u);
    await press(workbench, 'Control+k', 'Control+g');
    await repeats('Autumn');
    await dialog.click('Cancel');

    await workbench.openRecord('Templates', 'Hello', 'Hello.html');
    await editors.replaceAll('<p>Unsaved</p>');
    await editors.titleAction('Send Test Email');
    await repeats('Hello');
    assert.match(await dialog.text(), /A temporary template is created for it and deleted afterwards/u);
    assert.equal(service.outbox.count, 2);
    await press(workbench, 'Enter');
    await notifications.waitFor(sentToAddresses);
    assert.equal(service.outbox.count, 4);
    assert.match(await service.outbox.eml(4), /Unsaved/u);
    assert.deepEqual(
      (await client.getTemplates({ limit: 100 })).filter(({ name }) => name?.startsWith('[Test]')),
      [],
    );
  });

  it('sends a first test in the sandbox with Enter twice, and shows what the sandbox sends', async () => {
    const workbench = window();
    const { explorer, editors, quickInput, dialog, notifications, webviews } = workbench;
    await workbench.run('Mailing: Try the Sandbox');
    await explorer.open();
    await (await explorer.row(['Sandbox', 'Templates', 'Welcome'])).click();
    await editors.waitForActive('Welcome.html');
    await editors.focus();
    for (let sent = 0; sent < 2; sent += 1) {
      await press(workbench, 'Control+k', 'Control+g');
      await quickInput.waitFor('Select recipients or type addresses');
      await eventually(async () =>
        assert.match((await quickInput.entries())[0] ?? '', /^Test \| your test list .*3 recipients/u),
      );
      await press(workbench, 'Enter');
      assert.match(await dialog.text(), /Send a test of .* to 3 recipients of the list "Test" on Sandbox\?/u);
      assert.match(
        await dialog.text(),
        /To: test\.phone@example\.com, test\.desktop@example\.org, test\.webmail@example\.net/u,
      );
      await press(workbench, 'Enter');
      await notifications.waitFor('The test was sent to 3 recipients of the list "Test".');
      await notifications.clear();
    }

    await editors.titleAction('Open Preview to the Side');
    const preview = await webviews.frame('preview');
    await preview.getByRole('radio', { name: 'As sent' }).click();
    const mail = await eventually(async () => {
      const frame = await webviews.inner('preview');
      assert.match(await frame.locator('head').innerHTML(), /OfficeDocumentSettings/u);
      return frame;
    });
    await eventually(async () => assert.ok((await mail.locator('body').innerText()).length > 100));
    assert.doesNotMatch(await preview.locator('body').innerText(), /doesn’t tell what it makes/u);
    await preview.getByRole('radio', { name: 'Text' }).click();
    await eventually(async () => assert.match(await preview.locator('.textPart pre').innerText(), /Pebblework/u));
    assert.ok((await preview.locator('.textPart pre').innerText()).length > 50);
  });
});
