import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { MailingClient } from '../../src/api/index.ts';
import { eventually, testConnection, useWorkbench, type Workbench } from '../support/workbench.ts';

/** Opens a template of the sample data with its preview beside it. */
async function openPreview(workbench: Workbench, name: string): Promise<{ page: Frame; mail: Frame }> {
  await workbench.enterApiKey();
  await workbench.explorer.open();
  await (await workbench.explorer.row([testConnection.name, 'Templates', name])).click();
  await workbench.editors.waitForActive(`${name}.html`);
  await workbench.editors.titleAction('Open Preview to the Side');
  const mail = await workbench.webviews.inner('preview');
  await eventually(async () => assert.ok((await mail.locator('body').innerText()).length > 100));
  return { page: await workbench.webviews.frame('preview'), mail };
}

/** The first heading of a document. */
function headingOf(html: string, { page }: Workbench): Promise<string | null | undefined> {
  return page.evaluate((text) => new DOMParser().parseFromString(text, 'text/html').querySelector('h1, h2')?.textContent, html);
}

describe('The preview in the workbench', () => {
  const window = useWorkbench({ shared: true, files: { 'letter.html': '<h1>Local</h1><p>First</p>' } });

  describe('The preview of a template', () => {
    it('shows the inbox line, a phone, the dark side of the e-mail, and remembers both for the next preview', async () => {
      const workbench = window();
      const { page, mail } = await openPreview(workbench, 'Product announcement');
      const [template] = await new MailingClient(workbench.service).getTemplates({ search: 'Product announcement' });
      await eventually(async () => assert.match(await page.locator('.inbox').innerText(), new RegExp(template?.from_name ?? 'nobody', 'u')));
      const ink = () => mail.locator('h1').first().evaluate((heading) => getComputedStyle(heading).color);
      const light = await ink();
      await page.locator('vscode-button[title^="Phone"]').click();
      await page.locator('vscode-button[aria-label="Dark mode"]').click();
      await eventually(async () => assert.equal(await mail.evaluate(() => innerWidth), 375));
      await eventually(async () => assert.notEqual(await ink(), light));
      await workbench.setTheme('dark');
      await workbench.notifications.clear();
      await workbench.screenshot('preview-dark');
      await workbench.setTheme('light');

      await (await workbench.explorer.row([testConnection.name, 'Templates', 'Welcome'])).click();
      await workbench.editors.waitForActive('Welcome.html');
      await workbench.editors.titleAction('Open Preview to the Side');
      await eventually(async () => {
        const second = await workbench.webviews.inner('preview');
        assert.match(await second.locator('body').innerText(), /Pebblework/u);
        assert.equal(await second.evaluate(() => innerWidth), 375);
      });
    });

    it('marks the element at the cursor, and puts the cursor at the source of what is clicked', async () => {
      const workbench = window();
      const { mail } = await openPreview(workbench, 'Order receipt');
      const target = mail.locator('h1, h2').first();
      const text = (await target.innerText()).split(/\s+/u)[0] ?? '';
      await target.click();
      await workbench.editors.waitForActive('Order receipt.html');
      await eventually(async () => assert.match(await workbench.page.locator('.monaco-editor .current-line').first().evaluate((line) => {
        const top = line.getBoundingClientRect().top;
        const lines = [...document.querySelectorAll('.part.editor .editor-group-container.active .view-line')];
        return lines.filter((each) => Math.abs(each.getBoundingClientRect().top - top) < 60).map((each) => each.textContent).join(' ');
      }), new RegExp(`<h[12]|${text}`, 'u')));
      await workbench.screenshot('preview-click');
    });

    it('loads remote images only when told to', async () => {
      const workbench = window();
      const asked: string[] = [];
      // What leaves the browser, not what it blocked.
      await workbench.page.route('https://images.example.com/**', (route) => {
        asked.push(route.request().url());
        return route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' });
      });
      const { page } = await openPreview(workbench, 'Monthly newsletter');
      await page.getByText('remote images or fonts blocked').waitFor();
      assert.deepEqual(asked, []);
      await page.getByText('Show', { exact: true }).click();
      await eventually(() => assert.ok(asked.length > 0));
    });

    it('says where Gmail would clip the message', async () => {
      const workbench = window();
      const { page } = await openPreview(workbench, 'The long digest');
      await eventually(async () => assert.match((await page.locator('.meter').getAttribute('aria-label')) ?? '', /Gmail/u));
      await workbench.notifications.clear();
      await workbench.screenshot('preview-clipped');
    });
  });

  describe('The preview of a local file', () => {
    it('follows what is typed', async () => {
      const workbench = window();
      await workbench.quickInput.openFile('letter.html');
      await workbench.editors.waitForActive('letter.html');
      await workbench.editors.titleAction('Open Preview to the Side');
      const mail = await workbench.webviews.inner('preview');
      await eventually(async () => assert.equal(await mail.locator('p').innerText(), 'First'));
      await workbench.editors.show('letter.html');
      await workbench.editors.replaceAll('<h1>Local</h1><p>Sec<ond</p><b>half');
      await eventually(async () => assert.match(await mail.locator('body').innerText(), /Sec/u));
      await workbench.editors.replaceAll('<p>Third</p>');
      await eventually(async () => assert.equal(await mail.locator('p').innerText(), 'Third'));
    });
  });

  describe('A service that can not be reached', () => {
    it('is shown with its cause and a way out, and comes back', async () => {
      const workbench = window();
      workbench.problems.allow(/./u);
      await workbench.enterApiKey();
      await workbench.explorer.open();
      workbench.service.faults.add({ kind: 'resetBeforeRead' });
      const lists = await workbench.explorer.row([testConnection.name, 'Lists']);
      await lists.expand();
      await eventually(async () => assert.ok((await workbench.explorer.lines()).some(({ level, label }) => level === 3 && /Can't be reached/u.test(label))));
      await workbench.notifications.clear();
      await workbench.screenshot('unreachable', { width: 352 });
      const failed = (await workbench.explorer.lines()).find(({ level }) => level === 3);
      assert.ok(failed);
      workbench.service.faults.clear();
      await (await workbench.explorer.row([testConnection.name, 'Lists', failed.label])).click();
      await eventually(async () => assert.ok((await workbench.explorer.labels()).includes('Test')));
    });
  });
});

describe('The preview that follows', () => {
  const window = useWorkbench();

  /** Waits until the last opened preview shows a template. */
  const shows = (name: string) => eventually(async () => {
    const workbench = window();
    const mail = await workbench.webviews.inner('preview');
    const [template] = await new MailingClient(workbench.service).getTemplates({ search: name });
    assert.equal(await mail.locator('h1, h2').first().textContent(), await headingOf(template?.body ?? '', workbench));
  });
  const waitForTab = (name: string) => eventually(async () => assert.ok((await window().editors.tabs()).includes(name)));
  const openTemplate = async (name: string): Promise<void> => {
    await (await window().explorer.row([testConnection.name, 'Templates', name])).click();
    await window().editors.waitForActive(`${name}.html`);
  };
  /** Locks the only preview to its template, waits until VS Code has the page's state, and returns to the template. */
  const lock = async (name: string): Promise<void> => {
    const { editors, webviews } = window();
    const stored = await webviews.watchKept('preview');
    await editors.show(`Preview ${name}`);
    await editors.titleAction('Toggle Preview Locking');
    await waitForTab(`[Preview] ${name}`);
    await stored(/"locked":true/u);
    await editors.show(`${name}.html`);
  };

  it('shows the e-mail in front, stays with it once it is locked, and is what it was after a reload', async () => {
    const workbench = window();
    await openPreview(workbench, 'Welcome');
    await openTemplate('Order receipt');
    await waitForTab('Preview Order receipt');
    await shows('Order receipt');
    assert.equal((await workbench.webviews.all('preview')).length, 1);

    await lock('Order receipt');
    await workbench.screenshot('preview-locked');
    await workbench.editors.show('Welcome.html');
    await workbench.reload();
    await waitForTab('[Preview] Order receipt');
    await shows('Order receipt');
    await workbench.editors.show('[Preview] Order receipt');
    await workbench.editors.titleAction('Toggle Preview Locking');
    await workbench.editors.show('Welcome.html');
    await waitForTab('Preview Welcome');
    await shows('Welcome');
  });

  it('comes back after a reload beside one that is locked to the same email', async () => {
    const workbench = window();
    await openPreview(workbench, 'Order receipt');
    await lock('Order receipt');
    await openTemplate('Welcome');
    await workbench.editors.titleAction('Open Preview to the Side');
    await waitForTab('Preview Welcome');
    await workbench.editors.show('Order receipt.html');
    await waitForTab('Preview Order receipt');
    await shows('Order receipt');

    await workbench.reload();
    await shows('Order receipt');
    // VS Code restores a hidden tab when it is shown.
    await workbench.editors.show('[Preview] Order receipt');
    await eventually(async () => assert.equal((await workbench.webviews.all('preview')).length, 1));
    await shows('Order receipt');
    const previews = (await workbench.editors.tabs()).filter((tab) => tab.includes('Preview'));
    assert.deepEqual(previews.toSorted(), ['Preview Order receipt', '[Preview] Order receipt']);
  });
});
