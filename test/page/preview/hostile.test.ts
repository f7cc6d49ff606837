import assert from 'node:assert/strict';
import { openCollector, type Collector } from '../../support/collector.ts';
import { eventually } from '../../support/eventually.ts';
import { Guard } from '../../support/guard.ts';
import { sampleCases } from '../../support/cases.ts';
import { COLLECTOR, heavyEmails, emailClasses } from '../../support/hostile/index.ts';
import {
  sendToCollector,
  waitForIdle,
  prepareEmail,
  triggerInteractions,
  showEmail,
} from '../../support/hostile/preview.ts';
import { browserFor, PreviewInBrowser } from '../browser.ts';

const blank = { body: '<p>x</p>' };

describe('Hostile emails in the preview’s page', function () {
  const suite = browserFor('src/features/preview/page/main.ts');
  let collector: Collector;
  let preview: PreviewInBrowser;
  let guard: Guard;

  before(async () => {
    collector = await openCollector();
  });
  after(() => collector?.close());
  beforeEach(async () => {
    collector.forget();
    preview = await PreviewInBrowser.open(suite.browser, suite.files, { reachable: collector.url });
    guard = new Guard(preview.page);
  });
  afterEach(() => preview.page.close());

  for (const { title, entries } of emailClasses) {
    it(`run no scripts, send no requests, don’t navigate and don’t block: ${title}`, async () => {
      const { page } = preview;
      for (const entry of entries) {
        await guard.assertResponds(entry.id, async () => {
          await showEmail(page, sendToCollector(entry, collector), { remote: false });
          await triggerInteractions(page);
        });
      }
      await showEmail(
        page,
        {
          body: entries
            .slice(0, 8)
            .map((entry) => `<div>${sendToCollector(entry, collector).body}</div>`)
            .join('\n'),
        },
        { remote: false },
      );
      await waitForIdle(page);
      await guard.check(title);
      assert.deepEqual([collector.requests, collector.connections, preview.fetched], [[], 0, []]);
    });
  }

  it('load images, stylesheets and fonts only if allowed, without a referrer', async () => {
    const { page } = preview;
    // The resource type of referenced SVG documents is `other`; the server gets the actual destination.
    guard.allow((_address, kind) => ['image', 'stylesheet', 'font', 'other'].includes(kind));
    for (const { title, entries } of emailClasses) {
      for (const entry of entries.filter(({ body, stylesheet }) => `${body}${stylesheet ?? ''}`.includes(COLLECTOR))) {
        await showEmail(page, sendToCollector(entry, collector), { remote: true });
        await triggerInteractions(page);
      }
      await guard.check(title);
    }
    await eventually(() => assert.ok(collector.requests.length > 20));
    for (const { method, path, headers } of collector.requests) {
      assert.equal(method, 'GET', path);
      assert.match(String(headers['sec-fetch-dest']), /^(?:image|style|font)$/u, path);
      assert.equal(headers.cookie, undefined, path);
      // For requests of inline styles, the browser always sends the origin of the page, regardless of its policy.
      assert.match(headers.referer ?? '', /^(?:http:\/\/127\.0\.0\.1:\d+\/)?$/u, path);
    }
  });

  it('leave the page responsive at any size', async () => {
    const { page } = preview;
    // The unit tests measure all of them.
    for (const mail of sampleCases(heavyEmails, 3)) {
      const { id, body, stylesheet } = mail;
      const draw = await prepareEmail(
        page,
        sendToCollector({ body: body(), ...(stylesheet ? { stylesheet: stylesheet() } : {}) }, collector),
        { remote: false },
      );
      await guard.assertResponds(`${id}: drawing`, draw);
      await guard.assertResponds(`${id}: the page after it`, () => waitForIdle(page));
      await guard.assertResponds(`${id}: the next email`, () => showEmail(page, blank, { remote: false }));
    }
    await guard.check('big emails');
    assert.deepEqual([collector.requests, preview.fetched], [[], []]);
  });
});
