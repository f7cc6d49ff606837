import assert from 'node:assert/strict';
import type { Membership } from '../../../src/features/subscriptions/model.ts';
import type { FromPage, ToPage } from '../../../src/features/subscriptions/subscribers/protocol.ts';
import { eventually } from '../../support/eventually.ts';
import { browserFor } from '../browser.ts';
import { loadPage, PAGE_SIZE, TablesInBrowser, type PageOptions } from '../pageInBrowser.ts';
import { newsletter } from './samples.ts';
import type { JsonObject } from '../../../src/service/client/shapes.ts';

const ROW_HEIGHT_PX = 26;

/** Creates a subscriber. Every fifth one is named Müller. */
const subscriber = (index: number): Readonly<JsonObject> => ({
  email: `user${index}@example.com`,
  name: index % 5 === 0 ? `Müller ${index}` : `Ann ${index}`,
  status: 1,
  confirmed: index % 2,
  id: index,
});

describe('SubscribersPage', function () {
  const suite = browserFor('src/features/subscriptions/subscribers/page/main.ts');
  let open: TablesInBrowser<ToPage, FromPage>;
  let totals: Readonly<Record<Membership, number>>;

  const start = async (subscribed: number, unsubscribed = 0, options?: PageOptions) => {
    totals = { subscribed, unsubscribed };
    open = new TablesInBrowser(await loadPage(suite.browser, suite.files, options));
    const panel = { connection: 'test', listIds: [1] };
    await open.send({ type: 'show', panel, service: 'Test service', pageSize: PAGE_SIZE });
    await open.send({ type: 'lists', lists: { kind: 'loaded', lists: [newsletter] } });
  };
  /** Answers requests for rows until the check passes. */
  const answerUntil = (check: () => Promise<void>) =>
    eventually(async () => {
      await open.answer(totals, subscriber);
      await check();
    });
  const status = () => open.page.locator('.table-status').innerText();
  const waitForStatus = (words: RegExp) => answerUntil(async () => assert.match(await status(), words));
  const grid = () => open.page.getByRole('grid');
  const rows = () => open.page.locator('.table-row');
  const rowAt = (number: number) => open.page.locator(`.table-row[aria-rowindex="${number + 1}"]`);
  /** Returns the index of the row with the cursor, as screen readers get it. */
  const cursor = async () =>
    Number(
      await open.page.evaluate(() => {
        const cell = document.getElementById(
          document.querySelector('[role=grid]')?.getAttribute('aria-activedescendant') ?? '',
        );
        return cell?.parentElement?.getAttribute('aria-rowindex');
      }),
    );

  it('cancels a request that gets no response, and offers a retry', async () => {
    await start(50);
    // Minutes pass at once.
    await open.page.evaluate(() => {
      const { setTimeout: wait } = globalThis;
      Object.assign(globalThis, { setTimeout: (task: () => void, ms = 0) => wait(task, ms > 60_000 ? 0 : ms) });
    });
    await open.page.getByRole('button', { name: 'Refresh' }).click();
    const canceled = async () =>
      (await open.posted('cancelRequest' as 'rows'))
        .map(({ requestId }) => requestId)
        .toSorted((one, other) => one - other);
    await open.page.getByText("Couldn't load the rows: The service didn't respond in time.").waitFor();
    // The new requests replace the first two.
    await eventually(async () => assert.deepEqual(await canceled(), [1, 2, 3, 4]));
  });

  it('describes the row of the pointer, or of the cursor, to the context menu', async () => {
    await start(50);
    await waitForStatus(/^50 rows/u);
    const read = async (selector: string) =>
      JSON.parse((await open.page.locator(selector).first().getAttribute('data-vscode-context')) ?? '') as object;
    const email = 'user2@example.com';
    const expected = {
      webviewSection: 'subscribed',
      preventDefaultContextMenuItems: true,
      ...{ connection: 'test', listIds: [1], id: 2, email, emails: [email] },
    };
    assert.deepEqual(await read('.table-row[aria-rowindex="4"]'), expected);
    await rowAt(3).locator('.cell').first().click();
    assert.deepEqual(await read('[role=grid]'), expected);
    await grid().press('Home');
    await grid().press('ArrowUp');
    assert.deepEqual(await read('[role=grid]'), {}, 'The header has no menu.');
  });

  it('reads only the visible part of 50,000 subscribers, and moves through all of them by keyboard', async () => {
    await start(50_000);
    await waitForStatus(/^100 of 50,000 rows loaded/u);
    assert.equal(await grid().getAttribute('aria-rowcount'), '50001');
    await grid().evaluate((element, top) => {
      element.scrollTop = top;
    }, 39_990 * ROW_HEIGHT_PX);
    await answerUntil(async () =>
      assert.match(await rowAt(40_000).innerText({ timeout: 1000 }), /user39999@example\.com/u),
    );
    assert.ok((await rows().count()) < 100, 'Only visible rows are in the page.');
    assert.match(await status(), /^[23]00 of 50,000 rows loaded/u);

    await rowAt(40_000).locator('.cell').first().click();
    await grid().press('ArrowDown');
    assert.equal(await cursor(), 40_002);
    await grid().press('End');
    assert.equal(await cursor(), 50_001);
    await grid().press('PageUp');
    assert.ok((await cursor()) < 49_990);
    await grid().press('Home');
    assert.equal(await cursor(), 2);
  });

  it('searches all rows with Enter', async () => {
    await start(1000);
    await waitForStatus(/^100 of 1,000 rows/u);
    const find = open.page.getByRole('textbox', { name: /^Find/u });
    await find.fill('user999@');
    await waitForStatus(/^0 matches in loaded rows/u);
    await find.press('Enter');
    await waitForStatus(/^1 match · 1,000 rows/u);
    assert.equal(await rows().count(), 1);
  });

  it('sorts and finds only among loaded rows, and says so', async () => {
    await start(50_000);
    await waitForStatus(/^100 of 50,000 rows loaded/u);
    const names = open.page.getByRole('columnheader', { name: 'Name' });
    await names.click();
    await waitForStatus(/^only loaded rows sorted · 100 of 50,000 rows loaded/u);
    assert.equal(await names.getAttribute('aria-sort'), 'ascending');
    assert.match(await rows().first().innerText(), /Ann 1\b/u);
    await names.click();
    assert.match(await rows().first().innerText(), /Müller 95/u);
    const find = open.page.getByRole('textbox', { name: 'Find in loaded rows, Enter for all' });
    await find.fill('müller');
    await waitForStatus(/^20 matches in loaded rows · sorted · 100 of 50,000 rows loaded/u);
    await open.page.getByText('Show All').click();
    await waitForStatus(/^100 of 50,000 rows loaded/u);
    assert.equal(await find.inputValue(), '');
  });

  it('hides a column, and keeps that', async () => {
    await start(30);
    await waitForStatus(/^30 rows/u);
    const confirmed = open.page.getByRole('columnheader', { name: 'Confirmed' });
    await confirmed.waitFor();
    await open.page.getByText('Columns', { exact: true }).click();
    await open.page.getByRole('checkbox', { name: 'Confirmed' }).click();
    await open.page.keyboard.press('Escape');
    await confirmed.waitFor({ state: 'detached' });
    await eventually(async () => assert.match(JSON.stringify(await open.readStoredState()), /"columns":.*confirmed/u));
  });

  it('copies the selected rows, and exports the visible tab', async () => {
    await start(1200);
    await waitForStatus(/of 1,200 rows/u);
    await rows().nth(2).locator('.cell').first().click();
    await grid().press('Shift+ArrowDown');
    await open.page.getByText('Copy Selected Rows (2)').click();
    const [copy] = await open.posted('copy');
    assert.deepEqual(
      copy?.rows.map(({ id }) => id),
      [2, 3],
    );
    await open.page.getByText('Export…').click();
    assert.deepEqual(await open.posted('export'), [{ type: 'export', tab: 'subscribed', expected: 1200 }]);
  });

  it('shows an empty state if no user has unsubscribed', async () => {
    await start(3);
    await waitForStatus(/^3 rows/u);
    await open.page.getByRole('tab', { name: 'Unsubscribed' }).click();
    await answerUntil(() => open.page.getByText('No unsubscribed users.').waitFor({ timeout: 1000 }));
  });

  it('shows the details of its list', async () => {
    await start(3);
    assert.match(await open.page.getByRole('heading', { level: 1 }).innerText(), /^Newsletter\s*inactive$/u);
    const note = open.page.getByText("Lists can't be changed here");
    assert.equal(await note.isVisible(), false);
    await open.page.getByText('Details').click();
    await note.waitFor();
    assert.match(await open.page.locator('details').innerText(), /Welcome email\s*Hello \(#3\)/u);
  });

  it('returns to the last tab', async () => {
    await start(3, 2);
    await waitForStatus(/^3 rows/u);
    await open.page.getByRole('tab', { name: 'Unsubscribed' }).click();
    await waitForStatus(/^2 rows/u);
    const storedState = await eventually(async () => {
      const state = await open.readStoredState();
      assert.equal((state as { readonly tab: Membership }).tab, 'unsubscribed');
      return state;
    });
    await open.page.close();

    await start(3, 2, { storedState });
    assert.equal(await open.page.getByRole('tab', { name: 'Unsubscribed' }).getAttribute('aria-selected'), 'true');
    await waitForStatus(/^2 rows/u);
  });
});
