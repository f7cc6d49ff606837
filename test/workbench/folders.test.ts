import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
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
    await eventually(async () => assert.match(await page.locator('.monaco-diff-editor .editor.modified').innerText(), /TWO/u));
    await workbench.notifications.clear();
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

  it('are built: lenses stand above the source, and the preview shows what is built', async () => {
    const workbench = window();
    const { page, editors, quickInput, dialog, service, folder } = workbench;
    await workbench.enterApiKey();
    const client = new MailingClient(service);
    const [template] = await client.getTemplates({ search: 'Mapped' });
    await client.close();
    for (const name of ['src', 'dist']) mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, 'src', 'spring.mjml'), '<mjml>\n  <mj-body>\n    <mj-text>Spring</mj-text>\n  </mj-body>\n</mjml>\n');
    const output = join(folder, 'dist', 'spring.html');
    writeFileSync(output, template?.body ?? '');
    writeFileSync(join(folder, 'mailing.json'), JSON.stringify({
      connections: { test: { protected: true } },
      templates: [{ folder: 'emails/spring', ids: { test: template?.id }, source: 'src/spring.mjml', output: 'dist/spring.html', task: 'npm: build' }],
    }, null, 2));
    await workbench.run('Mailing: Refresh Mapped Templates');
    await workbench.run('Mailing: Pull Mapped Templates');
    await quickInput.waitFor('Which templates?');
    await quickInput.pickMany(['emails/spring']);
    await eventually(() => assert.ok(existsSync(join(folder, 'emails', 'spring', 'template.json'))));
    writeFileSync(output, '<p>Spring is built</p>\n');
    utimesSync(output, 1, 1);
    await quickInput.openFile('spring.mjml');
    const lenses = page.locator('.part.editor .codelens-decoration a');
    await eventually(async () => assert.deepEqual((await lenses.allInnerTexts()).map((text) => text.trim()), ['Build', 'Preview', 'Compare with the Service', 'Push']));
    await workbench.notifications.clear();
    await lenses.filter({ hasText: 'Preview' }).click();
    await eventually(async () => assert.ok((await editors.tabs()).includes('Preview spring')));
    const preview = await workbench.webviews.frame('preview');
    await eventually(async () => assert.match(await preview.locator('body').innerText(), /Spring is built/u));
    await workbench.pictures((theme) => `folders/lenses-${theme}`);
    await lenses.filter({ hasText: 'Push' }).click();
    const question = await eventually(async () => {
      assert.ok(await dialog.isOpen());
      return dialog.text();
    });
    assert.match(question, /dist\/spring\.html is older than src\/spring\.mjml\./u);
    await workbench.screenshot('folders/stale');
    await dialog.click('Push the Old Output');
    const asked = await eventually(async () => {
      const text = await dialog.text();
      assert.match(text, /^Push:/u);
      return text;
    });
    assert.match(asked, /Test service is a protected connection/u);
    await dialog.click('Cancel');
  });

  it('are offered to be mapped where e-mails are built, once the tree is opened', async () => {
    const workbench = window();
    const { explorer, notifications, quickInput, folder } = workbench;
    mkdirSync(join(folder, 'src'));
    for (const name of ['spring', 'summer']) writeFileSync(join(folder, 'src', `${name}.mjml`), '<mjml></mjml>\n');
    assert.deepEqual(await notifications.texts(), []);
    await explorer.open();
    const offer = await notifications.waitFor(/This workspace builds e-mails with MJML\./u);
    assert.equal(offer, 'This workspace builds e-mails with MJML. Map them to templates of a service, to compare, push and pull?');
    assert.deepEqual(await notifications.buttons(/MJML/u), ['Map to Templates…', 'Don\'t Ask Again']);
    await workbench.pictures((theme) => `folders/offer-${theme}`);
    await notifications.click(/MJML/u, 'Map to Templates…');
    await quickInput.waitFor('Which e-mail first?');
    assert.deepEqual(await quickInput.labels(), ['src/spring.mjml', 'src/summer.mjml']);
    await workbench.screenshot('folders/offer-pick');
    await quickInput.pick('src/summer.mjml');
    await quickInput.waitFor('The HTML file that is built from src/summer.mjml');
    await quickInput.cancel();
    assert.ok(!existsSync(join(folder, 'mailing.json')));
  });
});
