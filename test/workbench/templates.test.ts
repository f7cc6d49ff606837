import assert from 'node:assert/strict';
import { MailingClient } from '../../src/api/index.ts';
import { eventually, testConnection, useWorkbench, type Workbench } from '../support/workbench.ts';

const templateName = 'Hello';
const tab = `${templateName}.html`;

/** Makes a small template on the service, and opens it from the tree. */
async function openTemplate(workbench: Workbench, body = '<p>First</p>'): Promise<{ id: number; other: MailingClient }> {
  const { baseUrl, apiKey, profile } = workbench.service;
  const other = new MailingClient({ baseUrl, apiKey, profile });
  const { templateId } = await other.createTemplate({ name: templateName, subject: 'Greetings', body, stylesheet: 'p { color: #c00 }' });
  await workbench.enterApiKey();
  await workbench.explorer.open();
  await (await workbench.explorer.row([testConnection.name, 'Templates', templateName])).click();
  await workbench.editors.waitForActive(tab);
  return { id: templateId, other };
}

const updates = (workbench: Workbench): number => workbench.service.requests.filter(({ operation }) => operation === 'updateTemplate').length;

describe('Editing a template', () => {
  const window = useWorkbench({ shared: true });

  it('stores it with Ctrl+S, while the preview follows every keystroke', async () => {
    const workbench = window();
    const { id, other } = await openTemplate(workbench);
    await workbench.editors.titleAction('Open Preview to the Side');
    const mail = await workbench.webviews.inner('preview');
    await eventually(async () => assert.equal(await mail.locator('p').innerText(), 'First'));
    await workbench.editors.show(tab);
    await workbench.editors.replaceAll('<p>Second</p>');
    await eventually(async () => assert.equal(await mail.locator('p').innerText(), 'Second'));
    assert.equal(updates(workbench), 0, 'Nothing is sent before it is saved.');
    await workbench.editors.save();
    await workbench.editors.waitForDirty(tab, false);
    assert.equal((await other.getOneTemplate(id)).body, '<p>Second</p>');
    assert.equal(updates(workbench), 1);
  });

  it('opens a template with a click in the tree, and shows it beside its preview', async () => {
    const workbench = window();
    await workbench.enterApiKey();
    await workbench.explorer.open();
    await workbench.fold('Statistics', true);
    const [first] = await new MailingClient(workbench.service).getTemplates({ limit: 1 });
    assert.ok(first?.name);
    const row = await workbench.explorer.row([testConnection.name, 'Templates', first.name]);
    for (const branch of ['Lists', 'Campaigns']) await (await workbench.explorer.row([testConnection.name, branch])).expand();
    await eventually(async () => assert.ok((await workbench.explorer.labels()).length > 25));
    await workbench.notifications.clear();
    await workbench.screenshot('tree', { width: 352 });
    for (const branch of ['Lists', 'Campaigns']) await (await workbench.explorer.row([testConnection.name, branch])).collapse();
    await row.click();
    await workbench.editors.waitForActive(`${first.name}.html`);
    await workbench.editors.titleAction('Open Preview to the Side');
    const mail = await workbench.webviews.inner('preview');
    await eventually(async () => assert.ok((await mail.locator('body').innerText()).length > 100));
    await workbench.pictures((theme) => `editor-${theme}`);
  });

  it('asks what to do where somebody else wrote meanwhile: Compare shows both, Overwrite stores mine', async () => {
    const workbench = window();
    workbench.problems.allow(/Unable to write file|was changed on Test service/u);
    const { id, other } = await openTemplate(workbench);
    await workbench.editors.replaceAll('<p>Mine!</p>');
    await other.updateTemplate({ templateId: id, body: '<p>Their</p>' });
    await workbench.editors.save();
    const question = /was changed on Test service since you opened it/u;
    await workbench.notifications.waitFor(question);
    assert.deepEqual(await workbench.notifications.buttons(question), ['Compare', 'Overwrite', 'Revert']);
    assert.equal(await workbench.editors.isDirty(tab), true);
    await workbench.screenshot('conflict');
    await workbench.notifications.click(question, 'Compare');
    await workbench.editors.waitForActive(/Test service ↔ yours/u);
    await workbench.screenshot('conflict-compare');
    assert.equal((await other.getOneTemplate(id)).body, '<p>Their</p>', 'Comparing writes nothing.');
    await workbench.notifications.click(question, 'Overwrite');
    await eventually(async () => assert.equal((await other.getOneTemplate(id)).body, '<p>Mine!</p>'));
    await workbench.editors.waitForDirty(tab, false);
    assert.equal(updates(workbench), 2);
  });

  it('takes over what somebody else wrote where the user chooses Revert', async () => {
    const workbench = window();
    workbench.problems.allow(/Unable to write file|was changed on Test service/u);
    const { id, other } = await openTemplate(workbench);
    await workbench.editors.replaceAll('<p>Mine, and longer</p>');
    await other.updateTemplate({ templateId: id, body: '<p>Theirs</p>' });
    await workbench.editors.save();
    const question = /was changed on Test service since you opened it/u;
    await workbench.notifications.waitFor(question);
    await workbench.notifications.click(question, 'Revert');
    await workbench.editors.waitForText('<p>Theirs</p>');
    await workbench.editors.waitForDirty(tab, false);
    assert.equal((await other.getOneTemplate(id)).body, '<p>Theirs</p>');
  });

  it('brings a tab back after a restart, with its edits, and still notices what somebody else wrote', async () => {
    const workbench = window();
    workbench.problems.allow(/Unable to write file|was changed on Test service/u);
    const { id, other } = await openTemplate(workbench);
    await workbench.editors.replaceAll('<p>Edits</p>');
    await workbench.editors.waitForDirty(tab, true);
    await workbench.waitForBackup('<p>Edits</p>');
    await other.updateTemplate({ templateId: id, body: '<p>Other</p>' });
    await workbench.reload();
    await workbench.editors.waitForText('<p>Edits</p>');
    await workbench.editors.waitForDirty(tab, true);
    await workbench.editors.focus();
    await workbench.editors.save();
    await workbench.notifications.waitFor(/was changed on Test service since you opened it/u);
    assert.equal((await other.getOneTemplate(id)).body, '<p>Other</p>');
  });

  it('keeps the text where the service is away, and stores it when it is back', async () => {
    const workbench = window();
    workbench.problems.allow(/Unable to write file|was changed on Test service/u);
    const { id, other } = await openTemplate(workbench);
    await workbench.editors.replaceAll('<p>Kept</p>');
    workbench.service.faults.add({ kind: 'status', status: 500, operation: 'updateTemplate' });
    await workbench.editors.save();
    await workbench.notifications.waitFor(/Failed to save 'Hello.html'.*HTTP 500/u);
    assert.equal(await workbench.editors.isDirty(tab), true);
    await workbench.screenshot('save-failed');
    workbench.service.faults.clear();
    await workbench.notifications.click(/Failed to save/u, 'Retry');
    await workbench.editors.waitForDirty(tab, false);
    assert.equal((await other.getOneTemplate(id)).body, '<p>Kept</p>');
  });

  it('says why a drag-and-drop template is read-only', async () => {
    const workbench = window();
    await workbench.enterApiKey();
    await workbench.explorer.open();
    const [drag] = await new MailingClient(workbench.service).getTemplates({ templateType: 'drag', limit: 1 });
    assert.ok(drag?.name);
    await (await workbench.explorer.row([testConnection.name, 'Templates', drag.name])).click();
    await workbench.editors.waitForActive(`${drag.name}.html`);
    await workbench.editors.waitForText(/./u);
    await eventually(async () => assert.match(await workbench.page.locator('.codelens-decoration').first().innerText(), /drag-and-drop editor/u));
    assert.equal(await workbench.editors.isReadOnly(`${drag.name}.html`), true);
    await workbench.screenshot('read-only');
  });

  it('deletes a template after a modal, and keeps the text of its open tab', async () => {
    const workbench = window();
    const { id, other } = await openTemplate(workbench, '<p>Precious</p>');
    await (await workbench.explorer.row([testConnection.name, 'Templates', templateName])).contextAction('Delete Template…');
    assert.match(await workbench.dialog.text(), /Delete the template "Hello" on Test service\?/u);
    await workbench.screenshot('delete');
    await workbench.dialog.click('Cancel');
    assert.equal((await other.getOneTemplate(id)).name, templateName);

    await (await workbench.explorer.row([testConnection.name, 'Templates', templateName])).contextAction('Delete Template…');
    await workbench.dialog.click('Delete');
    await eventually(async () => assert.rejects(() => other.getOneTemplate(id)));
    await eventually(async () => assert.match((await workbench.page.locator('.tab.active').first().innerHTML()), /deleted|strikethrough|line-through/u));
    assert.match(await workbench.editors.visibleText(), /Precious/u);
    await workbench.screenshot('deleted');
  });

  it('shows in the tree what came of it where an answer is lost', async () => {
    const workbench = window();
    const { explorer, quickInput, notifications, service } = workbench;
    workbench.problems.allow(/createTemplate|deleteTemplate/u);
    await workbench.enterApiKey();
    await explorer.open();
    await (await explorer.row([testConnection.name, 'Templates'])).expand();
    service.faults.add({ kind: 'lostAnswer', operation: 'createTemplate', times: 1 });
    await (await explorer.row([testConnection.name, 'Templates'])).contextAction('New Template…');
    await quickInput.pick('Empty');
    await quickInput.waitFor('Name of the template');
    await quickInput.answer('Lost and found');
    await notifications.waitFor('The answer was lost, but the template "Lost and found" was made.');
    const made = await explorer.row([testConnection.name, 'Templates', 'Lost and found']);
    service.faults.add({ kind: 'lostAnswer', operation: 'deleteTemplate', times: 1 });
    await made.contextAction('Delete Template…');
    await workbench.dialog.click('Delete');
    await notifications.waitFor('The answer was lost, but the template "Lost and found" was deleted.');
    await eventually(async () => assert.ok((await explorer.lines()).every(({ label }) => label !== 'Lost and found')));
    for (const operation of ['createTemplate', 'deleteTemplate']) assert.equal(service.requests.filter((request) => request.operation === operation).length, 1);
  });
});

describe('Sending a test', () => {
  // Each begins without a test list: the one that was picked is remembered in the settings.
  const window = useWorkbench();
  const send = async (workbench: Workbench): Promise<void> => {
    await workbench.editors.titleAction('Send Test E-mail');
  };

  it('goes to the test list that was picked, and to nobody else, with what is in the editor', async () => {
    const workbench = window();
    await openTemplate(workbench);
    await workbench.editors.replaceAll('<p>Not saved yet</p>');
    await send(workbench);
    await workbench.quickInput.waitFor(/Which list receives tests/u);
    await workbench.screenshot('test-list');
    await workbench.quickInput.pick('Test');
    const question = await workbench.dialog.text();
    assert.match(question, /Send a test of "Hello" to 3 recipients of the list "Test" on Test service\?/u);
    assert.match(question, /Subject: \[Test\] Greetings/u);
    await workbench.screenshot('send-test');
    await workbench.dialog.click('Send Test');
    await workbench.notifications.waitFor('The test was sent to 3 recipients of the list "Test".');
    const { outbox } = workbench.service;
    assert.equal(outbox.messages.length, 3);
    for (const message of outbox.messages) {
      assert.equal(message.subject, '[Test] Greetings');
      assert.match(await outbox.eml(message.id), /Not saved yet/u);
    }
    assert.equal(workbench.service.requests.filter(({ operation }) => operation === 'sendCampaign').length, 1);
    await workbench.screenshot('test-sent');

    // The list is remembered, and cancelling sends nothing.
    await send(workbench);
    await workbench.quickInput.waitFor(/To whom\?/u);
    assert.match((await workbench.quickInput.entries())[0] ?? '', /^Test \| your test list/u);
    await workbench.quickInput.accept();
    assert.match(await workbench.dialog.text(), /the list "Test"/u);
    await workbench.dialog.click('Cancel');
    assert.equal(outbox.messages.length, 3);
    assert.equal(workbench.service.requests.filter(({ operation }) => operation === 'createOrUpdateCampaign').length, 1);
  });

  it('refuses a list that is too large for a test', async () => {
    const workbench = window();
    await openTemplate(workbench);
    await send(workbench);
    await workbench.quickInput.waitFor(/Which list receives tests/u);
    await eventually(async () => assert.ok((await workbench.quickInput.entries()).some((entry) => /^All contacts \| #6 · more than 25 recipients · too many for a test/u.test(entry))));
    assert.equal((await workbench.quickInput.labels())[0], 'Test', 'What fits comes first.');
    await workbench.quickInput.pick('All contacts');
    await workbench.quickInput.waitFor(/"All contacts" has more than 25 recipients \(mailing\.test\.maxRecipients\)/u);
    await workbench.screenshot('test-list-too-large');
    await workbench.quickInput.cancel();
    assert.equal(await workbench.dialog.isOpen(), false);
    assert.equal(workbench.service.requests.filter(({ operation }) => operation === 'createOrUpdateCampaign').length, 0);
  });

  it('sends once where the answer is lost, and says what is known', async () => {
    const workbench = window();
    await openTemplate(workbench);
    workbench.service.faults.add({ kind: 'lostAnswer', operation: 'sendCampaign' });
    await send(workbench);
    await workbench.quickInput.waitFor(/Which list receives tests/u);
    await workbench.quickInput.pick('Test');
    await workbench.dialog.click('Send Test');
    await workbench.notifications.waitFor('The test was sent to 3 recipients of the list "Test".');
    assert.equal(workbench.service.requests.filter(({ operation }) => operation === 'sendCampaign').length, 1);
    assert.equal(workbench.service.outbox.messages.length, 3);
  });
});
