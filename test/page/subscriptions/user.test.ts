import assert from 'node:assert/strict';
import type { FromPage, ToPage } from '../../../src/features/subscriptions/user/protocol.ts';
import { browserFor } from '../browser.ts';
import { loadPage, PageInBrowser } from '../pageInBrowser.ts';
import { rows } from './samples.ts';

describe('SubscriptionsPage', function () {
  const suite = browserFor('src/features/subscriptions/user/page/main.ts');
  let open: PageInBrowser<ToPage, FromPage>;
  const load = async (width = 900) => {
    open = new PageInBrowser(await loadPage(suite.browser, suite.files, { width }));
  };

  const show = (changed: Partial<ToPage> = {}) =>
    open.send({
      type: 'subscriptions',
      userId: 4,
      email: 'ann@example.com',
      service: 'Test service',
      rows,
      busy: false,
      ...changed,
    });
  const row = (name: string) => open.page.getByRole('row').filter({ has: open.page.getByRole('rowheader', { name }) });

  it('shows each list with its status, dates, and fields', async () => {
    await load();
    await show();
    await open.page.getByRole('heading', { name: 'ann@example.com' }).waitFor();
    assert.deepEqual(await open.page.getByRole('columnheader').allInnerTexts(), [
      'List',
      'Status',
      'Subscribed on',
      'Unsubscribed on',
      'Change',
    ]);
    const cells = (name: string) => row(name).getByRole('cell').allInnerTexts();
    assert.deepEqual(await cells('Newsletter'), ['Subscribed', 'Nov 20, 2026', '–', 'Unsubscribe…']);
    assert.deepEqual(await cells('<b>Test</b>'), ['Unsubscribed', '–', 'Nov 21, 2026', 'Subscribe…']);
    assert.deepEqual(await cells('Events'), ['Unknown', '–', '–', 'Subscribe…']);
    assert.match(await open.page.locator('.summary').innerText(), /^Subscribed to 1 of 3 lists shown\./u);
    const fields = row('Newsletter').locator('dl');
    assert.equal(await fields.isVisible(), false);
    await row('Newsletter').getByText('All fields').click();
    assert.match(await fields.innerText(), /translation\s+Bulletin\s+subscription_date\s+2026-11-20 08:24:00/u);
    await show();
    assert.equal(await fields.isVisible(), true, 'Open fields stay open.');
  });

  it('asks for changes of one list, of others, and for a fresh reading', async () => {
    await load();
    await show();
    await open.page.getByRole('button', { name: 'Unsubscribe from Newsletter' }).click();
    await open.page.getByRole('button', { name: 'Subscribe to <b>Test</b>' }).click();
    await open.page.getByRole('button', { name: 'Subscribe to Other Lists…' }).click();
    await open.page.getByRole('button', { name: 'Refresh' }).click();
    assert.deepEqual(
      (await open.posted('change')).map(({ kind, listId }) => [kind, listId]),
      [
        ['unsubscribe', 1],
        ['subscribe', 2],
      ],
    );
    assert.deepEqual([await open.count('add'), await open.count('refresh')], [1, 1]);
  });

  it('offers no change while one is in progress, and then the opposite one', async () => {
    await load();
    await show({ busy: true });
    const unsubscribe = open.page.getByRole('button', { name: 'Unsubscribe from Newsletter' });
    assert.equal(await unsubscribe.isDisabled(), true);
    await show({ rows: rows.map((each) => ({ ...each, status: 'unsubscribed' })) });
    await open.page.getByRole('button', { name: 'Subscribe to Newsletter' }).waitFor();
    assert.equal(await unsubscribe.count(), 0);
  });

  it('shows an error', async () => {
    await load();
    await show({ problem: 'It <b>failed</b>.' });
    assert.equal(await open.page.getByRole('alert').innerText(), 'It <b>failed</b>.');
    await show();
    assert.equal(await open.page.getByRole('alert').count(), 0);
  });

  it('keeps names whole and buttons in view at 541 and 320 pixels', async () => {
    for (const width of [541, 320]) {
      await load(width);
      await show();
      const name = open.page.locator('.name', { hasText: 'Newsletter' });
      assert.ok(((await name.boundingBox())?.height ?? 99) < 24, `The name breaks at ${width} pixels.`);
      for (const button of await open.page.getByRole('button').all()) {
        const { x = -1, width: own = 0 } = (await button.boundingBox()) ?? {};
        assert.ok(x >= 0 && x + own <= width, `A button is out of view at ${width} pixels.`);
      }
      assert.deepEqual(await row('Newsletter').getByRole('cell').allInnerTexts(), [
        'Subscribed',
        'Nov 20, 2026',
        'Unsubscribe…',
      ]);
    }
  });

  it('fits narrow windows, with dates on several lines', async () => {
    for (const width of [320, 200]) {
      await load(width);
      await show();
      const isCut = await open.page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('.scroller')].some(
          ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
        ),
      );
      assert.equal(isCut, false, `Something is cut off at ${width} pixels.`);
    }
  });
});
