import assert from 'node:assert/strict';
import { MailingClient } from '../../src/api/index.ts';
import { eventually, pictureThemes, testConnection, useWorkbench, type Workbench } from '../support/workbench.ts';

const body = `<html lang="en">
<body style="background: #ffffff; color: #777777">
<p>Hello {subscriber:name}</p>
<img src="https://example.com/fjord.png" width="80">
<div style="display: flex"><p>One</p><p>Two</p></div>
<img alt="" width="8" height="8" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
<p>{unsubscribe}Unsubscribe</p>
</body></html>
`;


describe('Checks in the workbench', function () {
  this.timeout(300_000);
  const window = useWorkbench({
    shared: true,
    seed: async (service) => {
      const client = new MailingClient(service);
      await client.createTemplate({ name: 'Checks', body, subject: 'NEWS!!!', preheader: 'Of the fjord', stylesheet: '.x { color: red }' });
      const [list] = await client.getLists({ limit: 1 });
      await client.createOrUpdateCampaign({ name: 'Flawed', body, subject: 'News', listIds: [list?.id ?? 1], sending_type: 'now' });
      await client.close();
    },
  });

  async function open(workbench: Workbench, collection: string, name: string): Promise<void> {
    await workbench.enterApiKey();
    await workbench.explorer.open();
    await (await workbench.explorer.row([testConnection.name, collection, name])).click();
  }

  it('mark, explain and mend, lead to the place from the preview, and say how large it is, in each theme', async () => {
    const workbench = window();
    const { page, editors } = workbench;
    await open(workbench, 'Templates', 'Checks');
    await editors.waitForActive('Checks.html');
    await editors.titleAction('Open Preview to the Side');
    const preview = await workbench.webviews.frame('preview');
    const badge = preview.locator('vscode-button.problems');
    const hover = page.locator('.monaco-hover:visible', { hasText: 'Outlook for Windows' });
    const fixes = page.locator('.action-widget', { hasText: 'Quick Fix' });
    await workbench.run('Problems: Focus on Problems View');
    const problems = page.locator('.markers-panel');
    await eventually(async () => assert.match(await problems.innerText({ timeout: 2000 }), /data: address|Outlook/u));
    for (const theme of pictureThemes) {
      await workbench.setTheme(theme);
      await workbench.notifications.clear();
      await eventually(async () => assert.ok((await editors.squiggles()) > 1));
      await eventually(async () => assert.match((await badge.getAttribute('aria-label')) ?? '', /2 errors.*: go to the first/u));
      await badge.click();
      await editors.waitForActive('Checks.html');
      await workbench.screenshot(`checks-problems-${theme}`);
      await editors.goTo(5, 15);
      await workbench.run('Show or Focus Hover');
      await eventually(async () => assert.match(await hover.innerText({ timeout: 2000 }), /supported[^]*Tested/u));
      await workbench.screenshot(`checks-hover-${theme}`);
      await editors.press('Escape');
      await editors.goTo(4, 10);
      await eventually(async () => {
        if (!(await fixes.isVisible())) await editors.press('ControlOrMeta+.');
        assert.match(await fixes.innerText({ timeout: 2000 }), /Add alt=""[^]*Ignore rule 12/u);
      });
      await workbench.screenshot(`checks-fix-${theme}`);
      if (theme !== pictureThemes.at(-1)) await editors.press('Escape');
    }
    await fixes.getByText('Add alt=""').first().click();
    await editors.waitForText('alt=""');
    await eventually(async () => assert.doesNotMatch(await problems.innerText(), /screen readers, this image/u));
    const status = page.locator('.statusbar-item', { hasText: 'HTML' }).first();
    await eventually(async () => assert.equal(await status.isVisible(), true));
  });

  it('stand in the question before a campaign is sent, and want a second step', async () => {
    const workbench = window();
    await open(workbench, 'Campaigns', 'Flawed');
    await workbench.editors.waitForActive('Flawed.campaign.json');
    await workbench.notifications.clear();
    const sends = (): number => workbench.service.requests.filter(({ operation }) => operation === 'sendCampaign').length;
    await workbench.editors.titleAction('Send Campaign');
    await workbench.passLastLook('last-look-flawed');
    assert.match(await workbench.dialog.text(), /Mail clients: 2 errors/u);
    await workbench.screenshot('checks-send');
    await workbench.dialog.click('Send Now');
    await eventually(async () => assert.match(await workbench.dialog.text(), /with 2 errors\?/u));
    await workbench.screenshot('checks-send-despite');
    await workbench.dialog.click('Cancel');
    assert.equal(sends(), 0);
    await workbench.editors.titleAction('Send Campaign');
    await workbench.passLastLook();
    await workbench.dialog.click('Send Now');
    await eventually(async () => assert.deepEqual((await workbench.dialog.buttons()).sort(), ['Cancel', 'Send With Errors']));
    await workbench.dialog.click('Send With Errors');
    await workbench.notifications.waitFor(/"Flawed" was sent/u);
    assert.equal(sends(), 1);
  });
});
