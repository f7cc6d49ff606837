import assert from 'node:assert/strict';
import { eventually, useWorkbench } from '../support/workbench.ts';
import { asAnotherUser, openRecord, openStatistics, take } from './views.ts';

const HOUR_MS = 3_600_000;
const everybody = 'All contacts';

describe('Pictures of sending to 50,000 subscribers', () => {
  const now = new Date();
  const window = useWorkbench({ shared: true, service: { subscribers: 50_000, now: () => now } });

  it('show subscribers in a table', async () => {
    const workbench = window();
    await openRecord(workbench, 'Lists', everybody, everybody);
    const page = await workbench.webviews.frame('subscribers');
    await eventually(async () => assert.match(await page.locator('.table-status').innerText(), /^50,000 subscribers/u));
    await page.locator('.table-grid').evaluate((grid) => {
      grid.scrollTop = 39_990 * 26;
    });
    await eventually(async () =>
      assert.match(await page.locator('.table-row[aria-rowindex="40001"]').innerText(), /@example\./u),
    );
    await take(workbench, 'subscribers');
  });

  it('show a campaign in its form', async () => {
    const workbench = window();
    await openRecord(workbench, 'Campaigns', 'Winter sale', 'Winter sale.campaign.json');
    const page = await workbench.webviews.frame('campaignForm');
    await eventually(async () => assert.match(await page.locator('.audience').innerText(), /\d recipients/u));
    await take(workbench, 'campaign');
  });

  it('show a follow-up with its timeline', async () => {
    const workbench = window();
    const { editors, quickInput } = workbench;
    await asAnotherUser(workbench, (client) =>
      client.createOrUpdateFollowUp({
        name: 'Spring series',
        display_name: 'News of the spring',
        trigger: 'user_subscribe',
        condition: { lists: [1] },
        loop: 1,
        loop_delay: 172_800,
      }),
    );
    const tab = 'Spring series.follow-up.json';
    await openRecord(workbench, 'Follow-ups', 'Spring series', tab);
    for (const [subject, delay, unit] of [
      ['Three weeks of sun', '3', 'days'],
      ['First warm days', '10', 'minutes'],
    ] as const) {
      await (await workbench.webviews.frame('followUpForm')).getByRole('button', { name: 'Attach Mail…' }).click();
      await quickInput.pick('From scratch');
      await quickInput.waitFor('Subject of the mail');
      await quickInput.answer(subject);
      await quickInput.waitFor('Name of the mail');
      await quickInput.accept();
      await quickInput.waitFor('After which delay');
      await quickInput.answer(delay);
      await quickInput.pick(unit);
      await editors.waitForActive(/^\d+\.html$/u);
      await editors.show(tab);
    }
    const page = await workbench.webviews.frame('followUpForm');
    await eventually(async () =>
      assert.deepEqual(await page.locator('.timeline .wait').allInnerTexts(), ['+ 10 minutes', '+ 3 days', '+ 2 days']),
    );
    await page.locator('.timeline').scrollIntoViewIfNeeded();
    await workbench.notifications.clear();
    await take(workbench, 'follow-up');
  });

  it('show the review of a campaign and the confirmation', async () => {
    const workbench = window();
    await asAnotherUser(workbench, async (client) => {
      const [list] = await client.getLists({ filters: { name: 'Test' } });
      assert.ok(list);
      await client.createOrUpdateCampaign({
        name: 'Autumn',
        subject: 'Leaves fall',
        body: '<p>Yellow leaves</p>',
        listIds: [list.id],
        sending_type: 'now',
      });
    });
    await openRecord(workbench, 'Campaigns', 'Autumn', 'Autumn.campaign.json');
    await (await workbench.webviews.frame('campaignForm')).getByRole('button', { name: 'Send…', exact: true }).click();
    const review = await workbench.webviews.frame('sendReview');
    await eventually(async () =>
      assert.match(await review.locator('main').innerText(), /3 recipients[^]*None was found/u),
    );
    const mail = await workbench.webviews.inner('sendReview');
    await mail.getByText('Yellow leaves').waitFor();
    await take(workbench, 'last-look');
    await workbench.confirmSendReview();
    assert.match(await workbench.dialog.text(), /Send "Autumn" to 3 recipients/u);
    await take(workbench, 'send');
    await workbench.dialog.click('Cancel');
  });

  it('show the clicks on links over the preview', async () => {
    const workbench = window();
    const statistics = await openStatistics(workbench, 'Season sale');
    await statistics.getByRole('tab', { name: 'Links' }).click();
    await statistics.getByText('Show All on Preview').click();
    const page = await workbench.webviews.frame('preview');
    await page.locator('.heat .drift .badge').first().waitFor();
    await workbench.notifications.clear();
    await take(workbench, 'heat-map');
  });

  it("show a campaign's statistics beside the tree and in an editor tab", async () => {
    const workbench = window();
    await asAnotherUser(workbench, async (client) => {
      const list =
        (await client.getLists()).find(({ name }) => name === everybody) ??
        assert.fail(`There is no list "${everybody}".`);
      const body = '<p><a href="https://example.com/a">A</a> <a href="https://example.com/b">B</a></p>';
      const { campaignId } = await client.createOrUpdateCampaign({
        name: 'To everybody',
        subject: 'Hello',
        body,
        listIds: [list.id],
      });
      await client.sendCampaign(campaignId);
    });
    workbench.service.clock.advance(30 * HOUR_MS);
    await workbench.page.setViewportSize({ width: 1780, height: 1000 });
    const statistics = await openStatistics(workbench, 'To everybody');
    await statistics.getByText('Read All 50,000 Recipients').click();
    await eventually(async () => assert.equal(await statistics.locator('.partly, .reading').count(), 0), {
      timeoutMs: 60_000,
    });
    await statistics.locator('[data-chart=opens-and-clicks] .plot svg').waitFor();
    await workbench.notifications.clear();
    await take(workbench, 'statistics');
  });
});
