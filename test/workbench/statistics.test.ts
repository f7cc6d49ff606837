import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { MailingClient } from '../../src/api/index.ts';
import { eventually, pictureThemes, testConnection, useWorkbench, type Workbench } from '../support/workbench.ts';

const [minute, hour] = [60_000, 3_600_000];
const everybody = 'All contacts';

/** The view in the side bar, with all the height there is. */
async function openView(workbench: Workbench): Promise<Frame> {
  await workbench.explorer.open();
  await workbench.fold('Statistics', false);
  await workbench.fold('Services', true);
  return workbench.webviews.frame('statistics');
}

const figure = (statistics: Frame, key: string) => statistics.locator(`.tile[data-key="${key}"]`);
const number = async (statistics: Frame, key: string): Promise<number> => Number((await figure(statistics, key).locator('.number').innerText()).replaceAll(',', ''));
const status = (statistics: Frame) => statistics.locator('.table-status');
const refresh = (statistics: Frame) => statistics.locator('.head').getByRole('button', { name: 'Refresh' }).click();

async function filter(statistics: Frame, label: string): Promise<void> {
  await statistics.locator('.table-filter vscode-dropdown').click();
  await statistics.getByRole('option', { name: label, exact: true }).click();
}

/** Answers the dialog that asks for a file, and waits for it. */
async function saveTo(workbench: Workbench, name: string): Promise<string> {
  const path = join(workbench.folder, name);
  await workbench.quickInput.answerFile(path);
  await eventually(() => assert.ok(existsSync(path)), { patienceMs: 60_000 });
  return path;
}

describe('The statistics beside the tree', () => {
  const now = new Date();
  const window = useWorkbench({ service: { subscribers: 1200, now: () => now }, size: { width: 1120, height: 900 } });

  it('go from nothing chosen to what happens after sending, and say what can’t be read', async () => {
    const workbench = window();
    await workbench.enterApiKey();
    const { service } = workbench;
    const other = new MailingClient(service);
    const statistics = await openView(workbench);
    await workbench.notifications.clear();
    await statistics.getByText('No campaign chosen').waitFor();
    await workbench.screenshot('statistics-unchosen');
    await statistics.getByText('Choose a Campaign…').click();
    await workbench.quickInput.waitFor(/Which campaign/u);
    await eventually(async () => assert.ok((await workbench.quickInput.labels()).includes('Monthly letter no. 37')));
    assert.ok(!(await workbench.quickInput.labels()).includes('Year in review'), 'What was not sent has no statistics.');
    await workbench.quickInput.cancel();

    await other.sendCampaign(7);
    await statistics.getByText('Choose a Campaign…').click();
    await workbench.quickInput.waitFor(/Which campaign/u);
    await workbench.quickInput.pick('Year in review');
    await statistics.getByText('nobody has opened it so far').waitFor();
    assert.equal(await number(statistics, 'open_unique'), 0);
    await workbench.screenshot('statistics-unopened');

    service.clock.advance(50 * minute);
    await refresh(statistics);
    await figure(statistics, 'open_unique').locator('.change').waitFor();
    const opened = await number(statistics, 'open_unique');
    assert.ok(opened > 0);
    assert.match(await figure(statistics, 'open_unique').locator('.change').innerText(), new RegExp(`\\+${opened}`, 'u'));
    assert.match(await statistics.locator('body > [role=status]').innerText(), /Unique opens \d+, \+\d+/u);
    assert.equal(opened, (await other.getCampaignStatistics(7))[0]?.['open_unique']);
    await statistics.locator('[data-chart=opens-and-clicks] .plot svg').waitFor();
    await workbench.screenshot('statistics-changed');

    // One of the four fails: the others go on.
    service.faults.add({ kind: 'status', status: 500, message: 'The links are broken.', operation: 'getCampaignStatisticsLinks' });
    await refresh(statistics);
    await statistics.getByRole('tab', { name: 'Links' }).click();
    await statistics.getByText(/The links can’t be read/u).waitFor();
    await workbench.screenshot('statistics-links-failed');
    service.faults.clear();
    await statistics.locator('.table-blank').getByText('Retry').click();
    await statistics.getByText('https://').first().waitFor();

    await statistics.getByRole('tab', { name: 'Overview' }).click();
    service.faults.add({ kind: 'status', status: 500, message: 'It is <b>broken</b>.', operation: 'getCampaignStatistics' });
    await refresh(statistics);
    await statistics.getByText(/^From .* – could not be refreshed: .*<b>broken<\/b>/u).waitFor();
    assert.equal(await number(statistics, 'open_unique'), opened);
    await workbench.screenshot('statistics-old');
    service.faults.clear();
    await statistics.getByText('Retry').click();
    await eventually(async () => assert.equal(await statistics.getByText('could not be refreshed').count(), 0));

    await other.deleteCampaign(7);
    await refresh(statistics);
    await statistics.getByText(/The campaign was deleted on the service/u).waitFor();
    await workbench.screenshot('statistics-gone');
    await statistics.getByRole('tab', { name: 'Clicks' }).click();
    await statistics.getByText('The service no longer has this campaign.').waitFor();
    await other.close();
  });

  it('are readable in a narrow side bar in every theme, and come back after a restart', async () => {
    const workbench = window();
    await workbench.enterApiKey();
    let statistics = await openView(workbench);
    await statistics.getByText('Choose a Campaign…').click();
    await workbench.quickInput.waitFor(/Which campaign/u);
    await workbench.quickInput.pick('Season sale');
    await statistics.locator('[data-chart=opens-and-clicks] .plot svg').waitFor();
    const regions = statistics.getByRole('region', { name: 'Versions of the mail' });
    assert.ok((await regions.locator('thead th').count()) >= 3, 'Two versions and their sum.');
    await workbench.notifications.clear();
    for (const theme of pictureThemes) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`statistics-${theme}`, { width: 420 });
      await statistics.locator('[data-chart=opens-and-clicks]').evaluate((chart) => chart.scrollIntoView({ block: 'end' }));
      await workbench.screenshot(`statistics-${theme}-charts`, { width: 420 });
      await statistics.locator('.overview').evaluate((overview) => { overview.scrollTop = 0; });
    }
    const kept = await workbench.webviews.watchKept('statistics');
    await statistics.getByRole('tab', { name: 'Recipients' }).click();
    await filter(statistics, 'Bounced');
    await eventually(async () => assert.match(await status(statistics).innerText(), /^\d+ bounced among all/u));
    const said = await status(statistics).innerText();
    await workbench.screenshot('statistics-recipients-narrow', { width: 420 });
    await kept(/"tab":"recipients".*"filter":"bounced"/u);
    await workbench.reload();
    statistics = await openView(workbench);
    await eventually(async () => assert.equal(await statistics.locator('h1').innerText(), 'Season sale'));
    await eventually(async () => assert.equal(await status(statistics).innerText(), said));
    assert.equal(await statistics.getByRole('tab', { name: 'Recipients' }).getAttribute('aria-selected'), 'true');
  });
});

describe('The statistics in an editor', () => {
  const now = new Date();
  const window = useWorkbench({ service: { subscribers: 50_000, now: () => now }, size: { width: 1780, height: 1000 } });

  it('sort, find and filter 50,000 recipients, and hand them out', async function () {
    this.timeout(300_000);
    const workbench = window();
    await workbench.enterApiKey();
    const { service } = workbench;
    const other = new MailingClient(service);
    const list = (await other.getLists()).find(({ name }) => name === everybody);
    const { campaignId } = await other.createOrUpdateCampaign({ name: 'To everybody', subject: 'Hello', body: '<p><a href="https://example.com/a">A</a> <a href="https://example.com/b">B</a></p>', listIds: [list?.id ?? 0] });
    await other.sendCampaign(campaignId);
    service.clock.advance(30 * hour);
    await workbench.explorer.open();
    const row = await workbench.explorer.row([testConnection.name, 'Campaigns', 'To everybody']);
    const view = await workbench.webviews.frame('statistics');
    // A tree that is drawn anew under the mouse drops a click.
    await eventually(async () => {
      await row.inlineAction('Show Statistics');
      await view.locator('h1', { hasText: 'To everybody' }).waitFor({ timeout: 5000 });
    }, { patienceMs: 30_000 });
    await workbench.run('Mailing: Open Statistics in Editor');
    await workbench.editors.waitForActive(/To everybody/u);
    const statistics = await eventually(async () => {
      const all = await workbench.webviews.all('statistics');
      assert.equal(all.length, 2);
      return all[1] as Frame;
    });
    await figure(statistics, 'sent').waitFor();
    assert.equal(await number(statistics, 'sent'), 50_000);
    await statistics.getByText('Read All 50,000 Recipients').click();
    await statistics.getByText('Read All 50,000 Recipients').waitFor({ state: 'detached', timeout: 120_000 });
    await statistics.locator('[data-chart=opens-and-clicks] .plot svg').waitFor();
    await workbench.notifications.clear();
    await workbench.pictures((theme) => `statistics-editor-${theme}`);

    const asSvg = statistics.getByRole('menuitem', { name: 'Save as SVG…' });
    await eventually(async () => {
      if (!(await asSvg.isVisible())) await statistics.getByRole('button', { name: 'Save “Opens and clicks over time”' }).click({ timeout: 2000 });
      await asSvg.click({ timeout: 2000 });
    });
    const svg = readFileSync(await saveTo(workbench, 'opens.svg'), 'utf8');
    assert.match(svg, /^<\?xml[^>]*>\s*<svg /u);
    assert.doesNotMatch(svg, /var\(|class=/u);
    await statistics.getByRole('button', { name: 'Copy as Markdown' }).click();
    await eventually(async () => assert.ok((await workbench.statusBar()).some((entry) => entry.includes('copied as Markdown'))));

    await statistics.getByRole('tab', { name: 'Recipients' }).click();
    await eventually(async () => assert.match(await status(statistics).innerText(), /^50,000 recipients · \d+ loaded/u), { patienceMs: 30_000 });
    await filter(statistics, 'Opened');
    await statistics.getByText('Stop', { exact: true }).waitFor();
    await workbench.screenshot('statistics-reading-all');
    await eventually(async () => assert.match(await status(statistics).innerText(), /^[\d,]+ opened among all 50,000/u), { patienceMs: 120_000 });
    const [figures] = await other.getCampaignStatistics(campaignId);
    assert.match(await status(statistics).innerText(), new RegExp(`^${Number(figures?.open_unique).toLocaleString('en')} opened`, 'u'));
    await statistics.getByRole('columnheader', { name: 'Opens' }).click();
    await statistics.getByRole('columnheader', { name: 'Opens' }).click();
    await eventually(async () => assert.match(await status(statistics).innerText(), /opened, sorted, among all 50,000/u));
    assert.ok(Number(await statistics.locator('.table-row').first().locator('.cell').nth(1).innerText()) > 3, 'Those who opened it most are first.');
    await statistics.getByRole('textbox').fill('example.org');
    await eventually(async () => assert.match(await status(statistics).innerText(), /^[\d,]+ found, opened, sorted, among all 50,000/u));
    await workbench.screenshot('statistics-recipients');
    assert.ok(await statistics.locator('.table-row').count() < 100, 'Only the rows in sight are in the page.');

    await statistics.getByText('Export…').click();
    await workbench.quickInput.waitFor('As what?');
    await workbench.quickInput.pick('CSV file…');
    const csv = await saveTo(workbench, 'recipients.csv');
    await eventually(async () => assert.ok((await workbench.notifications.texts()).some((text) => /Exported 50,000 recipients to recipients\.csv/u.test(text))), { patienceMs: 120_000 });
    assert.equal(readFileSync(csv, 'utf8').trim().split('\r\n').length, 50_001);
    await workbench.notifications.clear();

    await statistics.getByRole('tab', { name: 'Clicks' }).click();
    await eventually(async () => assert.match(await status(statistics).innerText(), /clicks · /u));
    await workbench.screenshot('statistics-clicks');
    await statistics.getByRole('tab', { name: 'Links' }).click();
    await statistics.getByText('https://example.com/a').waitFor();
    await workbench.screenshot('statistics-links');
    await other.close();
  });

});

describe('The statistics of several campaigns', () => {
  const window = useWorkbench({ size: { width: 1780, height: 1000 } });

  it('stand side by side, lead to one of them, and come back after a restart', async () => {
    const workbench = window();
    await workbench.enterApiKey();
    await workbench.run('Mailing: Compare Statistics of Campaigns…');
    await workbench.quickInput.waitFor(/Check 2 to 5 campaigns/u);
    await workbench.quickInput.pickMany(['Monthly letter no. 36', 'Product update 4.2', 'Season sale']);
    const view = await workbench.webviews.frame('statistics');
    await view.getByText('3 campaigns compared').waitFor();
    await workbench.run('Mailing: Open Statistics in Editor');
    const statistics = await eventually(async () => {
      const all = await workbench.webviews.all('statistics');
      assert.equal(all.length, 2);
      return all[1] as Frame;
    });
    await statistics.locator('[data-chart=comparison] .bar').first().waitFor();
    assert.equal(await statistics.getByRole('region', { name: 'Campaigns side by side' }).locator('thead th').count(), 3);
    await workbench.notifications.clear();
    await workbench.pictures((theme) => `statistics-compare-${theme}`);
    await workbench.reload();
    const again = await eventually(async () => {
      for (const frame of await workbench.webviews.all('statistics')) if (await frame.locator('body.wide').count() === 1) return frame;
      return assert.fail('The tab is not there.');
    }, { patienceMs: 30_000 });
    await again.getByRole('button', { name: 'Season sale' }).click();
    await eventually(async () => assert.equal(await again.locator('h1').innerText(), 'Season sale'));
    await figure(again, 'sent').waitFor();
  });
});
