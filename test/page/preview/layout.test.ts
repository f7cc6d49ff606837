import assert from 'node:assert/strict';
import type axe from 'axe-core';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { composeSent } from '../../../src/email/sent/index.ts';
import type { ToolbarState } from '../../../src/features/preview/protocol.ts';
import { browserFor, PreviewInBrowser } from '../browser.ts';

const body =
  '<html lang="en"><body><h2>News</h2><p>Dear {subscriber:name}</p>{if:City=Rome}<b>Rome</b>{/if}' +
  '<img alt="" src="https://x.example/a.png"><a href="https://x.example/">Read</a></body></html>';
const envelope = { subject: 'Your order', preheader: 'On its way', from_name: 'Fjord', from_email: 'a@fjord.example' };
const views = ['authored', 'sent', 'text', 'clients'] as const;

describe('The layout of the preview', function () {
  const suite = browserFor('src/features/preview/page/main.ts');
  let preview: PreviewInBrowser;

  /** Shows an email with a note, blocked images, a condition and problems. */
  const open = async (width: number, toolbar: Partial<ToolbarState> = {}) => {
    preview = await PreviewInBrowser.open(suite.browser, suite.files);
    await preview.page.setViewportSize({ width, height: 600 });
    await preview.send({ type: 'viewers', tags: 'acymailing', people: [], personId: 'typical', canPick: true });
    await preview.show({ body, envelope, toolbar });
    const service = { profile: 'acymailing', isAssumed: true } as const;
    const { html, text } = composeSent({ body }, { profile: 'acymailing' });
    const [from, to] = [html, text].map((all) => ({ offset: 0, length: 0, text: all }));
    await preview.send({ type: 'sent', service, html: from, text: to });
    await preview.send({ type: 'problems', errors: 2, warnings: 5 });
    await preview.settle();
  };
  const choose = async (view: (typeof views)[number]) => {
    await preview.page.locator('.radios button').nth(views.indexOf(view)).click();
    await preview.settle();
  };
  /** Returns the positions of the visible controls in the toolbar, by class. */
  const places = () =>
    preview.page
      .locator('.toolbar > *')
      .evaluateAll((all) =>
        Object.fromEntries(
          all
            .filter((each) => each.checkVisibility({ visibilityProperty: true }) && !each.matches(':popover-open'))
            .map((each) => [each.className, Math.round(each.getBoundingClientRect().left)]),
        ),
      );
  const emailTop = async () => (await preview.page.locator('iframe.mail:visible').first().boundingBox())?.y ?? NaN;

  for (const [width, most, rows] of [
    [1000, 92, 1],
    [460, 92, 1],
    [311, 120, 2],
    [220, 120, 2],
  ] as const) {
    it(`shows the email at most ${most} px from the top at ${width} px, in each view`, async () => {
      await open(width, { width: '320' });
      for (const view of ['authored', 'sent', 'clients'] as const) {
        await choose(view);
        assert.ok((await emailTop()) <= most + (view === 'clients' ? 32 : 0), `${view}: ${await emailTop()}`);
      }
      assert.ok((await preview.page.locator('.toolbar').evaluate(({ clientHeight }) => clientHeight)) <= rows * 28);
      const size = await preview.page.evaluate(() => document.documentElement.scrollWidth);
      assert.equal(size, width);
      const right = await preview.page.locator('.meter .size').evaluate((each) => each.getBoundingClientRect().right);
      assert.ok(right <= width && right > width - 12, `The size ends at ${right}.`);
    });

    it(`moves no control when the view changes at ${width} px`, async () => {
      await open(width);
      const before = await places();
      for (const view of views) {
        await choose(view);
        for (const [name, left] of Object.entries(await places())) assert.equal(left, before[name], `${view}: ${name}`);
      }
    });
  }

  for (const width of [270, 545, 700, 1000]) {
    it(`cuts off no option and no view at ${width} px`, async () => {
      await open(width);
      const { page } = preview;
      const cut = await page.locator('.toolbar').evaluate((toolbar) => {
        const ruler = document.createElement('span');
        ruler.style.position = 'absolute';
        document.body.append(ruler);
        const lists = [...toolbar.querySelectorAll('select')].filter((each) => each.checkVisibility());
        const labels = lists.flatMap((list) => {
          const label = list.selectedOptions[0]?.label ?? '';
          ruler.style.font = getComputedStyle(list).font;
          ruler.textContent = label;
          return ruler.offsetWidth > list.clientWidth ? label : [];
        });
        const views = [...toolbar.querySelectorAll<HTMLElement>('.radios button')];
        ruler.remove();
        return [...labels, ...views.flatMap((each) => (each.scrollWidth > each.clientWidth ? each.innerText : []))];
      });
      assert.deepEqual(cut, []);
      assert.equal(await page.getByRole('button', { name: 'Dark mode' }).isVisible(), true);
      assert.equal(await page.getByLabel('Preview as').isVisible(), width > 500);
    });
  }

  it('moves no control that fits, so that an open list stays open', async () => {
    await open(1000);
    const toolbar = preview.page.locator('.toolbar');
    await toolbar.evaluate((element: HTMLElement) => {
      new MutationObserver(() => (element.dataset['moved'] = '')).observe(element, { childList: true });
    });
    await preview.send({ type: 'problems', errors: 12, warnings: 345 });
    await preview.settle();
    assert.equal(await toolbar.getAttribute('data-moved'), null);
  });

  it('keeps a list open while the counts beside it grow, and then moves what no longer fits', async () => {
    await open(610);
    const { page } = preview;
    const list = page.getByRole('combobox', { name: 'Lens' });
    await list.press('Space');
    await preview.send({ type: 'problems', errors: 1234, warnings: 56_789 });
    // Sizes are observed with the next frame.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    assert.equal(await list.evaluate((each) => each.matches(':open')), true);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    await preview.settle();
    assert.ok(await page.locator('.toolbar').evaluate((each) => each.scrollWidth <= each.clientWidth));
    assert.equal(await list.isVisible(), false);
  });

  for (const name of ['Lens', 'Width', 'Preview as']) {
    it(`keeps the value of the list ${name} when Escape closes it`, async () => {
      await open(1000);
      const { page } = preview;
      const list = page.getByRole('combobox', { name });
      const before = await list.inputValue();
      const read = async () => {
        await preview.settle();
        const toolbar = (await preview.posted('toolbar')).at(-1)?.toolbar;
        const personId = (await preview.posted('selectPerson')).at(-1)?.personId;
        return [await list.inputValue(), { Lens: toolbar?.lens, Width: toolbar?.width }[name] ?? personId];
      };
      for (const openList of [() => list.press('Space'), () => list.click()]) {
        await openList();
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Escape');
        assert.deepEqual(await read(), [before, before]);
      }
      await list.press('Space');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      const [after, posted] = await read();
      assert.notEqual(after, before);
      assert.equal(posted, after);
    });
  }

  it('offers the actions of a link in the email by keyboard, and returns to it', async () => {
    await open(460);
    const { page } = preview;
    const link = (await preview.mail()).locator('a').first();
    await link.press('Enter');
    const focused = (): Promise<string | null | undefined> => page.evaluate(() => document.activeElement?.textContent);
    assert.equal(await focused(), 'Open Link');
    assert.deepEqual(await preview.posted('reveal'), []);
    await page.keyboard.press('Enter');
    assert.deepEqual(
      (await preview.posted('openLink')).map(({ href }) => href),
      ['https://x.example/'],
    );
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.links.chosen').count(), 0);
    assert.equal(await link.evaluate((each) => each.matches(':focus')), true);
  });

  it('offers the controls without space in a menu, by keyboard', async () => {
    await open(220);
    const { page } = preview;
    assert.equal(await page.getByLabel('Width').isVisible(), false);
    await page.getByRole('button', { name: 'More Options' }).press('Enter');
    assert.equal(await page.getByRole('combobox', { name: 'Lens' }).evaluate((each) => each.matches(':focus')), true);
    await page.getByLabel('Width').selectOption('375');
    await page.getByRole('button', { name: 'Dark mode' }).press('Enter');
    const toolbar = (await preview.posted('toolbar')).at(-1)?.toolbar;
    assert.deepEqual([toolbar?.width, toolbar?.scheme], ['375', 'dark']);
    await page.keyboard.press('Escape');
    assert.equal(await page.getByLabel('Width').isVisible(), false);
    await page.setViewportSize({ width: 1000, height: 600 });
    await preview.settle();
    assert.equal(await page.getByLabel('Width').isVisible(), true);
  });

  it('closes the menu before the clicks on links with Escape', async () => {
    await open(220);
    const { page } = preview;
    await preview.send({
      type: 'heat',
      heatId: 1,
      heat: { links: [{ address: 'https://x.example/', total: 3, unique: 2, share: 1 }], countedAt: '10:42' },
    });
    await preview.settle();
    await page.getByRole('button', { name: 'More Options' }).press('Enter');
    await page.keyboard.press('Escape');
    assert.equal(await page.getByLabel('Width').isVisible(), false);
    assert.equal(await page.locator('.heatPanel').isVisible(), true);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.heatPanel').isVisible(), false);
  });

  it('shows no controls without effect', async () => {
    await open(1000);
    const hidden = async (): Promise<readonly string[]> =>
      preview.page
        .locator('.toolbar .item')
        .evaluateAll((all) =>
          all.filter((each) => !each.checkVisibility({ visibilityProperty: true })).map((each) => each.className),
        );
    assert.deepEqual(await hidden(), []);
    await choose('text');
    assert.deepEqual(await hidden(), ['item lens', 'item width', 'item scheme', 'item remote']);
    await choose('clients');
    assert.deepEqual(await hidden(), ['item lens', 'item width']);
  });

  it('shows the sent version when a lens is selected in the authored one', async () => {
    await open(1000);
    await preview.page.getByLabel('Lens').selectOption('gmail');
    const toolbar = (await preview.posted('toolbar')).at(-1)?.toolbar;
    assert.deepEqual([toolbar?.view, toolbar?.lens], ['sent', 'gmail']);
    await choose('authored');
    assert.equal(await preview.page.getByLabel('Lens').inputValue(), 'none');
  });

  it("shows the email's own colors if the system forces colors", async () => {
    await open(460);
    await preview.edit('body', '<body style="background: #102030">Text</body>');
    await preview.page.emulateMedia({ forcedColors: 'active' });
    const color = await preview.inMail(({ body: email }) => getComputedStyle(email).backgroundColor);
    await preview.page.emulateMedia({ forcedColors: 'none' });
    assert.equal(color, 'rgb(16, 32, 48)');
  });

  it('shows all messages in one line', async () => {
    await open(460, { view: 'sent' });
    await preview.send({ type: 'readFailure', message: "Couldn't read the details." });
    const notice = preview.page.locator('.notice:visible');
    assert.equal(await notice.count(), 1);
    assert.equal(
      await notice.locator('.text').getAttribute('title'),
      "Couldn't read the details. · The preview shows local files as AcyMailing 11 would send them. · 1 remote image or font blocked",
    );
    assert.ok((await notice.evaluate(({ clientHeight }) => clientHeight)) <= 26);
    assert.ok((await emailTop()) <= 92);
    await notice.getByText('Retry').click();
    assert.equal((await preview.posted('retry')).length, 1);
  });

  it('has one tab stop for each mail client, whose frame has the name of the client', async () => {
    await open(1000, { view: 'clients' });
    const { page } = preview;
    const frames = page.locator('.lensGrid iframe');
    assert.deepEqual(await frames.evaluateAll((all) => all.map((frame) => frame.getAttribute('title'))), [
      'As sent',
      'Outlook.com (dark)',
      'Gmail app (dark)',
      'Gmail',
      'Outlook for Windows',
      'Images blocked',
    ]);
    await page.locator('.lensGrid select').first().focus();
    for (let cell = 1; cell < 6; cell += 1) {
      await page.keyboard.press('Tab');
      assert.equal(
        await page
          .locator('.lensGrid select')
          .nth(cell)
          .evaluate((each) => each.matches(':focus')),
        true,
      );
    }
  });

  it('scrolls all mail clients with Page Down', async () => {
    await open(1000, { view: 'clients' });
    const tall = body.replace('<p>', '<p style="margin-top: 3000px">');
    const { html, text } = composeSent({ body: tall }, { profile: 'acymailing' });
    await preview.edit('body', tall);
    const [from, to] = [html, text].map((all) => ({ offset: 0, length: 1e6, text: all }));
    await preview.send({ type: 'sent', service: { profile: 'acymailing', isAssumed: true }, html: from, text: to });
    await preview.settle();
    await preview.page.locator('.lensGrid select').first().press('PageDown');
    await preview.settle();
    const tops = await preview.page
      .locator('.lensGrid iframe')
      .evaluateAll((all) => all.map((frame) => (frame as HTMLIFrameElement).contentWindow?.scrollY ?? 0));
    assert.ok(
      tops.every((top) => top > 100),
      String(tops),
    );
    assert.equal(await preview.page.locator('.lensGrid select').first().inputValue(), 'none');
  });

  const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  for (const view of views) {
    it(`has no findings of axe in the view "${view}"`, async () => {
      await open(460, { view });
      await preview.send({
        type: 'heat',
        heatId: 1,
        heat: { links: [{ address: 'https://x.example/', total: 3, unique: 2, share: 1 }], countedAt: '10:42' },
      });
      await preview.settle();
      await preview.page.evaluate(script);
      const { violations } = await preview.page.evaluate(() =>
        (globalThis as typeof globalThis & { axe: typeof axe }).axe.run(
          // The page has no theme here. The author of the email is responsible for its content.
          { exclude: [['iframe.mail']] },
          { rules: { 'label-content-name-mismatch': { enabled: true }, 'color-contrast': { enabled: false } } },
        ),
      );
      assert.deepEqual(
        violations.flatMap(({ id, nodes }) =>
          nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
        ),
        [],
      );
    });
  }
});
