import assert from 'node:assert/strict';
import type { FromPage, SendReview, ToPage } from '../../../src/features/campaigns/review/protocol.ts';
import { waitUntilSettled } from '../../support/pageWaits.ts';
import { browserFor } from '../browser.ts';
import { inTheme, loadPage, PageInBrowser, type PageOptions } from '../pageInBrowser.ts';
import { sampleReview } from './sampleReview.ts';

describe('the send review', function () {
  const suite = browserFor('src/features/campaigns/review/page/main.ts');
  let open: PageInBrowser<ToPage, FromPage>;
  let requestedUrls: string[];

  const show = async (review: SendReview, options?: PageOptions) => {
    open = new PageInBrowser(await loadPage(suite.browser, suite.files, options));
    requestedUrls = [];
    await open.page.route('**/*', (route) => {
      requestedUrls.push(route.request().url());
      return route.abort();
    });
    await open.send({ type: 'review', review });
    await open.page.locator('iframe.mail').waitFor();
  };
  const readSection = (heading: string) =>
    open.page.locator('section', { has: open.page.getByRole('heading', { name: heading }) }).innerText();
  const assertSections = async (expected: Readonly<Record<string, RegExp>>) => {
    for (const [heading, text] of Object.entries(expected)) assert.match(await readSection(heading), text);
  };

  it('shows everything that will be sent', async () => {
    await show(sampleReview);
    await assertSections({
      Inbox: /Fjord & Fell[^]*The winter sale opens at nine[^]*Early birds first/u,
      Schedule: /Sends immediately\./u,
      Recipients: /Newsletter[^]*1,420 subscribers[^]*Customers[^]*1,733 recipients/u,
      Sender: /Fjord & Fell <hello@fjord\.example>\s+Reply to: <desk@fjord\.example>/u,
      Checks: /Error: There is no way to unsubscribe\.[^]*Warning: An image has no alternative text\./u,
      'Missing values':
        /\{subscriber:name\} empty for 12 of 100[^]*Counted for the first 100 subscribers of its lists/u,
      Links: /to the sale\s+https:\/\/fjord\.example\/sale[^]*A boot\s+https:\/\/fjord\.example\/x/u,
      'Plain-text part': /Dear Ann,\n\nto the sale/u,
      Tests: /The text has changed since/u,
    });
    assert.match(await open.page.locator('main > p.danger').innerText(), /a second time/u);
    assert.match(await open.page.frameLocator('iframe.mail').locator('body').innerText(), /^Dear Ann/u);
  });

  it('shows what the service does not report', async () => {
    const { text: _, lists: __, ...rest } = sampleReview;
    await show({
      ...rest,
      audience: "The service doesn't report this campaign's lists.",
      findings: [],
      emptyTags: [],
      uncheckedReason: 'It could not be checked: it crashed.',
      html: '<p>No link</p>',
    });
    await assertSections({
      Recipients: /doesn't report this campaign's lists/u,
      Checks: /could not be checked: it crashed/u,
      'Missing values': /No missing values for the first 100 subscribers/u,
      Links: /No links/u,
      'Plain-text part': /plain-text part isn't available/u,
    });
  });

  for (const [unsubscribeHeader, text] of [
    ['sent', /get a one-click unsubscribe header\./u],
    ['noTag', /get no one-click unsubscribe header\. The email has no tag "unsubscribe"\./u],
    ['noReplyTo', /get no one-click unsubscribe header\. The email has no reply-to address\./u],
    ['unknown', /no reply-to address\. Recipients get a one-click unsubscribe header only if the site sets one\./u],
  ] as const) {
    it(`shows whether recipients get a one-click unsubscribe header: ${unsubscribeHeader}`, async () => {
      await show({ ...sampleReview, unsubscribeHeader });
      await assertSections({ Sender: text });
    });
  }

  for (const theme of ['light', 'highContrast'] as const) {
    it(`makes only the button of a repeated send red (${theme})`, async () => {
      const readColors = () =>
        open.page.locator('vscode-button[appearance=primary]').evaluate((element) => {
          const control = element.shadowRoot?.querySelector('[part=control]') ?? element;
          return [getComputedStyle(element).backgroundColor, getComputedStyle(control).borderColor];
        });
      await show(sampleReview, inTheme(theme));
      const repeated = await readColors();
      const { repetition: _, ...first } = sampleReview;
      await show(first, inTheme(theme));
      assert.equal(await open.page.locator('.danger').count(), 0);
      assert.notDeepEqual(await readColors(), repeated);
    });
  }

  it('continues or cancels when a button is clicked', async () => {
    await show(sampleReview);
    await open.page.getByText('Send Again…').click();
    await open.page.getByText("Don't Send").click();
    assert.deepEqual(await open.postedTypes(), ['ready', 'continue', 'cancel']);
  });

  it('runs no scripts of the email, loads nothing, and shows names as text', async () => {
    const hostile =
      '<img src="https://evil.example/a.png" onerror="parent.posted.push({type:\'continue\'})"><script>parent.posted.push({type:"continue"})</script><a href="javascript:parent.posted.push(1)">x</a><meta http-equiv="refresh" content="0;url=https://evil.example/">';
    const markup = '<img src=x onerror="posted.push({type:\'continue\'})">\u202Eevil';
    await show({
      ...sampleReview,
      name: markup,
      service: markup,
      html: hostile,
      text: markup,
      schedule: [markup],
      audience: markup,
      testStatus: markup,
      personName: markup,
      lists: [{ name: markup, subscriberCount: markup }],
      findings: [{ severity: 'error', message: markup }],
      emptyTags: [{ tag: markup, summary: markup }],
      envelope: { subject: markup, preheader: markup, from_name: markup, from_email: markup },
    });
    await open.page.frameLocator('iframe.mail').locator('a').click();
    await waitUntilSettled(open.page);
    assert.deepEqual(
      [requestedUrls, await open.postedTypes(), await open.page.locator('body > * img, body > img').count()],
      [[], ['ready'], 0],
    );
  });

  for (const [name, options] of [
    ['light', inTheme('light')],
    ['high-contrast', inTheme('highContrast')],
    ['narrow', { ...inTheme('light'), width: 340 }],
  ] as const) {
    it(`fits its window (${name})`, async () => {
      await show(sampleReview, options);
      assert.ok(
        await open.page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
        'It has to be scrolled sideways.',
      );
    });
  }
});
