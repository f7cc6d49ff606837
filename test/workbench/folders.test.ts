import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MailingClient } from '../../src/api/index.ts';
import { eventually, useWorkbench } from '../support/workbench.ts';


describe('Templates in git', function () {
  this.timeout(300_000);
  const window = useWorkbench({
    seed: async (service) => {
      const client = new MailingClient(service);
      await client.createTemplate({ name: 'Mapped', subject: 'Hello', body: '<p>one</p>\n<p>two</p>\n<p>three</p>\n', stylesheet: 'p { color: red }\n' });
      await client.close();
    },
  });

  it('are mapped, changed, compared and pushed from the Source Control view, in each theme', async () => {
    const workbench = window();
    const { page, quickInput, dialog, service, folder } = workbench;
    await workbench.enterApiKey();
    await workbench.run('Mailing: Map Templates to a Folder…');
    await quickInput.waitFor('Which templates?');
    await quickInput.type('Mapped');
    await eventually(async () => assert.deepEqual(await quickInput.labels(), ['Mapped']));
    await quickInput.pickMany(['Mapped']);
    await quickInput.waitFor('Each template gets a folder');
    await quickInput.answer('emails');
    const body = join(folder, 'emails', 'mapped', 'body.html');
    await eventually(() => assert.ok(existsSync(body) && existsSync(join(folder, 'mailing.lock.json'))));

    writeFileSync(body, '<p>one</p>\n<p>TWO</p>\n<p>three</p>\n');
    const template = service.requests.length;
    await workbench.run('Mailing: Refresh Mapped Templates');
    const view = page.locator('.part.sidebar .scm-view');
    await eventually(async () => {
      if (!(await view.isVisible())) await page.locator('.part.activitybar .action-label[aria-label^="Source Control"]').click({ timeout: 2000, force: true });
      assert.ok(await view.isVisible());
    });
    const row = page.locator('.part.sidebar .scm-view .monaco-list-row', { hasText: 'body.html' }).first();
    await row.waitFor();
    await eventually(async () => assert.match((await page.locator('.part.sidebar .scm-view').allInnerTexts()).join(' '), /To Push/u));
    assert.ok(service.requests.length > template);
    await row.click();
    await page.locator('.monaco-diff-editor').first().waitFor();
    await workbench.pictures((theme) => `folders/push-${theme}`);
    await row.hover();
    await row.locator('.action-label[aria-label^="Push"]').click();
    const question = await eventually(async () => {
      assert.ok(await dialog.isOpen());
      return dialog.text();
    });
    assert.match(question, /Push: 1 template\?[\s\S]*emails\/mapped → Test service #\d+: body/u);
    await workbench.screenshot('folders/question');
    await dialog.click('Push');
    await workbench.notifications.waitFor(/Pushed: emails\/mapped/u);
    await row.waitFor({ state: 'detached' });
    assert.match(readFileSync(join(folder, 'mailing.lock.json'), 'utf8'), /"emails\/mapped"/u);
  });
});
