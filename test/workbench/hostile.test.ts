import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { toSingleLine } from '../../src/service/text.ts';
import { openCollector, type Collector } from '../support/collector.ts';
import { Guard } from '../support/guard.ts';
import { allTexts, heavyEmails, emailClasses } from '../support/hostile/index.ts';
import {
  sendToCollector,
  waitForIdle,
  prepareEmail,
  triggerInteractions,
  showEmail,
} from '../support/hostile/preview.ts';
import { hostileLists, hostileService } from '../support/hostile/service.ts';
import { useWorkbench } from '../support/computer.ts';
import { eventually } from '../support/eventually.ts';
import { testConnection, type Workbench } from '../support/workbench.ts';

const spaces = (text: string) => text.replace(/\s+/gu, ' ').trim();

/** What the hostile service calls a campaign. */
const campaignName = (id: number) => spaces(toSingleLine(allTexts[(id * 3) % allTexts.length]?.text ?? ''));

/** What rows, tabs and tooltips may hold beside text. */
const live =
  'a[href], img, svg image, iframe, form, script, .codicon-trash, .codicon-error, .codicon-sync, .codicon-loading';

/** A message that makes the page ask the extension for its content, which answers: a way through both. */
async function askHost(page: Frame) {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const listen = ({ data }: MessageEvent<{ type?: string }>) => {
          if (data.type !== 'show') return;
          window.removeEventListener('message', listen);
          resolve();
        };
        window.addEventListener('message', listen);
        window.dispatchEvent(
          new MessageEvent('message', { data: { type: 'change', part: 'stylesheet', changes: [], length: -1 } }),
        );
      }),
  );
}

interface View {
  readonly name: string;
  open(workbench: Workbench): Promise<void>;
  /** The webview that shows it. */
  readonly page: string;
  /** Resolves when the content is displayed. */
  readonly shown: string;
}

/** What shows a service's texts beside the tree. A new view gets a row here. */
const views: readonly View[] = [
  {
    name: 'subscribers',
    page: 'subscribers',
    shown: '.table-row',
    open: async (workbench) => {
      const name = spaces(toSingleLine(String(hostileLists[6]?.['name'])));
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
      await workbench.run('Mailing: Show Statistics of a Campaign…');
      await workbench.quickInput.waitFor('Select a campaign');
      await eventually(async () => assert.ok((await workbench.quickInput.labels()).length > 1));
      await workbench.quickInput.accept();
      const view = await workbench.webviews.frame('statistics');
      await view.locator('h1').waitFor();
      await workbench.run('Mailing: Open Statistics in Editor');
      await eventually(async () => assert.match(await workbench.editors.active(), /^Statistics: /u));
      // That of the view, and that of the editor: the last one is the one of the editor.
      await eventually(async () => assert.equal((await workbench.webviews.all('statistics')).length, 2));
    },
  },
  ...['Recipients', 'Clicks', 'Links'].map((tab) => ({
    name: `statistics-${tab.toLowerCase()}`,
    page: 'statistics',
    shown: '.table-row',
    open: async (workbench: Workbench) =>
      (await workbench.webviews.frame('statistics')).getByRole('tab', { name: tab }).click(),
  })),
];

describe('A hostile service in the workbench', () => {
  const window = useWorkbench({}, { rewrites: hostileService, service: { templates: 140 } });
  let collector: Collector;
  before(async () => {
    collector = await openCollector();
  });
  after(() => collector?.close());

  it('has emails that cannot run scripts, make requests, navigate or hang the window', async () => {
    const workbench = window();
    workbench.problems.allow(
      /Content Security Policy|Blocked script execution|sandbox|Failed to load resource|ERR_|net::|<(?:svg|path|rect|use|animate|image)|attribute|preload|viewport|Unsafe attempt|autofocus/iu,
    );
    await workbench.enterApiKey();
    await workbench.explorer.open();
    await (
      await workbench.explorer.row([testConnection.name, 'Templates', spaces(toSingleLine(allTexts[0]?.text ?? ''))])
    ).click();
    await eventually(async () => assert.ok((await workbench.editors.tabs()).length > 0));
    await workbench.editors.titleAction('Open Preview to the Side');
    const page = await workbench.webviews.frame('preview');
    await workbench.webviews.inner('preview');
    const guard = new Guard(workbench.page);
    // The page's own tests show them all: a few of each class prove that VS Code's webview isolates as their browser does.
    for (const { title, entries } of emailClasses) {
      const body = entries
        .slice(0, 4)
        .map((entry) => `<div>${sendToCollector(entry, collector).body}</div>`)
        .join('\n');
      await guard.assertResponds(title, async () => {
        await showEmail(page, { body }, { remote: false });
        await triggerInteractions(page);
      });
    }
    const big = heavyEmails.find(({ id }) => id === 'big-rows') ?? assert.fail('There is no such email.');
    const draw = await prepareEmail(page, { body: big.body() }, { remote: false });
    await guard.assertResponds('a big email', draw);
    await guard.assertResponds('the workbench', guard.waitUntilDrawn());
    await guard.assertResponds('the extension', () => askHost(page));
    await waitForIdle(page);
    await guard.check('after all');
    assert.deepEqual([collector.requests, collector.connections], [[], 0]);

    // A link that a notification would make a command of.
    await showEmail(page, { body: '<a href="[Click here](command:workbench.action.quit)">x</a>' }, { remote: false });
    await (
      await workbench.webviews.inner('preview')
    )
      .getByRole('link', { name: 'x', exact: true })
      .click({ modifiers: ['ControlOrMeta'] });
    await workbench.notifications.waitFor(/opens only web and email links/u);
    assert.equal(await workbench.page.locator('.notifications-toasts .notification-list-item-message a').count(), 0);
  });

  it('has texts displayed as plain text in the tree, tooltips, tabs, tables and forms', async () => {
    const workbench = window();
    const { explorer, page: windowPage } = workbench;
    await workbench.enterApiKey();
    await explorer.open();
    const guard = new Guard(windowPage);
    const name = campaignName(4);
    const tooltip = spaces(await (await explorer.row([testConnection.name, 'Campaigns', name])).tooltip());
    assert.ok(tooltip.startsWith('Name:') && tooltip.includes(name), tooltip);
    assert.equal(await windowPage.locator('.monaco-hover .hover-contents').locator(live).count(), 0, name);

    // Campaigns have the same names as lists.
    await (await explorer.row([testConnection.name, 'Campaigns'])).collapse();
    const rows = windowPage.locator('.part.sidebar .monaco-list-row');
    await (await explorer.row([testConnection.name, 'Lists'])).expand();
    // The integration tests check each row.
    const expected = new Set(hostileLists.slice(0, 100).map((list) => spaces(toSingleLine(String(list['name'])))));
    await eventually(async () =>
      assert.ok((await explorer.lines()).some(({ level, label }) => level === 3 && expected.has(spaces(label)))),
    );
    assert.equal(await rows.locator('.monaco-icon-label-container').locator(live).count(), 0);

    for (const { name: view, open, page, shown } of views) {
      await open(workbench);
      await (await workbench.webviews.frame(page)).locator(shown).first().waitFor();
      await guard.assertResponds(view, guard.waitUntilDrawn());
      assert.equal(
        await windowPage
          .locator('.tabs-container .tab')
          .locator('a[href], img, .codicon-trash, .codicon-error, .codicon-sync')
          .count(),
        0,
      );
      assert.equal(await windowPage.locator('.notifications-toasts .notification-list-item-message a').count(), 0);
      await guard.check(view);
    }
  });
});
