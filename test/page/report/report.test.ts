import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page, Request } from 'playwright-core';
import { makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';
import { createReport, type ReviewedEmail } from '../../../src/email/report/index.ts';
import { eventually } from '../../support/eventually.ts';
import { captureFailure } from '../../support/screenshots.ts';
import { readRealEmails } from '../../unit/fuzz/edits.ts';
import { closeBrowser, openBrowser } from '../browser.ts';

const picture = 'data:image/gif;base64,R0lGODlhAQABAIAAAP8AAAAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==';
const hostile = `<p>Hostile</p><script>top.hacked = 1; fetch('https://evil.example/script')</script>
  <img src="https://evil.example/a.png" onerror="top.hacked = 1"><img src="a.gif" alt="A">
  <link rel="preconnect" href="https://evil.example"><link rel="stylesheet" href="https://evil.example/a.css">
  <style>@import url(https://evil.example/b.css); p { background: url(https://evil.example/b.png) }</style>
  <meta http-equiv="refresh" content="0; url=https://evil.example/refresh"><iframe src="https://evil.example/frame"></iframe>
  <a id="link" href="https://evil.example/link">Link</a> <a id="other" href="https://evil.example/link" target="_blank">Other</a>
  <form action="https://evil.example/form"><button id="send">Send</button></form>`;

const review = (body: string, before?: string): ReviewedEmail => ({
  name: '</title><script>top.hacked = 1</script>',
  email: { body, subject: '<img src=https://evil.example/s.png onerror="top.hacked = 1">' },
  before: before === undefined ? undefined : { body: before },
  sending: { profile: 'acymailing', site: 'https://evil.example' },
  checks: {},
  pictures: new Map([['https://evil.example/a.gif', picture]]),
  omittedPictures: new Set(),
});

describe('The review report, opened from the disk', function () {
  let browser: Browser;
  let page: Page;
  /** Requests that were not blocked. */
  const requested = new Set<Request>();
  const folder = makeScratch();
  before(async () => {
    browser = await openBrowser();
  });
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    requested.clear();
    page.on('request', (request) => requested.add(request));
    // Requests that the policy blocks never leave the page.
    page.on('requestfailed', (request) => {
      if (request.failure()?.errorText === 'csp') requested.delete(request);
    });
  });
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await captureFailure(page, this.currentTest);
    await page.close();
  });
  after(async () => {
    removeScratch(folder);
    await closeBrowser();
  });

  async function open(...emails: readonly ReviewedEmail[]) {
    const path = join(folder, 'report.html');
    writeFileSync(path, createReport(emails, 'HEAD'));
    await page.goto(pathToFileURL(path).href);
    return pathToFileURL(path).href;
  }

  it('shows both versions beside each other at 1280 px, as wide as emails are', async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await open(review('<p>After</p>', '<p>Before</p>'));
    const [before, after] = await page
      .locator('iframe')
      .evaluateAll((frames) => frames.map((frame) => [frame.getBoundingClientRect().top, frame.clientWidth]));
    assert.equal(before?.[0], after?.[0]);
    assert.ok((before?.[1] ?? 0) >= 598 && (after?.[1] ?? 0) >= 598, `${before} ${after}`);
  });

  it('runs no script and sends no request, also after clicks in the emails', async () => {
    const address = await open(review(hostile, '<p>Before</p>'));
    assert.equal(await page.locator('iframe').count(), 4);
    for (const frame of page.frames().slice(1))
      for (const id of ['#link', '#other', '#send'])
        if ((await frame.locator(id).count()) > 0) await frame.locator(id).click();
    assert.equal(await page.evaluate(() => 'hacked' in globalThis), false);
    assert.equal(page.url(), address);
    assert.equal(page.context().pages().length, 1);
    await eventually(() =>
      assert.deepEqual(
        [...requested].map((request) => request.url()).filter((url) => /^(?:https?|wss?):/u.test(url)),
        [],
      ),
    );
  });

  it('shows pictures, and outlines what changed', async () => {
    await open(review('<p>New</p><p>Same</p><img src="a.gif" alt="A">', '<p>Old</p><p>Same</p>'));
    const [, before, desktop] = page.frames();
    assert.ok(before && desktop);
    const getOutline = (element: Element) => getComputedStyle(element).outlineStyle;
    assert.equal(await before.getByText('Old').evaluate(getOutline), 'solid');
    assert.equal(await desktop.getByText('New').evaluate(getOutline), 'solid');
    assert.equal(await desktop.getByText('Same').evaluate(getOutline), 'none');
    assert.equal(await desktop.locator('img').evaluate((image) => (image as HTMLImageElement).naturalWidth), 1);
  });

  it('shows real emails whole, without scrolling in their frames', async function () {
    const names = ['postmark-receipt.html', 'cerberus-responsive.html', 'mailgun-billing.html'];
    const emails = readRealEmails(this).filter(({ name }) => names.includes(name));
    await open(...emails.map(({ body }) => review(body)));
    for (const frame of page.frames().slice(1)) {
      const hidden = await frame.evaluate(() => document.documentElement.scrollHeight - window.innerHeight);
      assert.ok(hidden <= 0, `${hidden} px hidden`);
    }
    assert.ok((await page.pdf()).length > 10_000);
  });
});
