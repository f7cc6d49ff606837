import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { openPreview, openTemplate, take, usePictures } from './views.ts';

const taggedBody = `<!doctype html>
<html><body style="font-family: sans-serif; padding: 24px">
<h1>Dear {subscriber:name|part:first|default:friend},</h1>
<p>Hello {name}</p>
<p>This goes to {subscriber:name} at {subscriber:email}.</p>
{if:City=Rome}<p>There is something new in Rome.</p>{/if}
<p><a href="{unsubscribe}{/unsubscribe}">Unsubscribe</a></p>
</body></html>
`;

const flawedBody = `<html lang="en">
<body style="background: #ffffff; color: #777777">
<p>Hello {subscriber:name}</p>
<img src="https://example.com/fjord.png" width="80">
<div style="display: flex"><p>One</p><p>Two</p></div>
<img alt="" width="8" height="8" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
<p>{unsubscribe}Unsubscribe</p>
</body></html>
`;

const offerBody = `<!doctype html>
<html lang="en">
<head><style>
  @media (prefers-color-scheme: dark) {
    .page { background: #1d2420 !important }
    .card { background: #2a332d !important }
    .card { color: #f3efe4 !important }
  }
</style></head>
<body class="page" style="margin: 0">
<table role="presentation" width="100%">
<tr>
<td class="card" style="padding: 24px; background: #ffffff">
  <h1>The forest is open</h1>
  <p>Dear {subscriber:name|default:friend},</p>
  <p>
    Chanterelles, blueberries and quiet:
    walk with us on Saturday morning.
  </p>
  <p>
    <a style="padding: 12px 24px; color: #ffffff;
      background: #3d6b4f; display: inline-block"
      href="https://fjord.test/walks">Book a walk</a>
  </p>
  <p style="color: #9aa39d">Fjord Walks, Bergen</p>
  <p>
    <a style="color: #3d6b4f"
      href="{unsubscribe}{/unsubscribe}">Unsubscribe</a>
  </p>
</td>
</tr>
</table>
</body>
</html>
`;

const mappedBody = '<p>one</p>\n<p>two</p>\n<p>three</p>\n';

describe("Pictures of AcyMailing's effect on an email", () => {
  const window = usePictures(
    {
      seed: async (client) => {
        await client.createTemplate({
          name: 'Tags',
          body: taggedBody,
          subject: 'News for {subscriber:name|default:you}',
          preheader: 'Sent to {subscriber:email}',
          from_name: 'Fjord',
        });
        await client.createTemplate({
          name: 'Checks',
          body: flawedBody,
          subject: 'NEWS!!!',
          preheader: 'Of the fjord',
          stylesheet: '.x { color: red }',
        });
        await client.createTemplate({
          name: 'Forest walk',
          body: offerBody,
          subject: 'The forest is open',
          preheader: 'Walk with us on Saturday',
          from_name: 'Fjord Walks',
        });
        await client.createTemplate({
          name: 'Mapped',
          subject: 'Hello',
          body: mappedBody,
          stylesheet: 'p { color: red }\n',
        });
      },
    },
    { profile: 'acymailing' },
  );

  it("show a problem's hover", async () => {
    const workbench = window();
    const { editors, page } = workbench;
    await openTemplate(workbench, 'Checks');
    await editors.titleAction('Open Preview to the Side');
    await workbench.run('Problems: Focus on Problems View');
    await eventually(async () =>
      assert.match(await page.locator('.markers-panel').innerText({ timeout: 2000 }), /data: address|Outlook/u),
    );
    const badge = (await workbench.webviews.frame('preview')).locator('vscode-button.problems');
    await eventually(async () => assert.match((await badge.getAttribute('title')) ?? '', /2 errors/u));
    await badge.click();
    await editors.waitForActive('Checks.html');
    await eventually(async () => assert.ok((await editors.squiggles()) > 1));
    await workbench.notifications.clear();
    await editors.goTo(5, 15);
    await workbench.run('Show or Focus Hover');
    const hover = page.locator('.monaco-hover:visible', { hasText: 'Outlook for Windows' });
    await eventually(async () => assert.match(await hover.innerText({ timeout: 2000 }), /Supported[^]*Tested/u));
    await take(workbench, 'checks-hover');
    await editors.press('Escape');
    await workbench.run('View: Hide Panel');
  });

  it('show a problem with its fixes, and the dark mode', async () => {
    const workbench = window();
    const { editors, page } = workbench;
    const { page: preview } = await openPreview(workbench, 'Forest walk');
    await preview.getByRole('button', { name: 'Dark mode' }).click();
    await editors.show('Forest walk.html');
    await eventually(async () => assert.ok((await editors.squiggles()) > 1));
    await workbench.notifications.clear();
    await editors.goTo(21, 20);
    await workbench.run('Quick Fix...');
    await eventually(async () =>
      assert.match(
        await page.locator('.action-widget').first().innerText({ timeout: 2000 }),
        /Add padding[^]*Ignore rule "button-padding"/u,
      ),
    );
    await take(workbench, 'problem');
    await editors.press('Escape');
    await preview.getByRole('button', { name: 'Dark mode' }).click();
  });

  it('show the sent email beside its source', async () => {
    const workbench = window();
    const { page } = await openPreview(workbench, 'Welcome');
    await page.getByRole('radio', { name: 'As sent' }).click();
    await eventually(async () => {
      const mail = await workbench.webviews.inner('preview');
      assert.match(await mail.locator('head').innerHTML(), /OfficeDocumentSettings/u);
      assert.ok((await mail.locator('body').innerText()).length > 100);
    });
    await take(workbench, 'as-sent');
    // Other previews open with the same view.
    await page.getByRole('radio', { name: 'Authored' }).click();
  });

  it('show tags rendered for a person', async () => {
    const workbench = window();
    const { page: preview, mail } = await openPreview(workbench, 'Tags');
    await preview.getByLabel('Preview as').selectOption('Long name', { force: true });
    await eventually(async () => assert.match(await mail.locator('h1').innerText(), /^Dear Maximiliane,/u));
    await take(workbench, 'tags-person');
  });

  it('show templates of a folder that differ from the service', async () => {
    const workbench = window();
    const { page, quickInput, folder } = workbench;
    await workbench.enterApiKey();
    await workbench.run('Mailing: Map Templates to a Folder…');
    await quickInput.waitFor('Select templates');
    await quickInput.type('Mapped');
    await eventually(async () => assert.deepEqual(await quickInput.labels(), ['Mapped']));
    await quickInput.pickMany(['Mapped']);
    await quickInput.waitFor('Each template gets its own folder');
    await quickInput.answer('emails');
    const body = join(folder, 'emails', 'mapped', 'body.html');
    await eventually(() => assert.ok(existsSync(body) && existsSync(join(folder, 'mailing.lock.json'))));
    writeFileSync(body, mappedBody.replace('two', 'TWO'));
    await workbench.run('Mailing: Refresh Mapped Templates');
    const view = page.locator('.part.sidebar .scm-view');
    await eventually(async () => {
      if (!(await view.isVisible()))
        await page
          .locator('.part.activitybar .action-label[aria-label^="Source Control"]')
          .click({ timeout: 2000, force: true });
      assert.match(await view.innerText({ timeout: 2000 }), /To Push/u);
    });
    await view.locator('.monaco-list-row', { hasText: 'body.html' }).first().click();
    await eventually(async () =>
      assert.match(await page.locator('.monaco-diff-editor .editor.modified').innerText(), /TWO/u),
    );
    await workbench.notifications.clear();
    await take(workbench, 'folders');
  });
});
