import assert from 'node:assert/strict';
import { MailingClient } from '../../src/api/index.ts';
import { eventually, testConnection, useWorkbench, type Workbench } from '../support/workbench.ts';

const testList = 8;

/** Makes a campaign on the service, and opens its body from the tree. */
async function openCampaign(workbench: Workbench): Promise<{ id: number; other: MailingClient }> {
  const { baseUrl, apiKey, profile } = workbench.service;
  const other = new MailingClient({ baseUrl, apiKey, profile });
  const { campaignId: id } = await other.createOrUpdateCampaign({ name: 'Autumn', subject: 'Leaves fall', body: '<p>Leaves</p>', listIds: [testList] });
  await workbench.enterApiKey();
  await workbench.explorer.open();
  const row = await workbench.explorer.row([testConnection.name, 'Campaigns', 'Autumn']);
  await row.contextAction('Open Campaign Body');
  await workbench.editors.waitForActive('Autumn.html');
  return { id, other };
}

const sends = (workbench: Workbench): number => workbench.service.requests.filter(({ operation }) => operation === 'sendCampaign').length;

describe('Sending a campaign', () => {
  const window = useWorkbench();

  it('asks with everything that matters, sends nothing when cancelled, and goes out once when agreed to', async () => {
    const workbench = window();
    const { id, other } = await openCampaign(workbench);
    await workbench.editors.replaceAll('<p>Red leaves</p>');
    await workbench.editors.titleAction('Send Campaign');
    const question = await workbench.dialog.text();
    assert.match(question, /Send "Autumn" to 3 recipients on Test service\?/u);
    assert.match(question, /Subject: Leaves fall/u);
    assert.match(question, /Lists: Test/u);
    assert.match(question, /goes out now/u);
    await workbench.screenshot('campaign-send');
    await workbench.dialog.click('Cancel');
    assert.equal(sends(workbench), 0);

    await workbench.editors.titleAction('Send Campaign');
    await workbench.dialog.click('Send Now');
    await workbench.notifications.waitFor('"Autumn" was sent to 3 recipients.');
    assert.equal(sends(workbench), 1);
    assert.match(await workbench.service.outbox.eml(1), /Red leaves/u);
    assert.equal((await other.getCampaignById(id)).sent, 1);
    await eventually(async () => assert.match(await (await workbench.explorer.row([testConnection.name, 'Campaigns', 'Autumn'])).description(), /^sent/u));
    await eventually(async () => assert.equal(await workbench.editors.isReadOnly('Autumn.html'), true));
    await workbench.screenshot('campaign-sent');

    await (await workbench.explorer.row([testConnection.name, 'Campaigns', 'Autumn'])).contextAction('Send Campaign…');
    assert.match(await workbench.dialog.text(), /was sent already.*Send it AGAIN/u);
    await workbench.screenshot('campaign-send-again');
    await workbench.dialog.click('Cancel');
    assert.equal(sends(workbench), 1);
  });

  it('says what is known where the answer is lost', async () => {
    const workbench = window();
    await openCampaign(workbench);
    workbench.service.faults.add({ kind: 'resetAfterRead', operation: 'sendCampaign' });
    await workbench.editors.titleAction('Send Campaign');
    await workbench.dialog.click('Send Now');
    const news = /The service says that it was not sent: send again\?/u;
    await workbench.notifications.waitFor(news);
    await workbench.screenshot('campaign-lost');
    assert.equal(sends(workbench), 1);
    workbench.service.faults.clear();
    await workbench.notifications.click(news, 'Send Again…');
    assert.match(await workbench.dialog.text(), /Send "Autumn"/u, 'Sending again is asked for like the first time.');
    await workbench.dialog.click('Cancel');
    assert.equal(sends(workbench), 1);
  });
});
