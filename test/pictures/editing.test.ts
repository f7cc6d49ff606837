import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { testConnection } from '../support/workbench.ts';
import { SIDE_BAR_WIDTH, openPreview, openTemplate, take, usePictures } from './views.ts';

describe('Pictures of editing', () => {
  const window = usePictures();

  it("show a service that can't be reached", async () => {
    const workbench = window();
    workbench.problems.allow(/./u);
    await workbench.enterApiKey();
    await workbench.explorer.open();
    workbench.service.faults.add({ kind: 'resetBeforeRead' });
    await (await workbench.explorer.row([testConnection.name, 'Lists'])).expand();
    await eventually(async () =>
      assert.ok((await workbench.explorer.lines()).some(({ label }) => /Can't reach the service/u.test(label))),
    );
    await workbench.notifications.clear();
    await take(workbench, 'unreachable', SIDE_BAR_WIDTH);
  });

  it('show the tree, and a template beside its preview', async () => {
    const workbench = window();
    const { explorer, notifications } = workbench;
    await workbench.enterApiKey();
    await explorer.open();
    for (const branch of ['Lists', 'Templates', 'Campaigns'])
      await (await explorer.row([testConnection.name, branch])).expand();
    await eventually(async () => assert.ok((await explorer.labels()).length > 25));
    await explorer.settled();
    await notifications.clear();
    await take(workbench, 'tree', SIDE_BAR_WIDTH);
    for (const branch of ['Lists', 'Campaigns']) await (await explorer.row([testConnection.name, branch])).collapse();
    const [first] = await workbench.client.getTemplates({ limit: 1 });
    await openPreview(workbench, first?.name ?? assert.fail('There is no template.'));
    await take(workbench, 'editor');
  });

  it("show a conflict with another user's edit", async () => {
    const workbench = window();
    workbench.problems.allow(/Unable to write file|changed on Test service/u);
    const { templateId } = await workbench.client.createTemplate({
      name: 'Hello',
      subject: 'Greetings',
      body: '<p>First</p>',
      stylesheet: 'p { color: #c00 }',
    });
    await openTemplate(workbench, 'Hello');
    await workbench.editors.replaceAll('<p>Mine!</p>');
    await workbench.client.updateTemplate({ templateId, body: '<p>Their</p>' });
    await workbench.editors.save();
    await workbench.notifications.waitFor(/changed on Test service after you opened it/u);
    await eventually(async () => assert.ok((await workbench.editors.squiggles()) > 0));
    await take(workbench, 'conflict');
  });

  it('show all blocks, and their names while one is typed', async () => {
    const workbench = window();
    const { editors, page, quickInput, webviews } = workbench;
    await workbench.client.createTemplate({ name: 'Autumn', subject: 'Autumn', body: '<p>Hello</p>' });
    await workbench.run('Mailing: Refresh');
    await openTemplate(workbench, 'Autumn');
    await editors.replaceAll('<p>Hello</p>\n');
    await workbench.run('Mailing: Insert Block…');
    await quickInput.pick('Show All Blocks');
    const mail = await webviews.inner('preview');
    await mail.locator('code', { hasText: '!button' }).waitFor();
    await editors.focus();
    await editors.type('!b');
    await editors.press('Control+Space');
    await page.locator('.suggest-widget.visible .monaco-list-row', { hasText: '!button' }).waitFor();
    await take(workbench, 'blocks');
    await editors.press('Escape');
    await editors.replaceAll('<p>Hello</p>');
  });
});
