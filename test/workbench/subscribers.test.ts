import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { MailingClient } from '../../src/api/index.ts';
import { eventually, testConnection, useWorkbench, type Workbench } from '../support/workbench.ts';

const everybody = 'All contacts';

async function openTable(workbench: Workbench, list: string): Promise<Frame> {
  await workbench.explorer.open();
  await (await workbench.explorer.row([testConnection.name, 'Lists', list])).click();
  await workbench.editors.waitForActive(list);
  const page = await workbench.webviews.frame('subscribers');
  await page.locator('.table-row').first().waitFor();
  return page;
}

const status = (page: Frame) => page.locator('.table-status');
const rowAt = (page: Frame, number: number) => page.locator(`.table-row[aria-rowindex="${number + 1}"]`);
const cursor = (page: Frame) => page.evaluate(() => document.getElementById(document.querySelector('[role=grid]')?.getAttribute('aria-activedescendant') ?? '')?.parentElement?.getAttribute('aria-rowindex'));

describe('Lists and their subscribers', () => {
  const window = useWorkbench({ shared: true, service: { subscribers: 50_000 } });

  it('make a list, show 50,000 subscribers, and export them', async () => {
    const workbench = window();
    await workbench.enterApiKey();
    await workbench.explorer.open();
    const lists = await workbench.explorer.row([testConnection.name, 'Lists']);
    await lists.contextAction('New List…');
    await workbench.quickInput.waitFor('Name of the list');
    await workbench.quickInput.answer('Spring guests');
    await workbench.quickInput.waitFor('Press Enter to create it');
    await workbench.quickInput.pick('Colour');
    await workbench.quickInput.waitFor('Which colour');
    await workbench.screenshot('list-colours');
    await workbench.quickInput.pick('Green');
    await workbench.quickInput.waitFor('Press Enter to create it');
    await workbench.quickInput.pick('Visible');
    await eventually(async () => assert.ok((await workbench.quickInput.entries()).some((entry) => /Visible \| no/u.test(entry))));
    await workbench.screenshot('list-create');
    await workbench.quickInput.pick('Create "Spring guests"');
    const client = new MailingClient(workbench.service);
    const [list] = await eventually(async () => {
      const found = await client.getLists({ filters: { name: 'Spring guests' } });
      assert.equal(found.length, 1);
      return found;
    });
    assert.deepEqual([list?.color, list?.active, list?.visible], ['#1a7f37', 1, 0]);
    await client.close();
    await workbench.explorer.row([testConnection.name, 'Lists', 'Spring guests']);

    const page = await openTable(workbench, everybody);
    await eventually(async () => assert.match(await status(page).innerText(), /^50,000 subscribers · \d+ loaded/u));
    assert.equal(await page.getByRole('grid').getAttribute('aria-rowcount'), '50001');
    await workbench.notifications.clear();
    await workbench.screenshot('subscribers-light');

    await page.locator('.table-grid').evaluate((grid) => { grid.scrollTop = 39_990 * 26; });
    await eventually(async () => assert.match(await rowAt(page, 40_000).innerText(), /@example\.(?:com|org|net)/u));
    await workbench.screenshot('subscribers-row-40000');
    await rowAt(page, 40_000).locator('.cell').first().click();
    await page.getByRole('grid').press('ArrowDown');
    assert.equal(await cursor(page), '40002');
    await page.getByRole('grid').press('End');
    assert.equal(await cursor(page), '50001');
    await page.getByRole('grid').press('PageUp');
    assert.ok(Number(await cursor(page)) < 49_990);
    await page.getByRole('grid').press('Home');
    assert.equal(await cursor(page), '2');
    assert.ok(await page.locator('.table-row').count() < 100, 'Only the rows in sight are in the page.');

    await page.getByRole('columnheader', { name: 'Name' }).click();
    await eventually(async () => assert.match(await status(page).innerText(), /^Sorted only among the \d+ loaded of 50,000 subscribers/u));
    await page.getByRole('textbox', { name: 'Find in the loaded subscribers' }).fill('müller');
    await eventually(async () => assert.match(await status(page).innerText(), /^\d+ found, sorted, only among/u));
    await workbench.screenshot('subscribers-found');
    await page.getByText('Show All').click();
    await page.getByText('Columns', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'Confirmed' }).click();
    await workbench.screenshot('subscribers-columns');
    await workbench.page.keyboard.press('Escape');
    await eventually(async () => assert.equal(await page.getByRole('columnheader', { name: 'Confirmed' }).count(), 0));

    await page.getByText('Export…').click();
    await workbench.quickInput.waitFor('As what?');
    await workbench.screenshot('subscribers-export');
    await workbench.quickInput.pick('CSV file…');
    const path = join(workbench.folder, 'everybody.csv');
    await workbench.quickInput.answerFile(path);
    await eventually(() => assert.ok(existsSync(path)), { patienceMs: 60_000 });
    await workbench.notifications.waitFor(/Exported 50,000 subscribers to everybody\.csv/u);
    await workbench.screenshot('subscribers-exported');
    assert.equal(readFileSync(path, 'utf8').trim().split('\r\n').length, 50_001);

    await page.getByRole('tab', { name: 'Unsubscribed' }).click();
    await page.getByText('Nobody has unsubscribed.').waitFor();
    await workbench.screenshot('subscribers-nobody');
  });

  it('come back after a restart as they were left, in every theme, and say what could not be read', async () => {
    const workbench = window();
    await workbench.enterApiKey();
    await openTable(workbench, 'Newsletter');
    const page = await workbench.webviews.frame('subscribers');
    await page.getByText('Details').click();
    await page.getByText('The service has no way to change a list').waitFor();
    await workbench.notifications.clear();
    await workbench.pictures((theme) => `subscribers-details-${theme}`);
    await page.getByText('Details').click();
    await page.locator('.table-row').nth(2).locator('.cell').first().click();
    await page.getByRole('grid').press('Shift+ArrowDown');
    await page.getByText('Copy 2 Selected').waitFor();
    await workbench.pictures((theme) => `subscribers-${theme}`);
    const kept = await workbench.webviews.watchKept('subscribers');
    await page.getByRole('tab', { name: 'Unsubscribed' }).click();
    await page.getByText(/unsubscribed users · /u).waitFor();
    await kept(/"tab":"unsubscribed"/u);

    workbench.service.faults.add({ kind: 'status', status: 403, message: 'Task not allowed.', operation: 'getUnsubscribedUsersFromLists' });
    await workbench.reload();
    const again = await workbench.webviews.frame('subscribers');
    await again.getByText(/The unsubscribed users can’t be read/u).waitFor();
    await workbench.screenshot('subscribers-failed');
    workbench.service.faults.clear();
    await again.getByText('Retry').click();
    await again.locator('.table-row').first().waitFor();
    assert.equal(await again.getByRole('tab', { name: 'Unsubscribed' }).getAttribute('aria-selected'), 'true');
  });
});
