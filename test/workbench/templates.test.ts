import assert from 'node:assert/strict';
import { useWorkbench } from '../support/computer.ts';
import { eventually } from '../support/eventually.ts';
import { testConnection } from '../support/workbench.ts';

const templateName = 'Hello';
const tab = `${templateName}.html`;

describe('Editing a template', function () {
  const window = useWorkbench();

  it('saves, tests, saves again after a failure and deletes', async () => {
    const workbench = window();
    const { editors, explorer, notifications, quickInput, dialog, service, client } = workbench;
    workbench.problems.allow(/Unable to write file|was changed on Test service/u);
    const { templateId: id } = await client.createTemplate({
      name: templateName,
      subject: 'Greetings',
      body: '<p>First</p>',
      stylesheet: 'p { color: #c00 }',
    });
    const stored = async () => (await client.getOneTemplate(id)).body;
    const sent = (wanted: string) => service.requests.filter(({ operation }) => operation === wanted).length;
    await workbench.enterApiKey();
    await explorer.open();
    await (await explorer.row([testConnection.name, 'Lists'])).expand();
    await workbench.openRecord('Templates', templateName, tab);

    // Refresh in the view's title reads everything that is visible, although a template has the focus.
    await client.createList({ name: 'Newcomers' });
    await explorer.titleAction('Refresh');
    await explorer.row([testConnection.name, 'Lists', 'Newcomers']);

    // Ctrl+S stores the text.
    await editors.replaceAll('<p>Second</p>');
    await editors.waitForDirty(tab, true);
    assert.equal(sent('updateTemplate'), 0, 'Nothing is sent before it is saved.');
    await editors.save();
    await editors.waitForDirty(tab, false);
    assert.deepEqual([await stored(), sent('updateTemplate')], ['<p>Second</p>', 1]);

    // A test goes out with the text in the editor, after a modal that names its recipients.
    await editors.replaceAll('<p>Not saved yet</p>');
    await editors.titleAction('Send Test Email');
    await quickInput.waitFor(/Select a list to use for all tests/u);
    await eventually(async () =>
      assert.ok(
        (await quickInput.entries()).some((entry) =>
          /^All contacts \| #6 · more than 25 recipients · too many for a test/u.test(entry),
        ),
      ),
    );
    assert.equal((await quickInput.labels())[0], 'Test', 'What fits comes first.');
    await quickInput.pick('Test');
    const asked = await dialog.text();
    assert.match(asked, /Send a test of "Hello" to 3 recipients of the list "Test" on Test service\?/u);
    assert.match(asked, /Subject: \[Test\] Greetings/u);
    assert.equal(sent('sendCampaign'), 0);
    await dialog.click('Send Test');
    await notifications.waitFor('The test was sent to 3 recipients of the list "Test".');
    assert.equal(service.outbox.messages.length, 3);
    for (const message of service.outbox.messages) {
      assert.equal(message.subject, '[Test] Greetings');
      assert.match(await service.outbox.eml(message.id), /Not saved yet/u);
    }
    assert.equal(sent('sendCampaign'), 1);

    // The list is remembered, and canceling sends nothing.
    await editors.titleAction('Send Test Email');
    await quickInput.waitFor(/Select recipients or type addresses/u);
    // The list's name is read while the Quick Pick is open.
    await eventually(async () => assert.match((await quickInput.entries())[0] ?? '', /^Test \| your test list/u));
    await quickInput.accept();
    assert.match(await dialog.text(), /the list "Test"/u);
    await dialog.click('Cancel');
    assert.deepEqual([service.outbox.messages.length, sent('createOrUpdateCampaign')], [3, 1]);

    // A failed save keeps the text, and is repeated from its notification.
    await editors.replaceAll('<p>Kept</p>');
    service.faults.add({ kind: 'status', status: 500, operation: 'updateTemplate' });
    await editors.save();
    await notifications.waitFor(/Failed to save 'Hello.html'.*HTTP 500/u);
    assert.equal(await editors.isDirty(tab), true);
    service.faults.clear();
    await notifications.click(/Failed to save/u, 'Retry');
    await editors.waitForDirty(tab, false);
    assert.equal(await stored(), '<p>Kept</p>');

    // A deleted template leaves its text in the open tab.
    await editors.replaceAll('<p>Edits</p>');
    await (await workbench.explorer.row([testConnection.name, 'Templates', templateName])).contextAction('Delete…');
    assert.match(await dialog.text(), /Delete the template "Hello" on Test service\?/u);
    await dialog.click('Delete');
    await eventually(async () => assert.rejects(() => client.getOneTemplate(id)));
    await eventually(async () =>
      assert.match(
        await workbench.page.locator('.tab', { hasText: 'Hello' }).first().innerHTML(),
        /deleted|strikethrough|line-through/u,
      ),
    );
    assert.match(await editors.visibleText(), /Edits/u);
    await eventually(async () =>
      assert.ok((await workbench.explorer.lines()).every(({ label }) => label !== templateName)),
    );
  });
});
