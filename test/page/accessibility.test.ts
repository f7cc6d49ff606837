import assert from 'node:assert/strict';
import type axe from 'axe-core';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { details, lists } from './campaigns/formInBrowser.ts';
import { browserFor } from './browser.ts';
import { changeTheme, inTheme, loadPage } from './pageInBrowser.ts';
import { details as followUp } from './followUps/samples.ts';
import { themes } from '../support/themes.ts';
import { sampleReview } from './campaigns/sampleReview.ts';
import { card, comparison, overview, recipient, ref, timeline } from './statistics/statisticsInBrowser.ts';
import { newsletter, rows as subscriptions } from './subscriptions/samples.ts';

interface PageCase {
  readonly name: string;
  /** Folder of the page's `main.ts`. */
  readonly folder: string;
  /** Messages from the host. */
  readonly messages: readonly object[];
  /** Selector of an element that appears after the messages. */
  readonly shows: string;
  /** Text that the user then types into a field, and the element that appears. */
  readonly typed?: { readonly field: string; readonly text: string; readonly shows: string };
}

const statistics = { type: 'show', pageSize: 100, intervalSeconds: 0, wide: true };
const rows = Array.from({ length: 30 }, (_, at) => recipient(at));
const service = 'Test service';
const problems = [
  { path: ['subject'], message: 'A campaign needs a subject.', kind: 'error' },
  { path: ['from_email'], message: 'Not allowed.', kind: 'service' },
  { path: ['sending_date'], message: 'It is over.', kind: 'warning' },
];
const toolbar = { view: 'sent', lens: 'gmail', width: '375', scheme: 'light', remote: false, isInboxOpen: false };

const pages: readonly PageCase[] = [
  {
    name: 'the preview',
    folder: 'features/preview/page',
    shows: '.inbox',
    messages: [
      {
        type: 'show',
        document: 'mailing://test/templates/1/a.html',
        title: 'a.html',
        stylesheet: '',
        toolbar,
        body: '<p><a href="https://shop.example/">Shop</a></p><img alt="" src="https://shop.example/a.png">',
        envelope: { subject: 'Your order', preheader: 'On its way', from_name: 'Fjord', from_email: 'a@fjord.example' },
        editable: { subject: 'Your order', preheader: 'On its way', from_name: 'Fjord', from_email: 'a@fjord.example' },
      },
      {
        type: 'sent',
        service: { profile: 'acymailing', isAssumed: true },
        text: { offset: 0, length: 0, text: 'Shop ( https://shop.example/ )' },
        html: {
          offset: 0,
          length: 0,
          text: '<html><body><p><a href="https://shop.example/">Shop</a></p></body></html>',
        },
      },
      { type: 'readFailure', message: 'The details can’t be read.' },
      {
        type: 'heat',
        heatId: 1,
        heat: { links: [{ address: 'https://shop.example/', total: 12, unique: 9, share: 1 }], countedAt: '10:42' },
      },
    ],
  },
  {
    name: 'a rendered comparison',
    folder: 'features/preview/page',
    shows: '.sides iframe',
    messages: [
      {
        type: 'compare',
        versions: ['HEAD', 'Editor'].map((label) => ({
          label,
          body: '<p>Hello</p>',
          stylesheet: '',
          sending: { profile: 'acymailing' },
          envelope: { subject: 'Your order', preheader: '', from_name: 'Fjord', from_email: 'a@fjord.example' },
          sent: { html: `<p><a href="https://shop.example/">${label}</a></p>`, text: label },
          findings: [{ severity: 'error', message: 'Something is wrong.' }],
        })),
      },
    ],
  },
  {
    name: 'the statistics',
    folder: 'features/statistics/page',
    shows: '.tiles, .tile, dl',
    messages: [
      { ...statistics, selection: [ref], cards: [card] },
      { type: 'figures', figures: { kind: 'loaded', value: overview, at: '10:42' }, failures: [] },
      { type: 'timeline', timeline: { kind: 'loaded', value: timeline, at: '10:42' } },
    ],
  },
  {
    name: 'the statistics of several campaigns',
    folder: 'features/statistics/page',
    shows: 'table',
    messages: [
      { ...statistics, selection: [ref, { ...ref, id: 13 }], cards: [card, { ...card, ref: { ...ref, id: 13 } }] },
      { type: 'figures', figures: { kind: 'loaded', value: comparison, at: '10:42' }, failures: [] },
    ],
  },
  {
    name: 'the campaign form',
    folder: 'features/campaigns/form/page',
    shows: 'main:not([hidden])',
    messages: [
      { type: 'status', isRecord: true, status: { state: 'scheduled', label: 'scheduled Jan 31, 2027' } },
      { type: 'details', confirmedSeq: 0, details: { ...details, subject: '' }, problems },
      { type: 'lists', lists: { kind: 'loaded', lists } },
      { type: 'audience', audience: { kind: 'counted', count: 1204, exact: true } },
      { type: 'body', html: '<p>Hello</p>' },
    ],
  },
  {
    name: 'the campaign form while it offers tags',
    folder: 'features/campaigns/form/page',
    shows: 'main:not([hidden])',
    messages: [
      { type: 'tags', setting: 'acymailing', fields: [] },
      { type: 'details', confirmedSeq: 0, details: { ...details, subject: '' }, problems: [] },
    ],
    typed: { field: '[data-field="subject"] input', text: '{', shows: '[role=option]' },
  },
  {
    name: 'the read-only campaign form',
    folder: 'features/campaigns/form/page',
    shows: 'main:not([hidden])',
    messages: [
      { type: 'details', confirmedSeq: 0, details, problems: [] },
      { type: 'readOnly', reason: 'It was sent.', canDuplicate: true },
    ],
  },
  {
    name: 'the campaign form of a broken text',
    folder: 'features/campaigns/form/page',
    shows: '[role=alert]',
    messages: [{ type: 'broken', line: 3, message: 'Comma expected.' }],
  },
  {
    name: 'the send review',
    folder: 'features/campaigns/review/page',
    shows: 'iframe.mail',
    messages: [{ type: 'review', review: sampleReview }],
  },
  {
    name: 'the follow-up form',
    folder: 'features/followUps/page',
    shows: 'main:not([hidden])',
    messages: [
      {
        type: 'options',
        isRecord: true,
        options: { triggers: [{ value: 'user_creation', label: 'On user creation' }] },
      },
      {
        type: 'details',
        confirmedSeq: 0,
        problems: [{ path: ['name'], message: 'A follow-up needs a name.', kind: 'error' }],
        details: { ...followUp, name: '', condition: { lists_status: 'is', lists: [1] } },
      },
      { type: 'lists', lists: { kind: 'loaded', lists } },
      {
        type: 'mails',
        isActive: true,
        statusText: 'active',
        mails: [
          { id: 7, name: 'Welcome 1', subject: 'Hello', sentText: 'Last sent from this computer on Nov 20, 2026.' },
          { id: 8, name: 'Email #8' },
        ],
      },
    ],
  },
  {
    name: 'the subscribers of a list',
    folder: 'features/subscriptions/subscribers/page',
    shows: '[role=gridcell]',
    messages: [
      { type: 'show', panel: { connection: 'test', listIds: [1] }, service, pageSize: 100 },
      { type: 'lists', lists: { kind: 'loaded', lists: [newsletter] } },
      { type: 'response', requestId: 1, result: { rows, isLast: true } },
      { type: 'response', requestId: 2, result: undefined },
    ],
  },
  {
    name: 'the subscriptions of a user',
    folder: 'features/subscriptions/user/page',
    shows: 'tbody tr',
    messages: [
      {
        type: 'subscriptions',
        userId: 4,
        email: 'ann@example.com',
        service,
        busy: false,
        problem: 'It failed.',
        rows: subscriptions,
      },
    ],
  },
];

const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** WCAG 2.2 at levels A and AA, and best practices. */
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Returns all findings. */
async function findings(page: Page) {
  // The author of the email is responsible for its content.
  const { violations } = await page.evaluate(
    (tags) =>
      (globalThis as typeof globalThis & { axe: typeof axe }).axe.run(
        { exclude: [['iframe.mail']] },
        {
          runOnly: tags,
          rules: { 'label-content-name-mismatch': { enabled: true } },
          resultTypes: ['violations'],
        },
      ),
    standards,
  );
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${help}\n${html}\n${failureSummary}`),
  );
}

const MAX_TAB_STOPS = 60;

/** Goes once through a page with Tab. Returns the elements that look the same with and without the focus. */
async function findInvisibleFocus(page: Page) {
  const found = new Set<string>();
  const visited = await page.evaluateHandle(() => new Set<Element>());
  for (let stop = 0; stop < MAX_TAB_STOPS; stop += 1) {
    await page.keyboard.press('Tab');
    const unmarked = await page.evaluate((known) => {
      let focused = document.activeElement;
      while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
      // The author of the email is responsible for its content.
      if (!(focused instanceof HTMLElement) || focused === document.body || focused.matches('iframe')) return '';
      // Tab can also accept a suggestion, and then stays where it is.
      if (known.size > 1 && known.values().next().value === focused) return undefined;
      known.add(focused);
      const parts: Element[] = [];
      for (let part: Element | null = focused; part && parts.length < 4;) {
        parts.push(part, ...part.querySelectorAll('.cursor'));
        const parent: ParentNode | null = part.parentNode;
        part = parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null;
      }
      const look = () =>
        parts
          .map((part) => getComputedStyle(part))
          .map(({ outline, border, boxShadow, backgroundColor }) =>
            [outline, border, boxShadow, backgroundColor].join(),
          )
          .join('\n');
      const before = look();
      focused.blur();
      const isMarked = look() !== before;
      focused.focus();
      return isMarked ? '' : focused.outerHTML.slice(0, 200);
    }, visited);
    if (unmarked === undefined) break;
    if (unmarked) found.add(unmarked);
  }
  return [...found];
}

describe('Accessibility with axe', function () {
  for (const folder of new Set(pages.map((each) => each.folder))) {
    describe(`in src/${folder}`, () => {
      const suite = browserFor(`src/${folder}/main.ts`);
      const open = async ({ messages, shows, typed }: PageCase, width: number) => {
        const page = await loadPage(suite.browser, suite.files, { ...inTheme('light'), width });
        for (const message of messages)
          await page.evaluate((data) => window.dispatchEvent(new MessageEvent('message', { data })), message);
        await page.locator(shows).first().waitFor();
        if (typed) {
          await page.locator(typed.field).pressSequentially(typed.text);
          await page.locator(typed.shows).first().waitFor();
        }
        return page;
      };
      for (const each of pages.filter((one) => one.folder === folder)) {
        const { name } = each;
        it(`has no findings for ${name}, in all themes`, async () => {
          const page = await open(each, 1000);
          await page.evaluate(script);
          for (const theme of themes) {
            await changeTheme(page, theme);
            assert.deepEqual(await findings(page), [], theme);
          }
          await page.emulateMedia({ forcedColors: 'active' });
          assert.deepEqual(await findings(page), [], 'forced colors');
          await page.emulateMedia({ forcedColors: 'none' });
        });

        it(`shows where the focus is in ${name}`, async () => {
          const page = await open(each, 1000);
          for (const theme of ['dark', 'highContrast'] as const) {
            await changeTheme(page, theme);
            assert.deepEqual(await findInvisibleFocus(page), [], theme);
          }
        });

        it(`shows ${name} without scrolling sideways at 320 pixels`, async () => {
          const page = await open(each, 320);
          assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
        });
      }
    });
  }
});
