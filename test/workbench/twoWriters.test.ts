import assert from 'node:assert/strict';
import { useWorkbench } from '../support/computer.ts';
import { eventually } from '../support/eventually.ts';

const name = 'Hello';
const tab = `${name}.html`;
const question = /changed on Test service after you opened it/u;

describe('Two windows and the website', function () {
  const window = useWorkbench();

  it('edit one template: nothing is overwritten without asking, and separate edits merge', async () => {
    const one = window();
    const website = one.client;
    const { templateId: id } = await website.createTemplate({
      name,
      subject: 'Greetings',
      body: '<p>00000</p>',
      stylesheet: 'p { margin: 0 }',
    });
    const other = await one.another();
    const held = async () => (await website.getOneTemplate(id)).body;
    const updates = () => one.service.requests.filter(({ operation }) => operation === 'updateTemplate').length;
    for (const each of [one, other]) {
      each.problems.allow(/Unable to write file|was changed on Test service/u);
      await each.openRecord('Templates', name, tab);
      await each.editors.waitForText('<p>00000</p>');
    }

    // Each edits a document of its own, and the website a third one.
    await other.run('Mailing: Open Stylesheet');
    await other.editors.waitForActive(`${name}.css`);
    await other.editors.replaceAll('p { margin: 2px }');
    await one.editors.replaceAll('<p>first</p>');
    await website.updateTemplate({ templateId: id, subject: 'Theirs' });
    await other.editors.save();
    await one.editors.save();
    await one.editors.waitForDirty(tab, false);
    await other.editors.waitForDirty(`${name}.css`, false);
    const template = await website.getOneTemplate(id);
    assert.deepEqual(
      [template.body, template.stylesheet, template.subject, updates()],
      ['<p>first</p>', 'p { margin: 2px }', 'Theirs', 3],
    );
    for (const each of [one, other])
      assert.equal(
        (await each.notifications.texts()).some((text) => question.test(text)),
        false,
      );

    // Both edit the same one: the second is asked, compares and overwrites.
    await other.editors.show(tab);
    await other.editors.waitForText('<p>first</p>');
    await one.editors.replaceAll('<p>11111</p>');
    await other.editors.replaceAll('<p>22222</p>');
    await one.editors.save();
    await one.editors.waitForDirty(tab, false);
    await other.editors.save();
    await other.notifications.waitFor(question);
    assert.deepEqual(await other.notifications.buttons(question), ['Compare', 'Overwrite', 'Revert']);
    assert.deepEqual([await held(), await other.editors.isDirty(tab), updates()], ['<p>11111</p>', true, 4]);
    await other.notifications.click(question, 'Compare');
    await other.editors.waitForActive(/Test service ↔ Your Version/u);
    assert.equal(await held(), '<p>11111</p>', 'Comparing writes nothing.');
    await other.notifications.click(question, 'Overwrite');
    await eventually(async () => assert.equal(await held(), '<p>22222</p>'));
    await other.editors.waitForDirty(tab, false);

    // The first to save goes on typing, is asked, takes the other's text over and goes on from it.
    await one.editors.replaceAll('<p>11111 and on</p>');
    await one.editors.save();
    await one.notifications.waitFor(question);
    assert.deepEqual([await held(), await one.editors.isDirty(tab), updates()], ['<p>22222</p>', true, 5]);
    await one.notifications.click(question, 'Revert');
    await one.editors.waitForText('<p>22222</p>');
    await one.editors.waitForDirty(tab, false);
    await one.editors.replaceAll('<p>2 and 1</p>');
    await one.editors.save();
    await eventually(async () => assert.equal(await held(), '<p>2 and 1</p>'));
    await one.editors.waitForDirty(tab, false);

    assert.deepEqual([...other.problems.all], [], 'Errors were logged in the other window.');
  });
});
