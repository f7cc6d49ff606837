import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { useWorkbench } from '../support/computer.ts';
import { eventually } from '../support/eventually.ts';

const names = ['autumn', 'invoice', 'welcome'];
const footer = '<p>Shop Ltd., 1 Main Street, Springfield</p>';
const newFooter = footer.replace('Springfield', 'Shelbyville');
const createEmail = (name: string, end: string) => `<h1>${name}</h1>\n${end}\n<p>Bye</p>\n`;
const link = (text: string) => `<!-- part: footer -->${text}<!-- /part -->`;

describe('Linked parts', function () {
  const window = useWorkbench({
    files: {
      ...Object.fromEntries(names.map((name) => [`mails/${name}.html`, createEmail(name, footer)])),
      'mailing.json': JSON.stringify({ templates: [], checks: { files: ['mails/*.html'] } }),
    },
  });

  it('are extracted from several emails, edited, previewed in one of them, updated as shown, and restored by one Undo', async () => {
    const workbench = window();
    const { editors, folder, notifications, quickInput, webviews } = workbench;
    const part = join(folder, 'mailing-parts', 'footer.html');
    const assertEmails = (end: string) =>
      assert.deepEqual(
        names.map((name) => readFileSync(join(folder, 'mails', `${name}.html`), 'utf8')),
        names.map((name) => createEmail(name, end)),
      );

    await quickInput.openFile('welcome.html');
    await editors.waitForActive('welcome.html');
    await editors.goTo(2);
    await editors.press('Shift+End');
    await workbench.run('Mailing: Extract Part…');
    await quickInput.waitFor('Name of the part');
    await quickInput.answer('footer');
    await quickInput.waitFor('Select the emails with the same code to link');
    assert.deepEqual(await quickInput.labels(), ['mails/autumn.html', 'mails/invoice.html']);
    await quickInput.accept();
    await eventually(() => assertEmails(link(footer)));
    await eventually(() => assert.ok(existsSync(part)));

    await quickInput.openFile('footer.html');
    await editors.waitForActive('footer.html');
    await editors.titleAction('Open Preview to the Side');
    await eventually(async () => assert.ok((await editors.tabs()).includes('Preview footer.html in autumn.html')));
    await editors.replaceAll(newFooter);
    const preview = await webviews.inner('preview');
    await eventually(async () =>
      assert.match(await preview.locator('body').innerText(), /autumn[^]*Shelbyville[^]*Bye/u),
    );
    assertEmails(link(footer));
    await editors.save();
    await notifications.waitFor('Part "footer" has changed.');
    await notifications.click('Part "footer" has changed.', 'Update 3 Templates…');
    await editors.waitForActive('Update Templates (3 files)');
    await notifications.waitFor('Review the changes.');
    assertEmails(link(footer));
    await editors.titleAction('Update Templates');
    await notifications.waitFor('Updated 3 templates.');
    assertEmails(link(newFooter));

    await editors.show('welcome.html');
    await editors.focus();
    await editors.press('ControlOrMeta+z');
    for (const name of names) await editors.waitForDirty(`${name}.html`, true);
    assertEmails(link(newFooter));
    await workbench.run('File: Save All Files');
    await eventually(() => assertEmails(link(footer)));
    assert.equal(readFileSync(part, 'utf8'), newFooter);
  });
});
