import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useWorkbench } from '../support/computer.ts';
import { eventually } from '../support/eventually.ts';
import { waitUntilUnchanged } from '../support/pages/tree.ts';

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('Templates in git', function () {
  const window = useWorkbench(
    {
      files: Object.fromEntries(['spring', 'summer'].map((name) => [`src/${name}.mjml`, '<mjml></mjml>\n'])),
      seed: async (client) => {
        await client.createTemplate({
          name: 'Mapped',
          subject: 'Hello',
          body: '<p>one</p>\n<p>two</p>\n<p>three</p>\n',
          stylesheet: 'p { color: red }\n',
        });
      },
    },
    {},
  );

  it('are offered for mapping, mapped, marked as different, compared, pushed and previewed', async () => {
    const workbench = window();
    const { page, explorer, editors, notifications, quickInput, dialog, service, client, folder } = workbench;

    // The offer comes with the first use of the extension.
    assert.deepEqual(await notifications.texts(), []);
    await explorer.open();
    const offer = await notifications.waitFor(/This workspace builds emails with MJML\./u);
    assert.equal(
      offer,
      'This workspace builds emails with MJML. Map them to templates on a service to compare, push and pull them?',
    );
    assert.deepEqual(await notifications.buttons(/MJML/u), ['Map to Templates…', "Don't Ask Again"]);
    await notifications.click(/MJML/u, 'Map to Templates…');
    await quickInput.waitFor('Select the email to map first.');
    assert.deepEqual(await quickInput.labels(), ['src/spring.mjml', 'src/summer.mjml']);
    await quickInput.pick('src/summer.mjml');
    await quickInput.waitFor('The HTML file that is built from src/summer.mjml');
    await quickInput.cancel();
    assert.ok(!existsSync(join(folder, 'mailing.json')));

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

    // Source Control shows the pending changes.
    writeFileSync(body, '<p>one</p>\n<p>TWO</p>\n<p>three</p>\n');
    const before = service.requests.length;
    await workbench.run('Mailing: Refresh Mapped Templates');
    const view = page.locator('.part.sidebar .scm-view');
    await eventually(async () => {
      if (!(await view.isVisible()))
        await page
          .locator('.part.activitybar .action-label[aria-label^="Source Control"]')
          .click({ timeout: 2000, force: true });
      assert.ok(await view.isVisible());
    });
    const change = view.locator('.monaco-list-row', { hasText: 'body.html' }).first();
    await change.waitFor();
    await eventually(async () => assert.match((await view.allInnerTexts()).join(' '), /To Push/u));
    await eventually(() => assert.ok(service.requests.length > before));
    // A row that is drawn again under the pointer ignores the click.
    await eventually(async () => {
      await change.click({ timeout: 2000 });
      const modified = page.locator('.monaco-diff-editor .editor.modified');
      assert.match(await modified.innerText({ timeout: 4000 }), /TWO/u);
    });
    await notifications.clear();
    await change.hover();
    await waitUntilUnchanged(change, 200);
    await change.locator('.action-label[aria-label^="Push"]').click();
    assert.match(
      await dialog.text(),
      /Push changes to 1 template on Test service\?[\s\S]*emails\/mapped → Test service #\d+: body/u,
    );
    await dialog.click('Push');
    await notifications.waitFor(/Pushed emails\/mapped/u);
    await change.waitFor({ state: 'detached' });
    assert.match(readFileSync(join(folder, 'mailing.lock.json'), 'utf8'), /"emails\/mapped"/u);

    // The explorer marks what differs on both sides, and the files of a template are previewed together.
    const images = [
      '../img/logo.png',
      '../../../outside.png',
      '../img/linked.png',
      '../img/huge.png',
      '../img/photo.avif',
    ]
      .map((path) => `<img src="${path}" alt="">`)
      .join('');
    mkdirSync(join(folder, 'emails/img'));
    writeFileSync(body, `<h1>here</h1>${images}<p>under a picture of the stylesheet</p>`);
    writeFileSync(join(folder, 'emails/img/logo.png'), pixel);
    writeFileSync(join(folder, 'emails/img/huge.png'), Buffer.alloc(2 * 1024 * 1024 + 1));
    writeFileSync(join(folder, 'emails/img/photo.avif'), 'avif');
    const outside = join(folder, '../outside.png');
    writeFileSync(outside, pixel);
    symlinkSync(outside, join(folder, 'emails/img/linked.png'));
    writeFileSync(
      join(folder, 'emails/mapped/style.css'),
      'h1 { background: rgb(1, 2, 3) } p { background: url(../img/logo.png) }',
    );
    writeFileSync(
      join(folder, 'emails/mapped/template.json'),
      JSON.stringify({ name: 'Mapped', subject: 'Other here' }),
    );
    const [template] = await client.getTemplates({ search: 'Mapped' });
    assert.ok(template);
    await client.updateTemplate({ templateId: template.id, body: '<p>there</p>' });
    await workbench.run('Mailing: Refresh Mapped Templates');
    await quickInput.openFile('body.html');
    await editors.waitForActive(/body\.html/u);
    const rows = page.locator('.explorer-folders-view .monaco-list-row');
    await eventually(async () => {
      if (!(await rows.first().isVisible()))
        await page
          .locator('.part.activitybar .action-label[aria-label^="Explorer"]')
          .click({ timeout: 2000, force: true });
      // The explorer reveals the active file.
      const label = await rows
        .filter({ hasText: 'body.html' })
        .locator('.monaco-icon-label')
        .getAttribute('aria-label', { timeout: 2000 });
      assert.match(label ?? '', /Test service: Changed here and on the service \(body\)/u);
    });

    await editors.titleAction('Open Preview to the Side');
    const mail = await workbench.webviews.inner('preview');
    const preview = await workbench.webviews.frame('preview');
    await eventually(async () => {
      assert.equal(
        await mail.locator('h1').evaluate((heading) => getComputedStyle(heading).backgroundColor),
        'rgb(1, 2, 3)',
      );
      assert.match(await preview.locator('.inbox').innerText(), /Other here/u);
    });
    const widths = () =>
      mail.locator('img').evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth));
    await eventually(async () => assert.deepEqual(await widths(), [1, 0, 0, 0, 0]));
    assert.match(
      await mail.locator('p').evaluate((element) => getComputedStyle(element).backgroundImage),
      /^url\("data:image\/png;base64,iVBOR/u,
    );
    const notice = preview.locator('.notice .text');
    const left =
      'emails/img/huge.png (larger than 2 MB) and emails/img/photo.avif (not a PNG, JPEG, GIF, WebP, or SVG file)';
    await eventually(async () => assert.equal(await notice.textContent(), `Images not shown: ${left}`));
  });
});
