import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { getPseudoTexts, installPseudoLocale } from '../../scripts/l10n.mjs';
import { useWorkbench } from '../support/computer.ts';
import { eventually } from '../support/eventually.ts';
import { Tree } from '../support/pages/tree.ts';
import type { Rewrites } from '../support/rewritingProxy.ts';
import { testConnection } from '../support/workbench.ts';

const codeTexts = getPseudoTexts('l10n/bundle.l10n.json');
const manifestTexts = getPseudoTexts('package.nls.json');
const code = (key: string) => codeTexts[key] ?? assert.fail(`No text "${key}"`);
const manifest = (key: string) => manifestTexts[key] ?? assert.fail(`No text "${key}"`);
const command = (name: string) => `${manifest('category')}: ${manifest(`command.${name}`)}`;

const userFields = /^(?:name|display_name|subject|preheader|description|from_name|reply_to_name|source|body)$/u;

/** Writes the users' texts in Cyrillic letters, so that only texts of the extension and of VS Code have Latin ones. */
function toCyrillic(value: unknown, field = 'name'): unknown {
  if (Array.isArray(value)) return value.map((each) => toCyrillic(each, field));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toCyrillic(each, key)]));
  if (typeof value !== 'string' || !userFields.test(field)) return value;
  return value.replace(/<[^>]*>|\{[^}]*\}|&\w+;|[a-z]/giu, (found) =>
    found.length > 1 ? found : String.fromCodePoint(0x430 + (found.toLowerCase().charCodeAt(0) % 32)),
  );
}
const operations =
  'getLists getTemplates getOneTemplate getCampaigns getCampaignById getFollowUps getFollowUpById getUserSubscriptionById ' +
  'getSubscribersFromLists getCampaignStatisticsDetailed';
const rewrites: Rewrites = Object.fromEntries(
  operations.split(' ').map((operation) => [operation, (answer) => toCyrillic(answer) as object]),
);

/** Returns the visible texts and accessible names of elements, without those of emails and text editors. */
function listTexts(elements: readonly Element[]) {
  const found = new Set<string>();
  const visit = (node: Node) => {
    if (node instanceof Text) found.add(node.data);
    if (node instanceof Element) {
      if (node.matches('iframe, script, style, .view-lines') || !node.checkVisibility({ checkVisibilityCSS: true }))
        return;
      for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description', 'aria-valuetext'])
        found.add(node.getAttribute(name) ?? '');
      if (node.shadowRoot) visit(node.shadowRoot);
    }
    node.childNodes.forEach(visit);
  };
  elements.forEach(visit);
  return [...found];
}

/** Returns the texts that are cut off, unless a tooltip contains them. */
function listCutTexts() {
  const found: string[] = [];
  const visit = (root: Document | ShadowRoot) => {
    for (const element of root.querySelectorAll<HTMLElement>('*')) {
      if (element.shadowRoot) visit(element.shadowRoot);
      const { clientWidth, scrollWidth, innerText = '' } = element;
      const isCut = clientWidth > 1 && scrollWidth > clientWidth + 1;
      if (!isCut || !['hidden', 'clip'].includes(getComputedStyle(element).overflowX)) continue;
      const title = element.closest<HTMLElement>('[title]')?.title ?? '';
      const text = innerText.trim() || (root instanceof ShadowRoot ? (root.host as HTMLElement).innerText : '');
      if (!title.includes(text)) found.push(`${element.localName}.${element.className}: ${text}`);
    }
  };
  visit(document);
  return found;
}

/** Text that isn't translated: addresses, files, tags, dates, the person of examples, and what VS Code adds. */
const untranslated =
  /https?:\S+|[\w.+-]+@[\w.-]+|\.(?:html|json)\b|\{[^}]*\}|[A-Z][a-z]{2} \d+, \d{4}(?:, \d+:\d+ [AP]M)?|\d [AP]M|Mailing Studio|Test service|Ann Marie O’Neil|\(Press 'Enter'.*\)|\[Ln \d+, Col \d+\]/gu;

describe('The workbench in the pseudo-locale', () => {
  const window = useWorkbench(
    {
      seed: async (client) => {
        const body =
          '<p>{subtag:name} {nope:x} <img src="x.png"> <a href="#">x</a></p><div style="display: flex">x</div>';
        await client.createOrUpdateCampaign({ name: 'Brief', subject: 'Brief', body, listIds: [8] });
      },
    },
    {
      rewrites,
      prepare: async (context, extensionsDir) => {
        for (const name of readdirSync(extensionsDir).filter((each) => each.includes('mailing-studio')))
          installPseudoLocale(join(extensionsDir, name));
        await context.addInitScript("globalThis._VSCODE_NLS_LANGUAGE = 'qps-ploc'");
      },
    },
  );

  it('shows no English text and cuts none off', async () => {
    const workbench = window();
    const { dialog, editors, page, quickInput, service, webviews } = workbench;
    const findings: string[] = [];
    const check = (where: string, texts: readonly string[]) => {
      const isEnglish = (text: string) => /[a-z]{2}/iu.test(text.replace(untranslated, ''));
      findings.push(...texts.filter(isEnglish).map((text) => `${where}: ${text}`));
    };
    const checkWindow = async (where: string, selector: string) => {
      await page.locator(selector).first().waitFor();
      check(where, await page.locator(selector).evaluateAll(listTexts));
    };
    const checkPage = async (where: string, frame: Frame, shown: string) => {
      await frame.locator(shown).first().waitFor();
      check(where, await frame.locator('body').evaluateAll(listTexts));
      findings.push(...(await frame.evaluate(listCutTexts)).map((text) => `${where}, cut off: ${text}`));
    };
    /** Checks the question once it contains a text, as another one may be closing. */
    const checkQuestion = async (where: string, text: string) => {
      const [start = ''] = code(text).split('{0}');
      await eventually(async () => assert.ok((await quickInput.question()).includes(start)));
      check(where, [await quickInput.question()]);
    };
    const tree = new Tree(page, 'Mailing Studio', manifest('view.explorer'));
    const row = (branch: string, name: string) =>
      tree.row([testConnection.name, code(branch), String(toCyrillic(name))]);

    await workbench.run(command('connection.setApiKey'));
    await checkQuestion(
      'key',
      "Enter the API key from Configuration > Security > REST API. Before AcyMailing 11, enter the license key from the License tab. It is stored in your system's secret storage.",
    );
    await quickInput.answer(service.apiKey);
    await tree.open();
    const sent = await row('Campaigns', 'Season sale');
    await row('Follow-ups', 'Welcome series');
    await checkWindow('tree', '.sidebar .monaco-list-row :is(.label-name, .label-description)');
    check('tooltip', [await sent.tooltip()]);
    check('palette', await quickInput.commands(manifest('category')));

    await sent.inlineAction(manifest('command.campaign.showStatistics'));
    const view = await webviews.frame('statistics');
    await checkPage('statistics', view, '.tile');
    await workbench.run(command('statistics.openInEditor'));
    await editors.waitForActive(/^\[/u);
    // That of the view, and that of the editor: the last one is the one of the editor.
    await eventually(async () => assert.equal((await webviews.all('statistics')).length, 2));
    const statistics = await webviews.frame('statistics');
    await checkPage('statistics in an editor', statistics, '.tile');
    for (const tab of ['Recipients', 'Links']) {
      await statistics.getByRole('tab', { name: code(tab) }).click();
      await checkPage(`statistics, ${tab}`, statistics, '.table-row');
    }
    // The preview needs its space.
    await workbench.run('View: Hide Secondary Side Bar');

    await (await row('Campaigns', 'Brief')).click();
    const campaign = await webviews.frame('campaignForm');
    await checkPage('campaign', campaign, '.audience');
    await campaign.getByRole('button', { name: code('Send…') }).click();
    const review = await webviews.frame('sendReview');
    await checkPage('review', review, 'iframe.mail');
    await review.locator('vscode-button[appearance=primary]').click();
    await checkWindow('confirmation', '.dialog-message-text, .dialog-message-detail');
    await dialog.click('Cancel');

    await (await row('Follow-ups', 'Welcome series')).click();
    await checkPage('follow-up', await webviews.frame('followUpForm'), '.timeline');
    await (await row('Lists', 'Newsletter')).click();
    await checkPage('subscribers', await webviews.frame('subscribers'), '.table-row');
    await workbench.run(command('user.showSubscriptions'));
    await checkQuestion('user', 'ID or email address of the user');
    await quickInput.answer('test.phone@example.com');
    await checkQuestion('search', 'Select the lists in which to search for {0}.');
    await eventually(async () => assert.ok((await quickInput.labels()).includes(code('All lists'))));
    check('lists', await quickInput.entries());
    await quickInput.pick(code('All lists'));
    await checkPage('subscriptions', await webviews.frame('subscriptions'), 'tbody tr');

    await (await row('Campaigns', 'Brief')).click();
    const form = await webviews.frame('campaignForm');
    await form.getByRole('button', { name: code('Open Body') }).click();
    const file = `${String(toCyrillic('Brief'))}.html`;
    await editors.waitForActive(file);
    await editors.titleAction(manifest('command.preview'));
    await workbench.run('Problems: Focus on Problems View');
    await checkWindow('problems', '.markers-panel .monaco-highlighted-label:not(a *)');
    await checkPage('preview', await webviews.frame('preview'), '.problems:not([hidden])');
    await editors.show(file);
    await editors.goTo(1, 8);
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.press('ControlOrMeta+i');
    await checkWindow('hover', '.monaco-hover .hover-contents p');
    await workbench.run(command('connection.test'));
    await checkWindow('notification', '.notification-list-item-message');
    assert.deepEqual(findings, []);
  });
});
