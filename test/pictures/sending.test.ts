import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { openRecord, openStatistics, take, usePictures } from './views.ts';

const HOUR_MS = 3_600_000;
const everybody = 'All contacts';

describe('Pictures of sending to 50,000 subscribers', () => {
  const now = new Date();
  const window = usePictures({}, { subscribers: 50_000, now: () => now });

  it('show a campaign in its form', async () => {
    const workbench = window();
    await openRecord(workbench, 'Campaigns', 'Winter sale', 'Winter sale.campaign.json');
    const page = await workbench.webviews.frame('campaignForm');
    await eventually(async () => assert.match(await page.locator('.audience').innerText(), /\d recipients/u));
    await take(workbench, 'campaign');
  });

  it('show the review of a campaign before it is sent', async () => {
    const workbench = window();
    const { client } = workbench;
    const [list] = await client.getLists({ filters: { name: 'Test' } });
    assert.ok(list);
    await client.createOrUpdateCampaign({
      name: 'Autumn',
      subject: 'Leaves fall',
      body: '<p>Yellow leaves</p>',
      listIds: [list.id],
      sending_type: 'now',
    });
    await openRecord(workbench, 'Campaigns', 'Autumn', 'Autumn.campaign.json');
    await (await workbench.webviews.frame('campaignForm')).getByRole('button', { name: 'Send…', exact: true }).click();
    const review = await workbench.webviews.frame('sendReview');
    await eventually(async () =>
      assert.match(await review.locator('main').innerText(), /3 recipients[^]*No missing values/u),
    );
    const mail = await workbench.webviews.inner('sendReview');
    await mail.getByText('Yellow leaves').waitFor();
    await take(workbench, 'review');
    await review.getByText("Don't Send").click();
  });

  it("show a campaign's statistics beside the tree and in an editor tab", async () => {
    const workbench = window();
    const { client } = workbench;
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
    workbench.service.clock.advance(30 * HOUR_MS);
    await workbench.page.setViewportSize({ width: 1780, height: 1000 });
    const statistics = await openStatistics(workbench, 'To everybody');
    await statistics.getByText('Load All 50,000 Recipients').click();
    await eventually(async () => assert.equal(await statistics.locator('.partly, .reading').count(), 0), {
      timeoutMs: 60_000,
    });
    await statistics.locator('[data-chart=opens-and-clicks] .plot svg').waitFor();
    await workbench.notifications.clear();
    await take(workbench, 'statistics');
  });

  it('show a campaign whose send is unconfirmed', async () => {
    const workbench = window();
    const { client, service } = workbench;
    const [list] = await client.getLists({ filters: { name: 'Test' } });
    assert.ok(list);
    const fields = { name: 'Spring', subject: 'First leaves', body: '<p>Green leaves</p>', listIds: [list.id] };
    await client.createOrUpdateCampaign(fields);
    await openRecord(workbench, 'Campaigns', 'Spring', 'Spring.campaign.json');
    service.faults.add({ kind: 'late', operation: 'sendCampaign', times: 1 });
    await (await workbench.webviews.frame('campaignForm')).getByRole('button', { name: 'Send…', exact: true }).click();
    await workbench.confirmSendReview();
    await workbench.dialog.click('Send');
    await workbench.notifications.waitFor(/may have been sent: the response was lost/u);
    // The form loads again behind the closed review.
    const form = await workbench.webviews.frame('campaignForm');
    await eventually(async () => assert.match(await form.locator('.audience').innerText(), /\d recipients/u));
    await take(workbench, 'unconfirmed');
  });
});
