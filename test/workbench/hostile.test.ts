import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Papa from 'papaparse';
import type { Frame } from 'playwright-core';
import { out } from '../../scripts/lib/paths.mjs';
import { MailingClient } from '../../src/api/index.ts';
import type { Sandbox } from '../support/sandbox/index.ts';
import type { ToPage } from '../../src/preview/protocol.ts';
import { plain } from '../../src/ui/text.ts';
import { someOf } from '../support/cases.ts';
import { openCollector, type Collector } from '../support/collector.ts';
import { Guard } from '../support/guard.ts';
import { allTexts, collectedAt, heavy, mailClasses, type HostileMail } from '../support/hostile/index.ts';
import { hostileLists, hostileService } from '../support/hostile/service.ts';
import { eventually, testConnection, useWorkbench, type Workbench } from '../support/workbench.ts';

const spaces = (text: string): string => text.replace(/\s+/gu, ' ').trim();

/** What the hostile service calls a campaign. */
const campaignName = (id: number): string => spaces(plain(allTexts[(id * 3) % allTexts.length]?.text ?? ''));

/** What rows, tabs and tooltips may hold beside text. */
const live = 'a[href], img, svg image, iframe, form, script, .codicon-trash, .codicon-error, .codicon-sync, .codicon-loading';

/** Opens the preview of the first template, whose page then is given one e-mail after the other. */
async function openPreview(workbench: Workbench): Promise<Frame> {
  await workbench.enterApiKey();
  await workbench.explorer.open();
  const name = spaces(plain(allTexts[0]?.text ?? ''));
  await (await workbench.explorer.row([testConnection.name, 'Templates', name])).click();
  await eventually(async () => assert.ok((await workbench.editors.tabs()).length > 0));
  await workbench.run('Mailing: Open Preview to the Side');
  const page = await workbench.webviews.frame('preview');
  await workbench.webviews.inner('preview');
  return page;
}

/** Gives the preview's page an e-mail as the extension would, and waits until it is drawn. */
async function show(page: Frame, mail: { readonly body: string; readonly stylesheet?: string }, remote: boolean): Promise<void> {
  const message: ToPage = {
    type: 'show', document: 'mailing://test/templates/1/hostile.html', title: 'hostile', locked: false, body: mail.body, stylesheet: mail.stylesheet ?? '',
    envelope: { subject: mail.body.slice(0, 5000), preheader: mail.body.slice(0, 5000), from_name: '', from_email: mail.body.slice(0, 300) },
    toolbar: { view: 'authored', lens: 'none', grid: false, width: 'full', zoom: '100', scheme: 'light', remote },
  };
  await page.evaluate((data) => new Promise<void>((resolve) => {
    window.dispatchEvent(new MessageEvent('message', { data }));
    requestAnimationFrame(() => setTimeout(resolve));
  }), message);
}

/** Points at, focuses and presses everything in the e-mail. */
async function provoke(page: Frame): Promise<void> {
  await page.evaluate(() => {
    const mail = document.querySelector<HTMLIFrameElement>('iframe.mail');
    const inner = mail?.contentDocument;
    const view = mail?.contentWindow as (Window & typeof globalThis) | null;
    if (!inner || !view) throw new Error('There is no e-mail.');
    // With text selected, a click doesn't move the editor's cursor.
    inner.getSelection()?.selectAllChildren(inner.documentElement);
    const pressed = [...inner.querySelectorAll('a, area, button, input, summary, label, [tabindex], [onclick], math, object, p')].slice(0, 30);
    for (const element of pressed) {
      if ('focus' in element) (element as HTMLElement).focus();
      for (const name of ['pointerover', 'mouseover', 'mousemove', 'pointerdown', 'mousedown', 'mouseup', 'click', 'auxclick', 'contextmenu', 'submit', 'toggle']) {
        element.dispatchEvent(new view.MouseEvent(name, { bubbles: true, cancelable: true }));
      }
    }
    for (const form of inner.querySelectorAll('form')) HTMLFormElement.prototype.requestSubmit.call(form);
  });
}

/** The message that asks the page to ask the extension for a text, which answers: a way through both. */
async function askHost(page: Frame): Promise<void> {
  await page.evaluate(() => new Promise<void>((resolve) => {
    const listen = ({ data }: MessageEvent<{ type?: string; part?: string }>): void => {
      if (data.type !== 'text' || data.part !== 'stylesheet') return;
      window.removeEventListener('message', listen);
      resolve();
    };
    window.addEventListener('message', listen);
    window.dispatchEvent(new MessageEvent('message', { data: { type: 'change', part: 'stylesheet', changes: [], length: -1 } }));
  }));
}

const atCollector = (mail: HostileMail, { url }: Collector): HostileMail => ({
  ...mail, body: collectedAt(mail.body, url), ...(mail.stylesheet === undefined ? {} : { stylesheet: collectedAt(mail.stylesheet, url) }),
});

describe('Hostile e-mails in the preview', () => {
  const window = useWorkbench({ shared: true, rewrites: hostileService, service: { templates: 3 } });
  let collector: Collector;
  before(async () => { collector = await openCollector(); });
  after(() => collector?.close());
  beforeEach(() => collector.forget());

  it('run nothing, reach nobody, go nowhere and hold up nothing', async () => {
    const workbench = window();
    workbench.problems.allow(/Content Security Policy|Blocked script execution|sandbox|Failed to load resource|ERR_|net::|<(?:svg|path|rect|use|animate|image)|attribute|preload|viewport|Unsafe attempt|autofocus/iu);
    const page = await openPreview(workbench);
    const guard = new Guard(workbench.page);
    const blank = { body: '<p>x</p>' };
    for (const { id: title, entries } of mailClasses) {
      for (const entry of entries) {
        const mail = atCollector(entry, collector);
        await guard.responds(`${title}/${mail.id}`, async () => {
          await show(page, mail, false);
          await provoke(page);
        }, () => show(page, blank, false));
      }
      await guard.responds(`${title}: the extension`, () => askHost(page));
      await guard.check(title);
    }
    await show(page, { body: mailClasses.flatMap(({ entries }) => entries.slice(0, 4)).map(({ body }) => `<div>${body}</div>`).join('\n') }, false);
    await workbench.notifications.clear();
    await workbench.screenshot('hostile-preview');
    // Idle: what the e-mail would fetch has been asked for.
    await page.evaluate(() => new Promise<void>((resolve) => { requestIdleCallback(() => resolve()); }));
    await guard.check('after all');
    assert.deepEqual([collector.requests, collector.connections], [[], 0]);
  });

  it('fetch images, stylesheets and fonts where the user lets them, and tell nothing of where from', async () => {
    const workbench = window();
    workbench.problems.allow(/./u);
    const page = await openPreview(workbench);
    const guard = new Guard(workbench.page);
    // The browser has no word for drawings that others refer to: what they are fetched as, their server is told.
    guard.allow((_address, kind) => ['image', 'stylesheet', 'font', 'other'].includes(kind));
    for (const { id: title, entries } of mailClasses) {
      for (const entry of entries) {
        await show(page, atCollector(entry, collector), true);
        await provoke(page);
      }
      await guard.check(title);
    }
    await eventually(() => assert.ok(collector.requests.length > 20));
    for (const { method, path, headers } of collector.requests) {
      assert.equal(method, 'GET', path);
      assert.match(String(headers['sec-fetch-dest']), /^(?:image|style|font)$/u, path);
      assert.equal(headers.cookie, undefined, path);
      // For what an inline style fetches, the browser names the page's host whatever its policy, and no more than that.
      assert.match(headers.referer ?? '', /^(?:http:\/\/127\.0\.0\.1:\d+\/)?$/u, path);
    }
  });

  it('leave the window usable however big they are', async () => {
    const workbench = window();
    workbench.problems.allow(/./u);
    const page = await openPreview(workbench);
    const guard = new Guard(workbench.page);
    for (const { id, body, stylesheet } of someOf(heavy, 3)) {
      const mail = atCollector({ id, why: '', body: body(), ...(stylesheet ? { stylesheet: stylesheet() } : {}) }, collector);
      // The text is brought to the page first: what is measured is what the page does with it.
      await page.evaluate(([html, css]) => { Object.assign(globalThis, { kept: { html, css } }); }, [mail.body, mail.stylesheet ?? ''] as const);
      const draw = () => page.evaluate(() => new Promise<void>((resolve) => {
        const { html: text, css } = (globalThis as unknown as { kept: { html: string; css: string } }).kept;
        const data = { type: 'show', document: 'mailing://test/templates/1/big.html', title: 'big', body: text, stylesheet: css, toolbar: { view: 'authored', lens: 'none', grid: false, width: 'full', zoom: '100', scheme: 'light', remote: false } };
        globalThis.dispatchEvent(new MessageEvent('message', { data }));
        requestAnimationFrame(() => setTimeout(resolve));
      }));
      await guard.responds(`${id}: drawing`, draw, () => show(page, { body: '<p>x</p>' }, false));
      await guard.responds(`${id}: the page after it`, () => page.evaluate(() => new Promise<void>((resolve) => { setTimeout(() => requestIdleCallback(() => resolve(), { timeout: 1000 }), 200); })));
      await guard.responds(`${id}: the workbench`, guard.drawn());
      await guard.responds(`${id}: the extension`, () => askHost(page));
    }
    await guard.check('big e-mails');
    assert.equal(collector.requests.length, 0);
  });
});

/** Big bodies that are opened, edited and saved as documents. */
const saved = someOf(['big-rows', 'nested-div', 'attributes', 'big-text'], 2)
  .map((id) => heavy.find((mail) => mail.id === id)).filter((mail) => mail !== undefined);

async function storeBodies(service: Sandbox): Promise<void> {
  const client = new MailingClient(service);
  for (const [index, mail] of saved.entries()) await client.updateTemplate({ templateId: index + 1, name: mail.id, body: mail.body() });
  await client.close();
}

describe('Big e-mails as documents', () => {
  const window = useWorkbench({
    seed: storeBodies,
    service: { templates: saved.length, largestBody: 16 * 1024 * 1024 },
    // VS Code's own outline of 900,000 elements holds a window up for half a minute, of any HTML file.
    settings: { 'breadcrumbs.enabled': false, 'editor.stickyScroll.enabled': false },
  });

  it('are opened, previewed, edited and saved', async () => {
    const workbench = window();
    await workbench.enterApiKey();
    await workbench.explorer.open();
    const guard = new Guard(workbench.page);
    const client = new MailingClient(workbench.service);
    for (const [index, mail] of saved.entries()) {
      const tab = `${mail.id}.html`;
      await (await workbench.explorer.row([testConnection.name, 'Templates', mail.id])).click();
      await workbench.editors.waitForActive(tab);
      await workbench.run('Mailing: Open Preview to the Side');
      const page = await workbench.webviews.frame('preview');
      await eventually(async () => assert.ok((await page.locator('.notice.problem:visible').count()) > 0), { patienceMs: 30_000 });
      if (index === 0) await workbench.screenshot('hostile-big');
      await workbench.editors.show(tab);
      await workbench.editors.type('zz');
      await guard.responds(`${mail.id}: the workbench while it is edited`, guard.drawn());
      await guard.responds(`${mail.id}: the extension while it is edited`, () => askHost(page));
      await workbench.editors.save();
      await workbench.editors.waitForDirty(tab, false);
      const { body } = await client.getOneTemplate(index + 1);
      assert.ok((body ?? '').includes('zz'), mail.id);
      assert.equal((body ?? '').length, mail.body().length + 2, mail.id);
      await workbench.run('View: Close All Editors');
    }
    await client.close();
    await guard.check('big documents');
  });
});

interface View {
  readonly name: string;
  open(workbench: Workbench): Promise<void>;
  /** The frame that shows it, where it is a webview. */
  readonly page?: string;
  /** Shown when it has what it shows. */
  readonly shown: string;
}

/** What shows a service's texts, beside the tree. Another one is a row. */
const views: readonly View[] = [
  {
    name: 'subscribers',
    page: 'subscribers',
    shown: '.table-row',
    open: async (workbench) => {
      const name = spaces(plain(String(hostileLists[6]?.['name'])));
      await (await workbench.explorer.row([testConnection.name, 'Lists', name])).click();
    },
  },
  {
    name: 'campaign',
    page: 'campaignForm',
    shown: '.inbox',
    open: async (workbench) => {
      await (await workbench.explorer.row([testConnection.name, 'Campaigns', campaignName(1)])).click();
    },
  },
  {
    name: 'statistics',
    page: 'statistics',
    shown: '.tile',
    open: async (workbench) => {
      await workbench.run('Mailing: Open Statistics in Editor');
      await workbench.quickInput.waitFor('Which campaign?');
      await eventually(async () => assert.ok((await workbench.quickInput.labels()).length > 1));
      await workbench.screenshot('hostile-pick');
      await workbench.quickInput.accept();
      await eventually(async () => assert.match(await workbench.editors.active(), /^Statistics: /u));
      await (await workbench.webviews.frame('statistics')).locator('h1').waitFor();
    },
  },
  ...['Recipients', 'Clicks', 'Links'].map((tab) => ({
    name: `statistics-${tab.toLowerCase()}`,
    page: 'statistics',
    shown: '.table-row',
    open: async (workbench: Workbench) => (await workbench.webviews.frame('statistics')).getByRole('tab', { name: tab }).click(),
  })),
];

describe('Hostile texts in the workbench', () => {
  const letter = '<a href="[Click here](command:workbench.action.quit)">x</a> <a href="https://x.example/\u202Egpj.exe">y</a>';
  const window = useWorkbench({ shared: true, rewrites: hostileService, service: { templates: 140 }, files: { 'letter.html': letter } });

  it('are text in the tree, its tooltips, the tabs, tables and forms', async () => {
    const workbench = window();
    await workbench.enterApiKey();
    await workbench.explorer.open();
    // The statistics stand in an editor below, with room for their tables.
    await workbench.fold('Statistics', true);
    const guard = new Guard(workbench.page);
    for (const id of [1, 2, 3, 4]) {
      const name = campaignName(id);
      const row = await workbench.explorer.row([testConnection.name, 'Campaigns', name]);
      const hover = workbench.page.locator('.monaco-hover:visible');
      await eventually(async () => {
        // The tooltip of the row before goes a moment after the mouse; a row that was drawn anew meanwhile is pointed at once more.
        await workbench.page.mouse.move(900, 10);
        await hover.waitFor({ state: 'hidden' });
        await row.tooltip();
        await eventually(async () => {
          const text = spaces((await hover.last().innerText()).replaceAll('\u00a0', ' '));
          assert.ok(text.startsWith('Name:') && text.includes(name), `${id}: ${text}`);
        }, { patienceMs: 3000 });
      }, { patienceMs: 30_000 });
      assert.equal(await workbench.page.locator('.monaco-hover .hover-contents').locator(live).count(), 0, name);
      if (id === 4) await workbench.page.screenshot({ path: join(out, 'screenshots', 'hostile-tooltip.png') });
    }

    const lists = await workbench.explorer.row([testConnection.name, 'Lists']);
    await lists.expand();
    const expected = new Set(hostileLists.slice(0, 100).map(({ name, id }) => spaces(plain(String(name))) || `List ${String(id)}`));
    const seen = new Set<string>();
    const rows = workbench.page.locator('.part.sidebar .monaco-list-row');
    // The campaigns alone fill the view: the tree marks a row as loading only after 800 ms.
    await eventually(async () => {
      const lines = await workbench.explorer.lines();
      assert.equal(lines[lines.findIndex(({ level, label }) => level === 2 && label === 'Lists') + 1]?.level, 3, 'The lists are read.');
    });
    await eventually(async () => assert.ok((await workbench.explorer.lines()).length > 10));
    await workbench.page.locator('.part.sidebar .monaco-list').first().focus();
    await workbench.screenshot('hostile-tree', { width: 500 });
    for (let turn = 0; turn < 10; turn += 1) {
      for (const { level, label } of await workbench.explorer.lines()) if (level === 3) seen.add(spaces(label));
      assert.equal(await rows.locator('.monaco-icon-label-container').locator(live).count(), 0);
      await workbench.page.keyboard.press('PageDown');
      await guard.responds('the tree', guard.drawn());
    }
    const missing = [...expected].filter((label) => label !== '(no name)' && !seen.has(label));
    assert.ok(missing.length <= 5, `Not seen in the tree: ${missing.map((label) => JSON.stringify(label)).join(', ')}`);

    await workbench.page.keyboard.press('Home');
    for (const { name, open, page, shown } of views) {
      await open(workbench);
      if (page === undefined) await workbench.page.locator('.part.editor .editor-group-container.active').locator(shown).first().waitFor();
      else await (await workbench.webviews.frame(page)).locator(shown).first().waitFor();
      await guard.responds(name, guard.drawn());
      await workbench.notifications.clear();
      await workbench.screenshot(`hostile-${name}`);
      assert.equal(await workbench.page.locator('.tabs-container .tab').locator('a[href], img, .codicon-trash, .codicon-error, .codicon-sync').count(), 0);
      assert.equal(await workbench.page.locator('.notifications-toasts .notification-list-item-message a').count(), 0);
      await guard.check(name);
    }
  });

  it('open documents with names that are no paths', async () => {
    const workbench = window();
    await workbench.enterApiKey();
    await workbench.explorer.open();
    const guard = new Guard(workbench.page);
    // The first page holds the templates 1 to 20.
    for (const index of [0, 6, 9, 11, 13]) {
      await (await workbench.explorer.row([testConnection.name, 'Templates', spaces(plain(allTexts[index]?.text ?? ''))])).click();
      await eventually(async () => assert.ok((await workbench.editors.active()).endsWith('.html')));
      assert.doesNotMatch(await workbench.editors.active(), /[/\\:*?"<>|#%]/u);
    }
    await workbench.screenshot('hostile-tabs');
    await guard.check('documents');
  });

  it('are harmless in an export', async () => {
    const workbench = window();
    await workbench.enterApiKey();
    await workbench.explorer.open();
    const guard = new Guard(workbench.page);
    await workbench.run('Mailing: Export Subscribers…');
    await workbench.quickInput.waitFor('Which lists?');
    await workbench.screenshot('hostile-lists');
    await workbench.quickInput.pickMany([spaces(plain(String(hostileLists[0]?.['name'])))]);
    await workbench.quickInput.waitFor('Who?');
    await workbench.quickInput.accept();
    await workbench.quickInput.waitFor('As what?');
    await workbench.quickInput.accept();
    const path = join(workbench.folder, 'hostile.csv');
    await workbench.quickInput.answerFile(path);
    await eventually(() => assert.ok(existsSync(path)));
    await workbench.notifications.waitFor(/Exported 139 subscribers to hostile\.csv/u);
    const { data } = Papa.parse<string[]>(readFileSync(path, 'utf8'), { newline: '\r\n', skipEmptyLines: true });
    assert.equal(data.length, 140);
    for (const cell of data.flat()) assert.doesNotMatch(cell, /^[\s\p{Cf}\p{Cc}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/u);
    assert.equal(await workbench.page.locator('.notifications-toasts .notification-list-item-message a').count(), 0);
    await guard.check('export');
  });

  describe('A link of an e-mail that is a command in disguise', () => {
    it('is told of as text, without a link', async () => {
      const workbench = window();
      await workbench.quickInput.openFile('letter.html');
      await workbench.editors.waitForActive('letter.html');
      await workbench.editors.titleAction('Open Preview to the Side');
      const mail = await workbench.webviews.inner('preview');
      await mail.getByText('x', { exact: true }).click({ modifiers: ['ControlOrMeta'] });
      await workbench.notifications.waitFor(/Only links to the web/u);
      assert.equal(await workbench.page.locator('.notifications-toasts .notification-list-item-message a').count(), 0);
      await workbench.screenshot('hostile-link');
      await mail.getByText('y', { exact: true }).hover();
      const page = await workbench.webviews.frame('preview');
      await eventually(async () => assert.match(await page.locator('.links .target').innerText(), /^https:\/\/x\.example\/ ?gpj\.exe$/u));
    });
  });
});
