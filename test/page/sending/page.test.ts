import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import type { FromPage, SendReview } from '../../../src/platform/sending/protocol.ts';
import { waitUntilSettled, watchWaits } from '../../support/pageWaits.ts';
import { themeClasses, themeStyle } from '../../support/themes.ts';
import { bundle, openBrowser } from '../browser.ts';
import { sampleReview } from './sampleReview.ts';

type Posted = typeof globalThis & { readonly posted: FromPage[] };

describe('the send review', function () {
  this.timeout(60_000);
  let browser: Browser;
  let files: Awaited<ReturnType<typeof bundle>>;
  const requestedUrls: string[] = [];

  before(async () => {
    browser = await openBrowser();
    files = await bundle('src/platform/sending/page/main.ts');
  });
  after(() => browser?.close());

  /** Opens the page as VS Code does, with its content security policy, and shows a review. */
  const open = async (
    review: SendReview,
    { width = 900, theme = 'light' }: { width?: number; theme?: keyof typeof themeClasses } = {},
  ): Promise<Page> => {
    const page = await browser.newPage({ viewport: { width, height: 1500 } });
    await watchWaits(page);
    const policy = `default-src 'none'; script-src 'nonce-n'; style-src 'unsafe-inline'; img-src data:; form-action 'none'`;
    const html = `<!doctype html><html lang="en" style="${themeStyle(theme)}"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><style>${files.style}</style></head>
      <body class="${themeClasses[theme]}"><script nonce="n">
        globalThis.posted = [];
        globalThis.acquireVsCodeApi = () => ({ postMessage: (message) => posted.push(message), getState: () => undefined, setState: () => undefined });
      </script><script type="module" nonce="n" src="/page.js"></script></body></html>`;
    await page.route('**/*', (route) => {
      const { pathname, href } = new URL(route.request().url());
      if (pathname === '/') return route.fulfill({ contentType: 'text/html; charset=utf-8', body: html });
      if (pathname === '/page.js')
        return route.fulfill({ contentType: 'text/javascript; charset=utf-8', body: files.script });
      requestedUrls.push(href);
      return route.abort();
    });
    await page.goto('http://127.0.0.1/');
    await page.waitForFunction(() => (globalThis as Posted).posted.some(({ type }) => type === 'ready'));
    await page.evaluate((data) => window.dispatchEvent(new MessageEvent('message', { data })), {
      type: 'review',
      review,
    });
    await page.locator('iframe.mail').waitFor();
    return page;
  };
  const readSection = (page: Page, heading: string): Promise<string> =>
    page.locator('section', { has: page.getByRole('heading', { name: heading }) }).innerText();
  const posted = (page: Page) => page.evaluate(() => (globalThis as Posted).posted.map(({ type }) => type));

  it('shows everything that will be sent', async () => {
    const page = await open(sampleReview);
    assert.match(
      await readSection(page, 'In the inbox'),
      /Fjord & Fell[^]*The winter sale opens at nine[^]*Early birds first/u,
    );
    assert.match(await readSection(page, 'When'), /It goes out now\.[^]*a second time/u);
    assert.match(
      await readSection(page, 'Recipients'),
      /Newsletter[^]*1,420 subscribers[^]*Customers[^]*1,733 recipients/u,
    );
    assert.match(
      await readSection(page, 'Sender'),
      /Fjord & Fell <hello@fjord\.example>\. Replies go to <desk@fjord\.example>/u,
    );
    assert.match(
      await readSection(page, 'Checks'),
      /Error: There is no way to unsubscribe\.[^]*Warning: An image has no alternative text\./u,
    );
    assert.match(
      await readSection(page, 'Tags without a value'),
      /\{subscriber:name\} empty for 12 of 100[^]*Counted in the first 100 subscribers of its lists/u,
    );
    assert.match(
      await readSection(page, 'Links'),
      /to the sale\s+https:\/\/fjord\.example\/sale[^]*A boot\s+https:\/\/fjord\.example\/x/u,
    );
    assert.match(await readSection(page, 'Text part'), /Dear Ann,\n\nto the sale/u);
    assert.match(await readSection(page, 'Tested'), /The text has changed since/u);
    assert.match(await page.frameLocator('iframe.mail').locator('body').innerText(), /^Dear Ann/u);
    await page.close();
  });

  it('shows what the service does not report', async () => {
    const { text: _, lists: __, ...rest } = sampleReview;
    const page = await open({
      ...rest,
      audience: "The service doesn't report this campaign's lists.",
      findings: [],
      emptyTags: [],
      uncheckedReason: 'It could not be checked: it crashed.',
      html: '<p>No link</p>',
    });
    assert.match(await readSection(page, 'Recipients'), /doesn't report this campaign's lists/u);
    assert.match(await readSection(page, 'Checks'), /could not be checked: it crashed/u);
    assert.match(await readSection(page, 'Tags without a value'), /None found in the first 100 subscribers/u);
    assert.match(await readSection(page, 'Links'), /No links/u);
    assert.match(await readSection(page, 'Text part'), /text part isn’t available/u);
    await page.close();
  });

  it('continues or cancels when a button is clicked', async () => {
    const page = await open(sampleReview);
    await page.getByText('Send…').click();
    await page.getByText('Don’t Send').click();
    assert.deepEqual(await posted(page), ['ready', 'continue', 'cancel']);
    await page.close();
  });

  it('runs no scripts of the email, loads nothing, and shows names as text', async () => {
    requestedUrls.length = 0;
    const hostile =
      '<img src="https://evil.example/a.png" onerror="parent.posted.push({type:\'continue\'})"><script>parent.posted.push({type:"continue"})</script><a href="javascript:parent.posted.push(1)">x</a><meta http-equiv="refresh" content="0;url=https://evil.example/">';
    const markup = '<img src=x onerror="posted.push({type:\'continue\'})">\u202Eevil';
    const page = await open({
      ...sampleReview,
      name: markup,
      service: markup,
      html: hostile,
      text: markup,
      schedule: [markup],
      audience: markup,
      testStatus: markup,
      personName: markup,
      sampleDescription: markup,
      lists: [{ name: markup, subscriberCount: markup }],
      findings: [{ severity: 'error', message: markup }],
      emptyTags: [{ tag: markup, summary: markup }],
      envelope: { subject: markup, preheader: markup, from_name: markup, from_email: markup },
    });
    await page.frameLocator('iframe.mail').locator('a').click();
    await waitUntilSettled(page);
    assert.deepEqual(
      [requestedUrls, await posted(page), await page.locator('body > * img, body > img').count()],
      [[], ['ready'], 0],
    );
    await page.close();
  });

  for (const [name, options] of [
    ['light', {}],
    ['high-contrast', { theme: 'highContrast' }],
    ['narrow', { width: 340 }],
  ] as const) {
    it(`fits its window (${name})`, async () => {
      const page = await open(sampleReview, options);
      assert.ok(
        await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
        'It has to be scrolled sideways.',
      );
      await page.close();
    });
  }
});
