import assert from 'node:assert/strict';
import { eventually } from '../../support/eventually.ts';
import { browserFor } from '../browser.ts';
import { card, comparison, overview, recipient, ref, StatisticsInBrowser, timeline } from './statisticsInBrowser.ts';

describe('StatisticsPage', function () {
  const suite = browserFor('src/features/statistics/page/main.ts');
  let open: StatisticsInBrowser;
  beforeEach(async () => {
    open = await StatisticsInBrowser.open(suite.browser, suite.files);
  });

  const text = (selector: string) => open.page.locator(selector).innerText();
  const status = () => text('.table-status');
  const waitForStatus = (words: RegExp) => eventually(async () => assert.match(await status(), words));

  describe('states', () => {
    it('offers actions without a selection', async () => {
      await open.begin({ selection: [], cards: [] });
      await open.page.getByText('Choose a Campaign…').click();
      await open.page.getByText('Compare Campaigns…').click();
      assert.deepEqual([await open.count('choose'), await open.count('compare')], [1, 1]);
      assert.deepEqual(
        [await open.page.getByRole('tab').first().isVisible(), await open.page.locator('header').isVisible()],
        [false, false],
      );
    });

    it('says whether it has space for a comparison', async () => {
      await open.page.setViewportSize({ width: 479, height: 600 });
      await eventually(async () =>
        assert.deepEqual(
          (await open.posted('width')).map(({ isNarrow }) => isNarrow),
          [false, true],
        ),
      );
    });

    it('has buttons in an editor, because the title of a view has its actions', async () => {
      const compare = open.page.getByText('Compare…', { exact: true });
      await open.begin({ wide: true });
      await compare.waitFor();
      await open.begin();
      await compare.waitFor({ state: 'hidden' });
    });

    it('shows the actions without a selection in a low side bar', async () => {
      await open.begin({ selection: [], cards: [] });
      for (const height of [300, 170, 110]) {
        await open.page.setViewportSize({ width: 300, height });
        for (const label of ['Choose a Campaign…', 'Compare Campaigns…']) {
          const box = await open.page.getByText(label).boundingBox();
          assert.ok(
            box && box.y >= 0 && box.y + box.height <= height,
            `${label} at ${JSON.stringify(box)} of ${height}`,
          );
        }
      }
    });

    it('shows the progress of the first read, which can be canceled', async () => {
      await open.begin();
      await open.page.getByText('Loading statistics…').waitFor();
      await open.page.getByRole('tabpanel').getByText('Cancel', { exact: true }).click();
      assert.equal(await open.count('cancel'), 1);
    });

    it('reports unsent and unopened campaigns', async () => {
      await open.begin();
      await open.showFigures({ isUnsent: true, figures: [], funnel: [] });
      await open.page.getByText('Not sent yet').waitFor();
      await open.showFigures({ isUnopened: true });
      await open.page.getByText('no opens yet').waitFor();
      assert.equal(await open.page.locator('.tile[data-key=sent] .number').innerText(), '4,000');
    });

    it('shows the cause of a failure and a retry button, and marks the last figures as old', async () => {
      await open.begin();
      await open.sendFigures({ kind: 'failed', message: 'It is <b>broken</b>.' });
      await open.page.getByText('It is <b>broken</b>.').waitFor();
      await open.page.getByText('Retry').click();
      await open.sendFigures({ kind: 'failed', message: 'It is broken.', value: overview, at: '10:42' });
      await open.page.getByText("Couldn't refresh the statistics from 10:42: It is broken.").waitFor();
      assert.equal(await open.page.locator('.tile[data-key=open_unique] .number').innerText(), '1,204');
      await open.page.getByText('Retry').click();
      assert.equal(await open.count('refresh'), 2);
      await open.showFigures();
      assert.equal(await open.page.getByText("Couldn't refresh").count(), 0);
    });

    it('shows the last figures during a refresh, which can be canceled', async () => {
      await open.begin();
      await open.showFigures();
      assert.match(await text('.fresh'), /as of 10:42/u);
      await open.sendFigures({ kind: 'loading', value: overview, at: '10:42' });
      assert.match(await text('.fresh'), /as of 10:42 · refreshing…/u);
      await open.page.getByRole('button', { name: 'Cancel' }).click();
      assert.equal(await open.count('cancel'), 1);
    });

    it('reports a deleted campaign', async () => {
      await open.begin();
      await open.showFigures();
      await open.send({ type: 'cards', cards: [{ ...card, isMissing: true, state: 'deleted' }] });
      await open.page.getByText('The service no longer has this campaign.').waitFor();
      await open.page.getByRole('tab', { name: 'Clicks' }).click();
      await open.page.getByText('The service no longer has this campaign.').waitFor();
    });
  });

  describe('overview', () => {
    beforeEach(async () => {
      await open.begin();
      await open.showFigures();
    });

    it('shows all figures and announces changes', async () => {
      const { page } = open;
      assert.match(
        await text('.tile[data-key=open_unique]'),
        /Unique opens\s*1,204\s*(?:,\s*)?\+12\s*30\.1% of 4,000 sent/u,
      );
      assert.equal(await page.locator('body > [role=status]').innerText(), 'Unique opens 1,204, +12');
      assert.equal(await page.getByText('<b>Mailbox</b> full').count(), 1, 'What the service says is text.');
      assert.match(await text('.overview'), /Spam reports/u);
      assert.deepEqual(
        await page.getByRole('region', { name: 'Versions of the email' }).locator('thead th').allInnerTexts(),
        ['A', 'B', 'Sum'],
      );
    });

    it('shows the funnel as an accessible chart and as a table', async () => {
      const { page } = open;
      const funnel = page.getByRole('img', {
        name: /^Funnel\. Sent: 4,000, 100%; Opened: 1,204, 30\.1%; Clicked: 366, 9\.2%\./u,
      });
      assert.equal(await funnel.locator('.bar').count(), 3);
      assert.equal(await funnel.locator('foreignObject').count(), 0);
      await funnel.focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      assert.equal(
        await page.locator('[data-chart=funnel] .stage [role=status]').innerText(),
        'Opened, 1,204, 30.1% of 4,000',
      );
      await page.getByRole('button', { name: 'Show "Funnel" as table' }).click();
      assert.deepEqual(await page.locator('[data-chart=funnel] tbody tr').nth(1).locator('th, td').allInnerTexts(), [
        'Opened',
        '1,204',
        '30.1%',
      ]);
      assert.equal(await funnel.isVisible(), false);
      await eventually(async () =>
        assert.deepEqual(((await open.readStoredState()) as { asTables: string[] }).asTables, ['funnel']),
      );
    });

    it('shows the timeline at every width', async () => {
      const { page } = open;
      const plot = page.locator('[data-chart=opens-and-clicks] .plot');
      const measureChart = () =>
        plot.evaluate((element) => {
          const [outer, svg] = [element.getBoundingClientRect(), element.querySelector('svg')];
          const labels = [...(svg?.querySelectorAll('text') ?? [])].map((label) => label.getBoundingClientRect());
          return {
            charts: element.querySelectorAll('svg').length,
            width: svg?.getBoundingClientRect().width,
            outer: outer.width,
            inside: labels.every(({ left, right }) => left >= outer.left - 1 && right <= outer.right + 1),
          };
        });
      for (const width of [280, 600, 1400]) {
        await page.setViewportSize({ width, height: 900 });
        await eventually(async () => {
          const { charts, width: own, outer, inside } = await measureChart();
          assert.deepEqual([charts, inside], [1, true]);
          assert.ok(Math.abs((own ?? 0) - outer) <= 1, `${own} of ${outer}`);
        });
      }
      await plot.hover({ position: { x: 200, y: 60 } });
      assert.match(await text('[data-chart=opens-and-clicks] .tip'), /20 Nov, \d+:00\s*Opens: \d\s*Clicks: \d/u);
      await page.getByText("2 opens and clicks have no date and aren't shown.").waitFor();
    });

    it('reads all recipients for the timeline only on request', async () => {
      const points = timeline.points.map((point) => ({ ...point, opens: 0 }));
      const value = { ...timeline, readCount: 0, totalCount: 50_000, isComplete: false, points };
      await open.sendTimeline({ kind: 'loaded', value, at: '10:42' });
      assert.match(
        (await open.page.locator('[data-chart=opens-and-clicks] .plot').getAttribute('aria-label')) ?? '',
        /time\. By hour[^.]*\. Clicks: 3/u,
      );
      await open.page.getByText('Load All 50,000 Recipients').click();
      assert.equal(await open.count('readTimeline'), 1);
      await open.sendTimeline({ kind: 'loading', value: timeline, at: '10:42' });
      await open.page.getByRole('tabpanel').getByText('Cancel', { exact: true }).click();
      assert.equal(await open.count('cancel'), 1);
    });
  });

  it('keeps focus and presses in the timeline while recipients arrive', async () => {
    await open.begin();
    await open.showFigures();
    const { page } = open;
    const plot = page.locator('[data-chart=opens-and-clicks] .plot');
    await plot.focus();
    const sendProgress = (readCount: number) =>
      open.sendTimeline({ kind: 'loading', value: { ...timeline, readCount, isComplete: false }, at: '10:43' });
    await sendProgress(500);
    assert.equal(await plot.evaluate((element) => element === document.activeElement), true);
    const cancel = page.getByRole('tabpanel').getByText('Cancel', { exact: true });
    await cancel.hover();
    await page.mouse.down();
    await sendProgress(1000);
    await page.mouse.up();
    assert.equal(await open.count('cancel'), 1);
    await page.keyboard.press('Enter');
    await sendProgress(1500);
    await page.keyboard.press('Enter');
    assert.equal(await open.count('cancel'), 3);
  });

  it('keeps the focus in a comparison that is refreshed', async () => {
    const selection = [ref, { connection: 'test', id: 13 }];
    await open.begin({ selection, cards: [card, { ...card, name: 'Two' }] });
    await open.sendFigures({ kind: 'loaded', value: comparison, at: '10:43' });
    for (const focused of [
      open.page.getByRole('button', { name: 'A & <b>two' }),
      open.page.getByRole('region', { name: 'Campaigns side by side' }),
    ]) {
      await focused.focus();
      await open.sendFigures({ kind: 'loaded', value: comparison, at: '10:44' });
      assert.equal(await focused.evaluate((element) => element === document.activeElement), true);
    }
  });

  it('shows the mails of a follow-up side by side, without tabs', async () => {
    await open.begin({ selection: [{ ...ref, collection: 'follow-ups' }] });
    await open.sendFigures({ kind: 'loaded', value: { ...comparison, isOfMails: true }, at: '10:43' });
    const table = open.page.getByRole('region', { name: 'Side by side' });
    assert.deepEqual(await table.locator('thead th').allInnerTexts(), comparison.columns);
    assert.equal(await table.getByRole('button').count(), 0);
    assert.equal(await open.page.getByRole('tab').count(), 0);
  });

  it('compares campaigns and opens each of them', async () => {
    const selection = [ref, { connection: 'test', id: 13 }];
    await open.begin({ selection, cards: [card, { ...card, name: 'Two' }] });
    await open.sendFigures({ kind: 'loaded', value: comparison, at: '10:43' }, ['Three can’t be read.']);
    const { page } = open;
    assert.equal(await text('h1'), '2 campaigns compared');
    await page.getByText('Three can’t be read.').waitFor();
    await page
      .getByRole('img', { name: /Opened: One 30%, A & <b>two 50%\. Clicked: One 10%, A & <b>two no data/u })
      .waitFor();
    const fills = await page
      .locator('.chart .bar[fill]')
      .evaluateAll((bars) => bars.map((bar) => bar.getAttribute('fill')));
    assert.ok(new Set(fills).size > 1, 'Campaigns have distinct fills.');
    await page.getByRole('button', { name: 'A & <b>two' }).click();
    assert.deepEqual(
      (await open.posted('showCampaign')).map((message) => message.index),
      [1],
    );
  });

  it('shows two campaigns in the narrowest side bar without scroll bars', async () => {
    const labels = ['Sent', 'Unique opens', 'Opens', 'Unique clicks', 'Clicks', 'Unsubscribed', 'Bounces', 'Failed'];
    const cell = { value: '3,200', rate: '30.1% of sent' };
    const date = { value: 'Nov 15, 2026, 8:30 AM' };
    const value = {
      ...comparison,
      columns: ['Winter sale', 'Spring newsletter 2027'],
      rows: [
        ...labels.map((label) => ({ label, cells: [cell, cell] })),
        { label: 'Sending began', cells: [date, date] },
      ],
    };
    const { page } = open;
    await page.setViewportSize({ width: 290, height: 500 });
    await open.begin({ selection: [ref, { connection: 'test', id: 13 }] });
    await open.sendFigures({ kind: 'loaded', value, at: '10:43' });
    const table = page.getByRole('region', { name: 'Campaigns side by side' });
    const overflow = table.evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => [
      scrollWidth - clientWidth,
      scrollHeight - clientHeight,
    ]);
    assert.deepEqual(await overflow, [0, 0]);
    // More campaigns than fit don't make the columns too narrow for words.
    const columns = [...value.columns, 'Workshop invitation', 'Product update'];
    const rows = value.rows.map((row) => ({ ...row, cells: [...row.cells, ...row.cells] }));
    await open.sendFigures({ kind: 'loaded', value: { ...value, columns, rows }, at: '10:44' });
    const headings = await table.getByRole('columnheader').all();
    const widths = await Promise.all(headings.map((heading) => heading.evaluate(({ clientWidth }) => clientWidth)));
    assert.equal(widths.length, 4);
    assert.ok(Math.min(...widths) >= 70, String(widths));
  });

  describe('tables', () => {
    const choose = async (label: string) => {
      await open.page.locator('.table-filter select').selectOption(label);
    };
    beforeEach(async () => {
      await open.begin();
      await open.page.getByRole('tab', { name: 'Recipients' }).click();
      await open.answer(1000);
    });

    it('load the remaining rows for a filter', async () => {
      assert.equal(await status(), '100 of 1,000 rows loaded');
      await choose('Opened');
      assert.match(await status(), /^34 matches in loaded rows · 100 of 1,000 rows loaded\s*Loading all rows\s*Stop/u);
      await open.answerAll(1000);
      await waitForStatus(/^334 matches · 1,000 rows\s*Show All/u);
      await choose('Clicked');
      assert.match(await status(), /^112 matches · 1,000 rows/u);
      await open.page.getByText('Show All').click();
      assert.equal(await status(), '1,000 rows');
    });

    it('can stop and continue loading', async () => {
      await choose('Not opened');
      await open.answer(1000);
      await open.page.getByText('Stop', { exact: true }).click();
      assert.deepEqual(await open.requests(), []);
      await waitForStatus(/matches in loaded rows · [1-9]00 of 1,000 rows loaded\s*Load All\s*Show All/u);
      await open.page.getByText('Load All').click();
      await open.answerAll(1000);
      await waitForStatus(/^666 matches · 1,000 rows/u);
    });

    it('announce the start and each quarter of loading', async () => {
      await open.page.evaluate(() => {
        const heard: string[] = [];
        Object.assign(globalThis, { heard });
        const line = document.querySelector('.table-status .heard');
        if (line) new MutationObserver(() => heard.push(line.textContent)).observe(line, { childList: true });
      });
      await choose('Opened');
      await open.answerAll(1000);
      await waitForStatus(/^334 matches · 1,000 rows/u);
      const heard = await open.page.evaluate(() => Reflect.get(globalThis, 'heard') as string[]);
      assert.deepEqual([heard[0], heard.at(-1)], ['Loading all rows', '']);
      // On a busy machine, several pages are shown at once.
      assert.ok(heard.length <= 5, heard.join());
      for (const quarter of heard.slice(1, -1)) assert.match(quarter, /^(25|50|75)% of the rows loaded$/u);
    });

    it('keep their rows until newer ones arrive', async () => {
      await choose('Opened');
      await open.answerAll(1000);
      await waitForStatus(/^334 matches · /u);
      await open.send({ type: 'reload' });
      await open.answer(1003);
      assert.match(await status(), /^334 matches · /u);
      await open.answerAll(1003);
      await waitForStatus(/^335 matches · 1,003 rows/u);
    });

    it('keep unchanged rows selected when others arrive', async () => {
      await open.page.getByText('user2@example.com').click();
      await open.page.getByText('user4@example.com').click({ modifiers: ['Shift'] });
      await waitForStatus(/ · 3 selected/u);
      await open.send({ type: 'reload', tab: 'recipients' });
      await open.answer(1000, (at) => ({ ...recipient(at < 4 ? at : at + 1), late: 7 }));
      await waitForStatus(/ · 2 selected/u);
      assert.equal(await open.page.locator('.table-row[aria-selected=true]').count(), 2);
    });

    it('keep old rows if newer ones can’t be read', async () => {
      await open.send({ type: 'reload' });
      await open.fail('It is broken.');
      await open.page.getByText("Couldn't reload the rows, so the table may be out of date: It is broken.").waitFor();
      assert.equal(
        await open.page.locator('.table-row').first().locator('.cell').first().innerText(),
        'user0@example.com',
      );
      await open.page.getByText('Retry').click();
      await open.answer(1000);
      await eventually(async () => assert.equal(await open.page.locator('.table-notice').isVisible(), false));
    });

    it('sort and search all filtered rows', async () => {
      await choose('Opened');
      await open.answerAll(1000);
      await waitForStatus(/^334 matches · 1,000 rows/u);
      const { page } = open;
      const opens = page.getByRole('columnheader', { name: 'Opens' });
      await opens.click();
      await opens.click();
      await waitForStatus(/^334 matches · sorted · 1,000 rows/u);
      assert.equal(
        await page.locator('.table-row').first().locator('.cell').nth(1).innerText(),
        '9',
        'Most opens first.',
      );
      await page.getByRole('textbox').fill('user99');
      await waitForStatus(/^5 matches · sorted · 1,000 rows/u);
      assert.equal(await page.locator('.table-row').count(), 5);
      await page.getByText('Export…').click();
      assert.deepEqual(await open.posted('export'), [{ type: 'export', tab: 'recipients', expected: 1000 }]);
    });

    it('offer a retry if the first rows can’t be read', async () => {
      const { page } = open;
      await page.getByRole('tab', { name: 'Links' }).click();
      const requestCount = await open.count('rows');
      await open.fail('They are broken.');
      await page.getByText("Couldn't load the rows: They are broken.").waitFor();
      await page.locator('.table-blank').getByText('Retry').click();
      assert.equal(await open.count('rows'), requestCount + 1);
      await open.answer(2, (at) => ({
        id: String(at),
        name: `https://example.com/${at}`,
        total_click: '1',
        unique_click: '1',
      }));
      await page.getByText('https://example.com/0').waitFor();
      await page.getByRole('tab', { name: 'Clicks' }).click();
      await open.answer(3, (at) => ({ email: `user${at}@example.com`, url: 'https://example.com/0', click: '1' }));
      assert.match(await status(), /^3 rows/u);
    });

    it('restore their state', async () => {
      await choose('Bounced');
      const storedState = await eventually(async () => {
        const state = (await open.readStoredState()) as {
          tab: string;
          tables: { recipients: { filter?: string } };
          panel: { choice: object };
        };
        assert.deepEqual(
          [state.tab, state.tables.recipients.filter, state.panel.choice],
          ['recipients', 'bounced', [ref]],
        );
        return state;
      });
      await open.page.close();
      open = await StatisticsInBrowser.open(suite.browser, suite.files, { storedState });
      await open.begin();
      await open.answerAll(300);
      await waitForStatus(/^0 matches · 300 rows/u);
      assert.equal(await open.page.getByRole('tab', { name: 'Recipients' }).getAttribute('aria-selected'), 'true');
    });

    it('show the numbers and the version below a link in a narrow side bar', async () => {
      const { page } = open;
      const name = `https://example.com/${'winter/'.repeat(20)}`;
      const links = { name, total_click: '12', unique_click: '9', mail_name: 'A', mail_subject: 'Sale' };
      await page.setViewportSize({ width: 290, height: 700 });
      await page.getByRole('tab', { name: 'Links' }).click();
      await open.answer(40, (at) => ({ id: String(at), ...links }));
      const getBoxes = () =>
        Promise.all(
          [0, 1, 2, 3].map(async (column) => {
            const box = await page.locator(`#cell-1-${column}`).boundingBox();
            return [Math.round((box?.x ?? 0) + (box?.width ?? 0)), Math.round(box?.y ?? 0)] as const;
          }),
        );
      const boxes = await getBoxes();
      for (const [right] of boxes) assert.ok(right <= 290, String(boxes));
      const tops = boxes.map(([, top]) => top);
      assert.ok(tops[0] !== tops[1] && tops[1] === tops[2] && tops[2] === tops[3], String(boxes));
      await page.getByRole('grid').press('End');
      await page.locator('#cell-39-0').waitFor();
      assert.ok(await page.locator('#cell-39-1.cursor, #cell-39-0.cursor').isVisible());
      await page.getByRole('grid').press('Home');
      await page.setViewportSize({ width: 900, height: 700 });
      await eventually(async () => assert.equal(new Set((await getBoxes()).map(([, top]) => top)).size, 1));
    });

    it('show links on the preview', async () => {
      const { page } = open;
      await page.getByRole('tab', { name: 'Recipients' }).press('End');
      assert.equal(await page.getByRole('tab', { name: 'Links' }).getAttribute('aria-selected'), 'true');
      await open.answer(2, (at) => ({
        id: String(at),
        name: `https://example.com/${at}`,
        total_click: String(10 - at * 5),
        unique_click: '1',
      }));
      assert.deepEqual(
        await page
          .locator('.cell.share')
          .evaluateAll((cells) => cells.map((cell) => (cell as HTMLElement).style.getPropertyValue('--share'))),
        ['100%', '50%'],
      );
      await page.getByText('Show All in Preview').click();
      await page.getByText('https://example.com/1').click();
      await page.getByText('Show in Preview').click();
      assert.deepEqual(
        (await open.posted('heatMap')).map(({ address }) => address),
        [undefined, 'https://example.com/1'],
      );
      assert.equal(await page.locator('a[href]').count(), 0, 'An address from the service is no link.');
    });
  });
});
