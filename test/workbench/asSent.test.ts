import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import type { Frame } from 'playwright-core';
import { lenses, lensNames, type LensName } from '../../src/lenses/index.ts';
import { someOf } from '../support/cases.ts';
import { eventually, testConnection, useWorkbench, type Workbench } from '../support/workbench.ts';

const corpus = new URL('../../../shared/corpus/', import.meta.url);
/** E-mails of other makers, which are not part of the repository; its own starter where they are not there. */
const names = ['cerberus-responsive', 'postmark-receipt', 'colorlib-14'].filter((name) => existsSync(new URL(`${name}.html`, corpus)));
const shown = names.length > 0 ? someOf(names, 3) : ['letter'];
const starter = new URL('../../media/starters/letter.html', import.meta.url);
const files = Object.fromEntries([
  ...names.map((name) => [`${name}.html`, readFileSync(new URL(`${name}.html`, corpus), 'utf8')] as const),
  ['letter.html', readFileSync(starter, 'utf8')] as const,
]);

/** Opens a template of the sample data with its preview beside it. */
async function openPreview(workbench: Workbench, name: string): Promise<Frame> {
  await workbench.enterApiKey();
  await workbench.explorer.open();
  await (await workbench.explorer.row([testConnection.name, 'Templates', name])).click();
  await workbench.editors.waitForActive(`${name}.html`);
  await workbench.editors.titleAction('Open Preview to the Side');
  await workbench.webviews.inner('preview');
  return workbench.webviews.frame('preview');
}

async function look(page: Frame, lens: LensName | undefined): Promise<void> {
  await page.locator('vscode-dropdown.lens').click();
  await page.locator(`vscode-dropdown.lens vscode-option[value="${lens ?? 'none'}"]`).click();
}

const choose = (page: Frame, view: string): Promise<void> => page.getByRole('radio', { name: view }).click();

describe('What is sent, in the workbench', () => {
  const window = useWorkbench({ shared: true, service: { profile: 'acymailing' } });

  it('is shown beside what is written, follows what is typed, and leads to its source, in each theme', async () => {
    const workbench = window();
    const page = await openPreview(workbench, 'Welcome');
    await choose(page, 'As sent');
    const mail = await eventually(async () => {
      const frame = await workbench.webviews.inner('preview');
      assert.match(await frame.locator('head').innerHTML(), /OfficeDocumentSettings/u);
      return frame;
    });
    await eventually(async () => assert.ok((await mail.locator('body').innerText()).length > 100));
    await workbench.notifications.clear();
    await workbench.pictures((theme) => `as-sent-${theme}`);
    await choose(page, 'Text');
    await page.locator('.textPart pre').waitFor();
    await eventually(async () => assert.ok((await page.locator('.textPart pre').innerText()).length > 50));
    await workbench.pictures((theme) => `as-sent-text-${theme}`);
    await choose(page, 'Authored');
  });

  it('is compared with what is written', async () => {
    const workbench = window();
    await openPreview(workbench, 'Order receipt');
    await workbench.editors.show('Order receipt.html');
    await workbench.run('Mailing: Compare Authored with Sent');
    await workbench.editors.waitForActive(/authored ↔ as sent/u);
    await eventually(async () => assert.ok(await workbench.page.locator('.monaco-diff-editor .modified .view-line').count() > 10));
    await eventually(async () => assert.match(await workbench.page.locator('.monaco-diff-editor .editor.modified').innerText(), /OfficeDocumentSettings/u));
    await workbench.notifications.clear();
    await workbench.screenshot('as-sent-compare');
  });
});

describe('What the sandbox sends, in the workbench', () => {
  const window = useWorkbench({ service: false });

  it('is what AcyMailing would send, with its text part', async () => {
    const workbench = window();
    await workbench.run('Mailing: Start Sandbox');
    await workbench.explorer.open();
    await (await workbench.explorer.row(['Sandbox', 'Templates', 'Welcome'])).click();
    await workbench.editors.waitForActive('Welcome.html');
    await workbench.editors.titleAction('Open Preview to the Side');
    const page = await workbench.webviews.frame('preview');
    await choose(page, 'As sent');
    await eventually(async () => {
      const frame = await workbench.webviews.inner('preview');
      assert.match(await frame.locator('head').innerHTML(), /OfficeDocumentSettings/u);
    });
    assert.doesNotMatch(await page.locator('body').innerText(), /doesn’t tell what it makes/u);
    await workbench.notifications.clear();
    await workbench.pictures((theme) => `as-sent-sandbox-${theme}`);
    await choose(page, 'Text');
    await eventually(async () => assert.match(await page.locator('.textPart pre').innerText(), /Pebblework/u));
    await workbench.screenshot('as-sent-sandbox-text');
  });
});

describe('Lenses in the workbench', () => {
  const window = useWorkbench({ service: false, files, size: { width: 1500, height: 950 } });

  it('show e-mails as others see them', async function () {
    this.timeout(300_000);
    const workbench = window();
    await workbench.page.route(/^https?:\/\/(?!127\.0\.0\.1|localhost)/u, (route) => route.abort());
    // Its pictures are not in the workspace.
    workbench.problems.allow(/Failed to load resource: .*\/workspace\/images\/|Loading the stylesheet 'https:\/\/fonts\.googleapis/u);
    let page: Frame | undefined;
    for (const [index, name] of shown.entries()) {
      // A file that is opened from the preview would take its place.
      if (index > 0) await workbench.editors.show(`${shown[index - 1]}.html`);
      await workbench.quickInput.openFile(`${name}.html`);
      await workbench.editors.waitForActive(`${name}.html`);
      if (!page) {
        await workbench.editors.titleAction('Open Preview to the Side');
        page = await workbench.webviews.frame('preview');
        await choose(page, 'As sent');
      }
      const current = page;
      for (const lens of [undefined, ...lensNames]) {
        await look(current, lens);
        const expected = lens ? lenses[lens].note : 'This file belongs to no service';
        await eventually(async () => assert.ok((await current.locator('.note').innerText()).startsWith(expected)));
        await eventually(async () => assert.ok((await (await workbench.webviews.inner('preview')).locator('body').innerText()).length > 50));
        await workbench.screenshot(`lens-${name}-${lens ?? 'none'}`);
      }
      await look(page, undefined);
    }
    const grid = page?.locator('vscode-button[aria-label="Lenses side by side"]');
    await grid?.click();
    await eventually(async () => assert.equal(await page?.locator('.lensGrid iframe.mail').count(), 6));
    await workbench.pictures((theme) => `lens-grid-${theme}`);
    await grid?.click();
  });
});
