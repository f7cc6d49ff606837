import assert from 'node:assert/strict';
import type { Box } from '../../../src/features/preview/page/heatBoxes.ts';
import type { LinkClicks, LinkHeat, ToolbarState } from '../../../src/features/preview/protocol.ts';
import { browserFor, PreviewInBrowser } from '../browser.ts';

const link = (address: string, total: number, unique = total, share = total / 100): LinkClicks => ({
  address,
  total,
  unique,
  share,
});
const heat: LinkHeat = {
  countedAt: '10:42',
  links: [
    link('https://shop.example/foot', 6),
    link('https://shop.example/top?utm_source=letter', 60, 41),
    link('https://shop.example/deleted', 4),
    link('https://shop.example/twice', 30),
  ],
};
const spacer = '<p style="height:900px">words</p>';
const body = `<!doctype html><html><head><style>body{margin:0} a{display:inline-block;height:20px} @media (max-width:400px){.wide{display:none}}</style></head><body>
<p><a id="top" href="https://SHOP.example/top/">Top</a> <a href="{unsubscribe}{/unsubscribe}">Leave</a> <a class="wide" href="https://shop.example/twice">Once</a></p>
${spacer}<p><a class="wide" href="https://shop.example/twice">Again</a></p>${spacer}<p><a id="foot" href="https://shop.example/foot">Foot</a></p></body></html>`;

describe('The preview’s heat map', function () {
  const suite = browserFor('src/features/preview/page/main.ts');
  let preview: PreviewInBrowser;
  beforeEach(async () => {
    preview = await PreviewInBrowser.open(suite.browser, suite.files);
  });

  let heatId = 0;
  const show = async (shown: LinkHeat) => {
    await preview.send({ type: 'heat', heatId: (heatId += 1), heat: shown });
    await preview.settle();
  };
  const open = async (toolbar: Partial<ToolbarState> = {}, html = body) => {
    await preview.show({
      body: html,
      toolbar,
    });
    await show(heat);
  };
  /** Returns boxes on the screen, rounded. */
  const boxes = (selector: string): Promise<Box[]> =>
    preview.page.locator(selector).evaluateAll((all) =>
      all.map((each) => {
        const { left, top, width, height } = each.getBoundingClientRect();
        return { left: Math.round(left), top: Math.round(top), width: Math.round(width), height: Math.round(height) };
      }),
    );
  /** Returns a link's box on the screen, at any zoom. */
  const linkBox = async (selector: string): Promise<Box> =>
    preview.page.evaluate((wanted) => {
      const frame = document.querySelector<HTMLIFrameElement>('iframe.mail');
      const scale = (frame?.getBoundingClientRect().width ?? 0) / (frame?.offsetWidth ?? 1);
      const outer = frame?.getBoundingClientRect();
      const {
        left = NaN,
        top = NaN,
        width = NaN,
        height = NaN,
      } = frame?.contentDocument?.querySelector(wanted)?.getBoundingClientRect() ?? {};
      return {
        left: Math.round((outer?.left ?? 0) + left * scale),
        top: Math.round((outer?.top ?? 0) + top * scale),
        width: Math.round(width * scale),
        height: Math.round(height * scale),
      };
    }, selector);
  const near = (one: Box | undefined, other: Box) => {
    assert.ok(one, 'It has a box.');
    for (const side of ['left', 'top', 'width', 'height'] as const)
      assert.ok(Math.abs(one[side] - other[side]) <= 1, `${side}: ${one[side]} is not ${other[side]}`);
  };
  const badges = () => preview.page.locator('.heat .drift .badge').allTextContents();
  const rows = () => preview.page.locator('.heatPanel').getByRole('option').allTextContents();
  const scrolled = () => preview.inMail((document) => document.defaultView?.scrollY ?? NaN);

  it('marks clicked links without changing the email', async () => {
    await preview.show({ body });
    const before = await preview.inMail((document) => document.documentElement.outerHTML);
    await show(heat);
    assert.deepEqual((await badges()).toSorted(), ['30 · 30%', '30 · 30%', '6 · 6%', '60 · 60%']);
    near((await boxes('.heat .level3'))[0], await linkBox('#top'));
    assert.equal(await preview.inMail((document) => document.documentElement.outerHTML), before);
    assert.equal(await preview.page.locator('.heat').getAttribute('aria-hidden'), 'true');
    assert.equal(
      await preview.page.locator('.heat').evaluate((layer) => getComputedStyle(layer).pointerEvents),
      'none',
    );
  });

  it('follows scrolling, scaling, resizing, edits and layout changes of the email', async () => {
    await open();
    const assertFooterSpot = async () => near((await boxes('.heat .spot.level0'))[0], await linkBox('#foot'));
    await preview.inMail((document) => document.defaultView?.scrollTo(0, 1500));
    await preview.settle();
    await assertFooterSpot();
    await preview.page.getByLabel('Width').selectOption('375');
    await preview.settle();
    await assertFooterSpot();
    const badge = (await boxes('.heat .drift .badge'))[0];
    await preview.page.setViewportSize({ width: 316, height: 700 });
    await open({ width: '600' });
    await assertFooterSpot();
    const small = (await boxes('.heat .drift .badge'))[0];
    assert.ok(badge && small && Math.abs(badge.height - small.height) <= 1, 'Numbers are as large at any scale.');
    await preview.type('body', body.indexOf('<p><a id="top"'), '<p style="height:77px">more</p>');
    await preview.settle();
    await assertFooterSpot();
    await preview.inMail((document) => document.querySelector('p')?.style.setProperty('height', '200px'));
    await preview.settle();
    await assertFooterSpot();
  });

  it('matches links again after an edit', async () => {
    await open();
    await preview.edit('body', body.replace('/foot', '/deleted'));
    await preview.settle();
    assert.ok((await badges()).includes('4 · 4%'));
    assert.deepEqual((await rows()).slice(2), [
      'https://shop.example/foot, 6 clicks, 6 people, 6%, not in the email',
      'https://shop.example/deleted, 4 clicks, 4 people, 4%, ',
    ]);
  });

  it('lists all links, including missing, repeated and hidden ones', async () => {
    await open();
    assert.equal(await preview.page.locator('.heatPanel summary').textContent(), 'Clicks by link100 clicks · 4 links');
    assert.deepEqual(await rows(), [
      'https://shop.example/top?utm_source=letter, 60 clicks, 41 people, 60%, ',
      'https://shop.example/twice, 30 clicks, 30 people, 30%, 2 links',
      'https://shop.example/foot, 6 clicks, 6 people, 6%, ',
      'https://shop.example/deleted, 4 clicks, 4 people, 4%, not in the email',
    ]);
    await preview.page.getByLabel('Width').selectOption('375');
    await preview.settle();
    assert.match((await rows())[1] ?? '', /, hidden$/);
    assert.deepEqual((await badges()).toSorted(), ['6 · 6%', '60 · 60%']);
  });

  it('scrolls to each link and each of its occurrences by keyboard', async () => {
    await open();
    await preview.page.locator('.heatPanel summary').focus();
    await preview.page.keyboard.press('Tab');
    assert.equal(await preview.page.locator('.spot.chosen').count(), 1);
    assert.equal(await scrolled(), 0);
    await preview.page.keyboard.press('ArrowDown');
    assert.equal(await preview.page.locator('.spot.chosen').count(), 2);
    await preview.page.keyboard.press('Enter');
    const again = await scrolled();
    assert.ok(again > 400);
    await preview.page.keyboard.press('End');
    await preview.page.keyboard.press('ArrowUp');
    assert.ok((await scrolled()) > again);
    assert.equal(await preview.page.locator('.row[aria-selected="true"]').count(), 1);
    await preview.page.keyboard.press('Home');
    assert.equal((await scrolled()) < 400, true);
    await preview.page.locator('.heatPanel').getByRole('option').nth(2).click();
    assert.ok((await scrolled()) > again);
  });

  it('highlights the selected link, and scrolls to it once', async () => {
    await preview.show({ body });
    await show({ ...heat, selectedAddress: 'https://shop.example/foot' });
    assert.ok((await scrolled()) > 400);
    assert.equal(await preview.page.locator('.spot.chosen').count(), 1);
    assert.equal(
      await preview.page.locator('.row[aria-selected="true"]').textContent(),
      'https://shop.example/foot, 6 clicks, 6 people, 6%, ',
    );
    await preview.inMail((document) => document.defaultView?.scrollTo(0, 0));
    // Like after the page was hidden, the host posts everything again.
    await preview.send({ type: 'heat', heat: { ...heat, selectedAddress: 'https://shop.example/foot' }, heatId });
    await preview.settle();
    assert.equal(await scrolled(), 0);
    assert.equal(await preview.page.locator('.spot.chosen').count(), 1);
  });

  for (const [trigger, close] of [
    ['Escape', () => preview.page.keyboard.press('Escape')],
    [
      'Escape in the email',
      async () => {
        await (await preview.mail()).locator('p').first().click();
        await preview.page.keyboard.press('Escape');
      },
    ],
    ['the button', () => preview.page.getByRole('button', { name: 'Hide Clicks' }).click()],
  ] as const) {
    it(`closes with ${trigger} and notifies the extension`, async () => {
      await open();
      assert.equal(await preview.page.locator('.chip').innerText(), 'Clicks as of 10:42');
      await close();
      await preview.settle();
      assert.equal(await preview.page.locator('.chip:visible, .heat:visible, .heatPanel:visible').count(), 0);
      assert.equal(await preview.page.locator('.heat .spot, .heat .drift .badge').count(), 0);
      assert.deepEqual(await preview.posted('heatClosed'), [{ type: 'heatClosed' }]);
      await preview.page.keyboard.press('Escape');
      assert.equal((await preview.posted('heatClosed')).length, 1);
    });
  }

  it('covers linked pictures, image map areas, and each line of a link', async () => {
    const html = `<style>body{margin:0;font:16px/20px monospace}</style><a href="https://shop.example/top"><img alt="" width="200" height="100"></a>
      <div style="width:300px"><a href="https://shop.example/twice">${'word '.repeat(50)}</a></div>
      <img alt="" width="100" height="80" usemap="#m"><map name="m"><area shape="circle" coords="40,40,20" href="https://shop.example/foot"></map>`;
    await open({}, html);
    const frame = (await boxes('iframe.mail'))[0];
    assert.ok(frame);
    const [picture] = await boxes('.heat .spot.level3');
    assert.ok(picture && picture.width === 200 && picture.height >= 100 && picture.height < 112);
    assert.ok((await boxes('.heat .spot.level2')).length > 3);
    const [map] = await boxes('.heat .spot.level0');
    const image = await linkBox('img[usemap]');
    assert.deepEqual(map, { left: image.left + 20, top: image.top + 20, width: 40, height: 40 });
  });

  it('sums up the clicks of several versions of an email', async () => {
    await preview.show({ body });
    await show({
      countedAt: '10:42',
      links: [
        link('https://shop.example/top', 3, 2, 0.3),
        link('https://shop.example/foot', 5, 5, 0.5),
        link('https://shop.example/top', 4, 4, 0.2),
      ],
    });
    assert.deepEqual(await rows(), [
      'https://shop.example/top, 7 clicks, 6 people, 50%, ',
      'https://shop.example/foot, 5 clicks, 5 people, 50%, ',
    ]);
    assert.deepEqual((await badges()).toSorted(), ['5 · 50%', '7 · 50%']);
  });

  it('shows hostile addresses as one line of text, and tolerates invalid numbers', async () => {
    const hostile = '<img src=x onerror=alert(1)>\u202Egnp.exe\u0000\n$(x)';
    await preview.show({ body });
    await show({
      countedAt: '10:42',
      links: [
        link(hostile, 3, 2, Number.NaN),
        link('x'.repeat(100_000), -1, 0, 7),
        link('', 0, 0, 0),
        link('https://shop.example/top', 1, 1, 0.001),
      ],
    });
    assert.equal(await preview.page.locator('.heatPanel img').count(), 0);
    assert.equal(
      await preview.page.locator('.heatPanel .address').first().textContent(),
      '<img src=x onerror=alert(1)> gnp.exe $(x)',
    );
    assert.deepEqual(await badges(), ['1 · <1%']);
    assert.equal(await preview.page.locator('.heatPanel .address').nth(3).textContent(), '(empty link)');
    assert.ok(((await preview.page.locator('.heatPanel .address').nth(2).textContent()) ?? '').length < 600);
    await show({ countedAt: '10:43', links: [] });
    assert.match(
      await preview.page.locator('.heatPanel').innerText(),
      /^Clicks by link\s*0 clicks · 0 links\s+The service counted no clicks on links\.\s+Clicks as of 10:43$/,
    );
  });
});
