import assert from 'node:assert/strict';
import { MailingClient } from '../../src/api/index.ts';
import { eventually, testConnection, useWorkbench, type Workbench } from '../support/workbench.ts';

const name = 'Hello';
const tab = `${name}.html`;
const question = /was changed on Test service since you opened it/u;
const aboutConflicts = /Unable to write file|was changed on Test service/u;

/** Opens the template from the tree. */
async function open(window: Workbench): Promise<void> {
  await window.enterApiKey();
  await window.explorer.open();
  await (await window.explorer.row([testConnection.name, 'Templates', name])).click();
  await window.editors.waitForActive(tab);
  await window.editors.waitForText('<p>00000</p>');
}

const updates = (window: Workbench): number => window.service.requests.filter(({ operation }) => operation === 'updateTemplate').length;

describe('Two windows and the website', function () {
  this.timeout(240_000);
  const window = useWorkbench({ shared: true });
  let website: MailingClient;
  let id: number;
  let one: Workbench;
  let other: Workbench;
  const held = async (): Promise<string | null> => (await website.getOneTemplate(id)).body;

  beforeEach(async () => {
    one = window();
    website = new MailingClient(one.service);
    ({ templateId: id } = await website.createTemplate({ name, subject: 'Greetings', body: '<p>00000</p>', stylesheet: 'p { margin: 0 }' }));
    other = await one.another();
    for (const each of [one, other]) each.problems.allow(aboutConflicts);
    await open(one);
    await open(other);
  });

  afterEach(async () => {
    assert.deepEqual([...other.problems.all], [], 'Errors were logged in the other window.');
    await website.close();
  });

  it('edit one template: the first is stored, the second is asked, compares and overwrites', async () => {
    await one.editors.replaceAll('<p>11111</p>');
    await other.editors.replaceAll('<p>22222</p>');
    await one.editors.save();
    await one.editors.waitForDirty(tab, false);
    await other.editors.save();
    await other.notifications.waitFor(question);
    assert.deepEqual([await held(), await other.editors.isDirty(tab), updates(one)], ['<p>11111</p>', true, 1]);
    await other.screenshot('two-writers-asked');
    await other.notifications.click(question, 'Compare');
    await other.editors.waitForActive(/Test service ↔ yours/u);
    await other.screenshot('two-writers-compare');
    assert.equal(await held(), '<p>11111</p>', 'Comparing writes nothing.');
    await other.notifications.click(question, 'Overwrite');
    await eventually(async () => assert.equal(await held(), '<p>22222</p>'));
    await other.editors.waitForDirty(tab, false);

    // Who was stored first is asked now, where they go on.
    await one.editors.replaceAll('<p>11111 and on</p>');
    await one.editors.save();
    await one.notifications.waitFor(question);
    assert.deepEqual([await held(), await one.editors.isDirty(tab), updates(one)], ['<p>22222</p>', true, 2]);
  });

  it('edit one template: who chooses Revert sees what the other wrote, and goes on from it', async () => {
    await one.editors.replaceAll('<p>1</p>');
    await other.editors.replaceAll('<p>22222222</p>');
    await one.editors.save();
    await one.editors.waitForDirty(tab, false);
    await other.editors.save();
    await other.notifications.waitFor(question);
    await other.notifications.click(question, 'Revert');
    await other.editors.waitForText('<p>1</p>');
    await other.editors.waitForDirty(tab, false);
    await other.editors.replaceAll('<p>1 and 2</p>');
    await other.editors.save();
    await eventually(async () => assert.equal(await held(), '<p>1 and 2</p>'));
    await other.editors.waitForDirty(tab, false);
  });

  it('edit what is its own in one template: all of it is kept, and nobody is asked', async () => {
    await other.run('Mailing: Open Stylesheet');
    await other.editors.waitForActive(`${name}.css`);
    await other.editors.replaceAll('p { margin: 2px }');
    await one.editors.replaceAll('<p>11111</p>');
    await website.updateTemplate({ templateId: id, subject: 'Theirs' });
    await other.editors.save();
    await one.editors.save();
    await one.editors.waitForDirty(tab, false);
    await other.editors.waitForDirty(`${name}.css`, false);
    const template = await website.getOneTemplate(id);
    assert.deepEqual([template.body, template.stylesheet, template.subject, updates(one)], ['<p>11111</p>', 'p { margin: 2px }', 'Theirs', 3]);
    for (const each of [one, other]) assert.equal((await each.notifications.texts()).some((text) => question.test(text)), false);
  });

  it('edit one template, and one restarts while its save is under way: its text comes back, is known to be stored, and what the other writes then is not overwritten', async () => {
    one.problems.allow(/./u);
    await one.editors.replaceAll('<p>11111</p>');
    await one.editors.waitForDirty(tab, true);
    await one.waitForBackup('<p>11111</p>');
    one.service.faults.add({ kind: 'slow', bytes: 1, intervalMs: 1000, operation: 'updateTemplate', times: 1 });
    await one.editors.save();
    await eventually(async () => assert.equal(await held(), '<p>11111</p>'));
    await one.reload();
    await one.editors.waitForText('<p>11111</p>');
    await one.editors.focus();
    await one.editors.save();
    await one.editors.waitForDirty(tab, false);
    assert.equal(updates(one), 1, 'What is there already is not sent again.');

    await one.editors.replaceAll('<p>11112</p>');
    await website.updateTemplate({ templateId: id, body: '<p>wwwww</p>' });
    await one.editors.save();
    await one.notifications.waitFor(question);
    assert.deepEqual([await held(), await one.editors.isDirty(tab)], ['<p>wwwww</p>', true]);
  });
});
