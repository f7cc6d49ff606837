import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MailingClient } from '../../src/api/index.ts';
import { eventually, testConnection, useWorkbench } from '../support/workbench.ts';

const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

describe('The files of a mapped template', function () {
  this.timeout(300_000);
  const window = useWorkbench({
    seed: async (service) => {
      const client = new MailingClient(service);
      await client.createTemplate({ name: 'Mapped', subject: 'Hello', body: '<p>there</p>', stylesheet: 'p { color: red }' });
      await client.close();
    },
  });

  it('say in the explorer where they differ, and are previewed together', async () => {
    const workbench = window();
    const { page, folder, service } = workbench;
    await workbench.enterApiKey();
    const client = new MailingClient(service);
    const [template] = await client.getTemplates({ search: 'Mapped' });
    await client.close();
    assert.ok(template);
    mkdirSync(join(folder, 'emails/letter'), { recursive: true });
    mkdirSync(join(folder, 'emails/img'));
    const images = ['../img/logo.png', '../../../outside.png', '../img/linked.png', '../img/huge.png', '../img/photo.avif'].map((path) => `<img src="${path}" alt="">`).join('');
    writeFileSync(join(folder, 'emails/letter/body.html'), `<h1>here</h1>${images}<p>under a picture of the stylesheet</p>`);
    writeFileSync(join(folder, 'emails/img/logo.png'), pixel);
    writeFileSync(join(folder, 'emails/img/huge.png'), Buffer.alloc(2 * 1024 * 1024 + 1));
    writeFileSync(join(folder, 'emails/img/photo.avif'), 'avif');
    const outside = join(folder, '../outside.png');
    writeFileSync(outside, pixel);
    symlinkSync(outside, join(folder, 'emails/img/linked.png'));
    writeFileSync(join(folder, 'emails/letter/style.css'), 'h1 { background: rgb(1, 2, 3) } p { background: url(../img/logo.png) }');
    writeFileSync(join(folder, 'emails/letter/template.json'), JSON.stringify({ name: 'Mapped', subject: 'Other here' }));
    writeFileSync(join(folder, 'mailing.json'), JSON.stringify({ templates: [{ folder: 'emails/letter', ids: { [testConnection.id]: template.id } }] }));
    await workbench.run('Mailing: Refresh Mapped Templates');

    const rows = page.locator('.explorer-folders-view .monaco-list-row');
    const expand = (label: string, child: string) => eventually(async () => {
      const row = rows.filter({ hasText: label }).first();
      if (await row.getAttribute('aria-expanded', { timeout: 1000 }) === 'false') await row.click({ timeout: 1000 });
      await rows.filter({ hasText: child }).first().waitFor({ timeout: 3000 });
    }, { patienceMs: 30_000 });
    await expand('emails', 'letter');
    await expand('letter', 'body.html');
    const row = rows.filter({ hasText: 'body.html' });
    const told = new RegExp(`${testConnection.name}: body changed here and on the service`, 'u');
    await eventually(async () => assert.match((await row.locator('.monaco-icon-label').getAttribute('aria-label')) ?? '', told));

    await row.dblclick();
    await workbench.editors.waitForActive(/body\.html/u);
    await workbench.editors.titleAction('Open Preview to the Side');
    const mail = await workbench.webviews.inner('preview');
    await eventually(async () => {
      assert.equal(await mail.locator('h1').evaluate((heading) => getComputedStyle(heading).backgroundColor), 'rgb(1, 2, 3)');
      assert.match(await (await workbench.webviews.frame('preview')).locator('.inbox').innerText(), /Other here/u);
    });
    const widths = (): Promise<readonly number[]> => mail.locator('img').evaluateAll((all) => all.map((image) => (image as HTMLImageElement).naturalWidth));
    await eventually(async () => assert.deepEqual(await widths(), [1, 0, 0, 0, 0]));
    assert.match(await mail.locator('p').evaluate((element) => getComputedStyle(element).backgroundImage), /^url\("data:image\/png;base64,iVBOR/u);
    const notice = (await workbench.webviews.frame('preview')).locator('.notice', { hasText: 'does not show' });
    const left = 'emails/img/huge.png (larger than 2 MB), emails/img/photo.avif (no PNG, JPEG, GIF, WebP or SVG)';
    assert.equal(await notice.textContent(), `Pictures that the preview does not show: ${left}`);
    await workbench.pictures((theme) => `folders/files-${theme}`);
  });
});
