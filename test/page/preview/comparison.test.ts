import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ComparedVersion } from '../../../src/features/preview/protocol.ts';
import { composeSent } from '../../../src/email/sent/index.ts';
import { browserFor, PreviewInBrowser } from '../browser.ts';

const service = { profile: 'acymailing', site: 'https://news.example' } as const;
const filler = '<p style="height: 700px">Filler</p>';
const hostile = `<script>top.hacked = 1</script><img src="https://evil.example/a.png" onerror="top.hacked = 1">
  <a id="link" href="https://evil.example/link">Link</a>`;

const version = (label: string, body: string, more: Partial<ComparedVersion> = {}): ComparedVersion => {
  const { html, text } = composeSent({ body }, service);
  return { label, body, stylesheet: '', findings: [], sending: service, sent: { html, text }, ...more };
};

describe('A rendered comparison', function () {
  const suite = browserFor('src/features/preview/page/main.ts');
  let preview: PreviewInBrowser;
  let page: Page;
  beforeEach(async () => {
    preview = await PreviewInBrowser.open(suite.browser, suite.files);
    ({ page } = preview);
  });

  const compare = async (before: ComparedVersion, after: ComparedVersion): Promise<void> => {
    await preview.send({ type: 'compare', versions: [before, after] });
    await preview.settle();
  };
  const show = (before: string, after: string) => compare(version('HEAD', before), version('Editor', after));
  const choose = async (name: string) => {
    await page.getByRole('radio', { name }).click();
    await preview.settle();
  };
  const status = () => page.getByRole('status').first().innerText();
  /** Returns the texts of the outlined elements of each side. */
  const outlined = () =>
    page.evaluate(() =>
      Array.from(document.querySelectorAll('iframe'), ({ contentDocument }) =>
        Array.from(contentDocument?.querySelectorAll<HTMLElement>('body *') ?? [])
          .filter((each) => getComputedStyle(each).outlineStyle === 'solid')
          .map((each) => each.innerText),
      ),
    );
  /** Scrolls one side. Returns the positions of both. */
  const scroll = async (side: number, top: number) => {
    await page.evaluate(([index, y]) => document.querySelectorAll('iframe')[index]?.contentWindow?.scrollTo(0, y), [
      side,
      top,
    ] as const);
    await preview.settle();
    return page.evaluate(() => Array.from(document.querySelectorAll('iframe'), (each) => each.contentWindow?.scrollY));
  };

  it('shows both versions side by side, with size, findings and changed blocks', async () => {
    const finding = {
      rule: 'a',
      name: 'a',
      severity: 'error',
      message: 'No <b>alt</b> text.',
      part: 'body',
      start: 0,
      end: 1,
    } as const;
    const envelope = { subject: 'Old', preheader: '', from_name: 'Fjord', from_email: 'a@fjord.example' };
    await compare(
      version('HEAD', '<p>one</p><p>two</p>', { envelope, findings: [finding] }),
      version('Editor', '<p>one</p><p>three</p>', { envelope: { ...envelope, subject: 'New' } }),
    );
    const sides = page.locator('.sides section');
    const [left, right] = [await sides.nth(0).boundingBox(), await sides.nth(1).boundingBox()];
    assert.ok(left && right && left.y === right.y && left.x + left.width <= right.x);
    assert.deepEqual(await page.getByRole('heading', { level: 2 }).allInnerTexts(), ['HEAD', 'Editor']);
    assert.match(await sides.nth(0).innerText(), /KB · 1 error[^]*Old/u);
    assert.match(await sides.nth(1).innerText(), /KB\s[^]*New/u);
    await sides.nth(0).locator('summary').click();
    assert.equal(await sides.nth(0).locator('li').innerText(), 'No <b>alt</b> text.');
    assert.deepEqual(
      await page.locator('iframe').evaluateAll((all) => all.map((each) => (each as HTMLElement).title)),
      ['HEAD', 'Editor'],
    );
    assert.equal(await status(), '1 changed block');
    assert.deepEqual(await outlined(), [['two'], ['three']]);
  });

  it('outlines blocks in all lenses, and removes outlines of blocks that are equal again', async () => {
    await show('<p>one</p><p>two</p>', '<p>one</p><p>three</p>');
    await page.locator('.toolbar').getByLabel('Lens').selectOption('outlookDark');
    await preview.settle();
    assert.deepEqual(await outlined(), [['two'], ['three']]);
    await show('<p>one</p><p>two</p>', '<p>one</p><p>two</p>');
    assert.equal(await status(), 'No changes');
    assert.deepEqual(await outlined(), [[], []]);
  });

  it('switches between the authored and the sent emails and their texts, by keyboard too', async () => {
    await show('<h1 class="a">Dear {name}</h1>', '<h1 class="a">Hello {name}</h1>');
    assert.deepEqual(await page.getByRole('radio').allInnerTexts(), ['Authored', 'As sent', 'Text']);
    const hasClass = () =>
      page.evaluate(() =>
        Array.from(document.querySelectorAll('iframe'), (each) => Boolean(each.contentDocument?.querySelector('.a'))),
      );
    assert.deepEqual(await hasClass(), [false, false]);
    await choose('Authored');
    assert.deepEqual(await hasClass(), [true, true]);
    assert.deepEqual(await outlined(), [['Dear {name}'], ['Hello {name}']]);
    await page.getByRole('radio', { name: 'Authored' }).focus();
    await page.keyboard.press('End');
    await preview.settle();
    assert.deepEqual(await page.locator('.textPart pre').allInnerTexts(), ['Dear {name}', 'Hello {name}']);
    assert.equal(await page.locator('iframe').first().isVisible(), false);
  });

  it('says what is unknown about the service', async () => {
    const sending = { profile: 'documented' } as const;
    await compare(version('HEAD', '<p>one</p>', { sending }), version('Editor', '<p>one</p>', { sending }));
    assert.match(await status(), /^No changes · This service doesn't document how it composes emails/u);
  });

  it('scrolls both versions together, in either direction and in the texts', async () => {
    await show(filler.repeat(3), filler.repeat(6));
    const [left = 0, right = 0] = await scroll(0, 600);
    assert.ok(left === 600 && right > 1200, `${left} ${right}`);
    const [back = 0] = await scroll(1, 0);
    assert.equal(back, 0);
    await show('<p>Line</p>'.repeat(300), '<p>Line</p>'.repeat(600));
    await choose('Text');
    const texts = page.locator('.textPart');
    await texts.nth(0).evaluate((element) => element.scrollTo(0, 1000));
    await preview.settle();
    assert.ok((await texts.nth(1).evaluate(({ scrollTop }) => scrollTop)) > 1500);
  });

  it('keeps the scroll position when an editor changes', async () => {
    await show(filler.repeat(3), filler.repeat(3));
    await scroll(1, 500);
    await show(filler.repeat(3), `${filler.repeat(3)}<p>more</p>`);
    assert.equal((await scroll(1, 500))[1], 500);
    assert.deepEqual((await outlined())[1], ['more']);
  });

  it('runs no script of an email, loads nothing and follows no link', async () => {
    for (const view of ['Authored', 'As sent']) {
      await show(hostile, `${hostile}<p>new</p>`);
      await choose(view);
      for (const side of [0, 1]) await page.frameLocator('iframe').nth(side).locator('#link').click();
    }
    await preview.settle();
    assert.equal(await page.evaluate(() => 'hacked' in window), false);
    assert.deepEqual(preview.fetched, []);
    assert.deepEqual(
      page
        .frames()
        .slice(1)
        .map((frame) => frame.url()),
      ['about:blank', 'about:blank'],
    );
  });

  it('shows labels as text', async () => {
    await compare(version('<img src=x onerror=alert(1)>\u202Ea', '<p>one</p>'), version('Editor', '<p>one</p>'));
    assert.equal(await page.locator('h2 img').count(), 0);
    assert.match(await page.getByRole('heading', { level: 2 }).first().innerText(), /^<img[^\u202E]*$/u);
  });

  it('inserts local pictures that the host reads', async () => {
    const base = 'https://file.example/mail/';
    const body = '<img src="a.gif" alt="A">';
    const versions = [version('HEAD', body), version('Editor', body)];
    await preview.send({
      type: 'compare',
      versions,
      base,
      root: base,
    });
    await choose('Authored');
    assert.deepEqual((await preview.posted('pictures')).at(0)?.paths, ['a.gif']);
    const data = 'data:image/gif;base64,R0lGODlhAQABAIAAAP8AAAAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==';
    await preview.send({ type: 'pictures', pictures: [{ path: 'a.gif', data }] });
    await preview.settle();
    const sources = await page.evaluate(() =>
      Array.from(document.querySelectorAll('iframe'), (each) => each.contentDocument?.querySelector('img')?.src),
    );
    assert.deepEqual(sources, [data, data]);
  });
});
