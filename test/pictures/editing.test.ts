import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { testConnection } from '../support/workbench.ts';
import { SIDE_BAR_WIDTH, openPreview, openTemplate, take, usePictures } from './views.ts';

const outlookBody = `<!doctype html>
<html lang="en">
<body style="margin: 0; background: #f4f1ea">
<!--[if mso]>
<table role="presentation" width="600" align="center"><tr><td bgcolor="#f4f1ea">
<![endif]-->
<div style="max-width: 600px; margin: 0 auto">
  <!--[if gte mso 15]>
  <v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" href="https://example.com/autumn"
    style="height: 44px; width: 200px; v-text-anchor: middle" arcsize="10%"
    strokecolor="#b5541c" fillcolor="#d9702b">
    <center style="color: #ffffff; font-family: sans-serif">Autumn offers</center>
  </v:roundrect>
  <![endif]-->
  <!--[if !mso]><!-->
  <a href="https://example.com/autumn" style="background: #d9702b; color: #ffffff">Autumn offers</a>
  <!--<![endif]-->
  <!--[if mso 16]>
  <table role="presentation" width="600">
    <tr><td bgcolor="#ffffff" style="mso-line-height-rule: exactly">Dear {subscriber:name},</td></tr>
  </table>
  <![endif]-->
  <p style="color: #444444">Leaves fall, and so do our prices.</p>
</div>
<!--[if mso]>
</td></tr></table>
<![endif]-->
<p><a href="{unsubscribe}{/unsubscribe}">Unsubscribe</a></p>
</body>
</html>
`;

const unformattedBody = `<!doctype html><html lang="en"><body style="margin: 0; font-family: Arial, sans-serif">
<table role="presentation" width="100%"><tr><td align="center">
<!--[if mso]><table role="presentation" width="600"><tr><td><![endif]-->
<table role="presentation" width="100%" style="max-width: 600px"><tr><td style="padding: 24px">
  <h1>Dear {subscriber:name|default:friend},</h1>
  {if:City=Rome}<p>There is something new in Rome.</p>{/if}
  <p>Leaves fall, <a href="https://example.com/">and so do our prices</a>.</p></td></tr>
  <tr><td style="padding: 24px"><p><a href="{unsubscribe}{/unsubscribe}">Unsubscribe</a></p></td></tr></table>
<!--[if mso]></td></tr></table><![endif]--></td></tr></table></body></html>
`;

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

  it('show two versions of an email side by side', async () => {
    const workbench = window();
    const { editors, quickInput, webviews } = workbench;
    const [sample] = await workbench.client.getTemplates({ limit: 1 });
    const { body = '' } = await workbench.client.getOneTemplate(sample?.id ?? 0);
    const name = 'Comparison';
    await workbench.client.createTemplate({ name, subject: 'News', preheader: 'From the fjord', body: body ?? '' });
    await workbench.run('Mailing: Refresh');
    await openTemplate(workbench, name);
    const changed = (body ?? '').replace(/(<p\b[^>]*>)[^<]*/u, '$1A new first paragraph, which says more. ');
    await editors.replaceAll(changed);
    await workbench.run('Mailing: Compare Emails Side by Side…');
    await quickInput.waitFor(/Compare Emails Side by Side|Select two versions/u);
    await quickInput.accept();
    const page = await webviews.frame('preview');
    await page.locator('[role=status]', { hasText: /\d changed block/u }).waitFor();
    await workbench.notifications.clear();
    await take(workbench, 'compare');
    await workbench.run('View: Close Editor');
    await editors.replaceAll(body ?? '');
  });

  it('show all blocks, and their names while one is typed', async () => {
    const workbench = window();
    const { editors, page, quickInput, webviews } = workbench;
    await workbench.client.createTemplate({ name: 'Autumn', subject: 'Autumn', body: '<p>Hello</p>' });
    await workbench.run('Mailing: Refresh');
    await openTemplate(workbench, 'Autumn');
    await editors.replaceAll('<p>Hello</p>\n');
    await workbench.run('Mailing: Insert Block…');
    await quickInput.type('Show All');
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

  it('show code for Outlook, with a folded branch and the versions that read another one', async () => {
    const workbench = window();
    const { editors, page } = workbench;
    await workbench.client.createTemplate({ name: 'Outlook', subject: 'Autumn', body: outlookBody });
    await workbench.run('Mailing: Refresh');
    await openTemplate(workbench, 'Outlook');
    // Those of VS Code's HTML features, which start later, are among them.
    await eventually(async () => assert.equal(await page.locator('.colorpicker-color-decoration').count(), 9));
    await editors.goTo(18);
    await eventually(async () => {
      await workbench.run('Fold');
      await page.locator('.inline-folded').waitFor({ timeout: 2000 });
    });
    await editors.goTo(8, 16);
    await workbench.run('Show or Focus Hover');
    await page.locator('.monaco-hover:visible', { hasText: 'Outlook' }).waitFor();
    await take(workbench, 'outlook');
    await editors.press('Escape');
  });

  it('show an email before and after formatting', async () => {
    const workbench = window();
    const { client, editors, page } = workbench;
    await client.createTemplate({ name: 'Format', subject: 'Autumn', body: unformattedBody });
    await workbench.run('Mailing: Refresh');
    await openTemplate(workbench, 'Format');
    await workbench.run('Mailing: Format Email');
    await editors.waitForDirty('Format.html', true);
    await workbench.run('View: Toggle Primary Side Bar Visibility');
    await workbench.run('File: Compare Active File with Saved');
    await page.locator('.monaco-diff-editor .editor.modified .view-line', { hasText: 'Unsubscribe' }).waitFor();
    await workbench.notifications.clear();
    await editors.focus();
    // The tooltip of the tab, which opened below the pointer.
    await page.mouse.move(0, 0);
    await page.locator('.workbench-hover').waitFor({ state: 'hidden' });
    await take(workbench, 'format');
    await workbench.run('View: Close Editor');
    await editors.waitForActive('Format.html');
    await workbench.run('File: Revert File');
  });
});
