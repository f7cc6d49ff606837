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

describe('Campaigns in the workbench', () => {
  const window = useWorkbench({ shared: true });

  describe('Making a campaign', () => {
    it('goes from nothing, over the form, to a date on which it goes out', async () => {
      const workbench = window();
      await workbench.enterApiKey();
      await workbench.run('Mailing: New Campaign…');
      await workbench.quickInput.waitFor(/What should it start from/u);
      await workbench.quickInput.pick('Empty');
      await workbench.quickInput.waitFor(/Subject of the campaign/u);
      await workbench.quickInput.answer('Snow is coming');
      await workbench.quickInput.waitFor(/Name of the campaign/u);
      await workbench.quickInput.answer('Winter');
      await workbench.editors.waitForActive('Winter.campaign.json');
      const form = await workbench.webviews.frame('campaignForm');
      await form.getByRole('checkbox', { name: /^Test/u }).click();
      await form.getByRole('radio', { name: /^Scheduled/u }).click();
      await form.getByLabel('Day', { exact: true }).fill('2099-12-24');
      await workbench.editors.waitForDirty('Winter.campaign.json', true);
      await workbench.explorer.open();
      await (await workbench.explorer.row([testConnection.name, 'Campaigns', 'Winter'])).contextAction('Open Campaign Body');
      await workbench.editors.waitForActive('Winter.html');
      await workbench.editors.replaceAll('<p>Snow</p>');
      // What is unsaved in both documents is saved by sending.
      await workbench.editors.titleAction('Send Campaign');
      await workbench.passLastLook();
      const question = await workbench.dialog.text();
      assert.match(question, /Send "Winter" to 3 recipients/u);
      assert.match(question, /it goes out on 2099-12-24/u);
      await workbench.dialog.click('Start');
      await workbench.notifications.waitFor('"Winter" is started: it goes out on 2099-12-24.');
      assert.equal(sends(workbench), 1);
      assert.equal(workbench.service.outbox.count, 0);
      await eventually(async () => assert.match(await (await workbench.explorer.row([testConnection.name, 'Campaigns', 'Winter'])).description(), /^scheduled/u));
    });

    it('takes a template along, as its preview shows it', async () => {
      const workbench = window();
      await workbench.enterApiKey();
      await workbench.explorer.open();
      await (await workbench.explorer.row([testConnection.name, 'Templates', 'Welcome'])).contextAction('Create Campaign from Template…');
      await workbench.editors.waitForActive('Welcome.campaign.json');
      const request = workbench.service.requests.findLast(({ operation }) => operation === 'createOrUpdateCampaign')?.body as { body: string; subject: string };
      assert.match(request.body, /^<style>/u);
      assert.match(request.subject, /Pebblework/u);
    });
  });

  describe('Sending a campaign', () => {
    it('asks with everything that matters, sends nothing when cancelled, and goes out once when agreed to', async () => {
      const workbench = window();
      const { id, other } = await openCampaign(workbench);
      await workbench.editors.replaceAll('<p>Red leaves</p>');
      await workbench.editors.titleAction('Send Campaign');
      const look = await workbench.webviews.frame('lastLook');
      const text = async () => (await look.locator('main').innerText()).replace(/\s+/gu, ' ');
      await eventually(async () => assert.match(await text(), /In the inbox .*Leaves fall.* When It goes out now\. To whom Test .*3 recipients/u));
      assert.match(await text(), /Tested No test of it was sent from this workspace\. Checks .*Tags without a value None was found among the first 3 subscribers of its lists/u);
      assert.equal(await (await workbench.webviews.inner('lastLook')).locator('body').innerText(), 'Red leaves');
      assert.equal(await workbench.dialog.isOpen(), false, 'First it is looked at.');
      await look.getByText('Don’t Send').click();
      await workbench.editors.waitForActive('Autumn.html');
      assert.equal(await workbench.dialog.isOpen(), false);

      await workbench.editors.titleAction('Send Campaign');
      await workbench.passLastLook('last-look');
      const question = await workbench.dialog.text();
      assert.match(question, /Send "Autumn" to 3 recipients on Test service\?/u);
      assert.match(question, /Subject: Leaves fall/u);
      assert.match(question, /Lists: Test/u);
      assert.match(question, /goes out now/u);
      await workbench.screenshot('campaign-send');
      await workbench.dialog.click('Cancel');
      assert.equal(sends(workbench), 0);

      await workbench.editors.titleAction('Send Campaign');
      await workbench.passLastLook();
      await workbench.dialog.click('Send Now');
      await workbench.notifications.waitFor('"Autumn" was sent to 3 recipients.');
      assert.equal(sends(workbench), 1);
      assert.match(await workbench.service.outbox.eml(1), /Red leaves/u);
      assert.equal((await other.getCampaignById(id)).sent, 1);
      await eventually(async () => assert.match(await (await workbench.explorer.row([testConnection.name, 'Campaigns', 'Autumn'])).description(), /^sent/u));
      await eventually(async () => assert.equal(await workbench.editors.isReadOnly('Autumn.html'), true));
      await workbench.screenshot('campaign-sent');

      await (await workbench.explorer.row([testConnection.name, 'Campaigns', 'Autumn'])).contextAction('Send Campaign…');
      await workbench.passLastLook();
      assert.match(await workbench.dialog.text(), /was sent already.*Send it AGAIN/u);
      await workbench.screenshot('campaign-send-again');
      await workbench.dialog.click('Cancel');
      assert.equal(sends(workbench), 1);
    });

    it('says that nothing is known where the answer is lost, also after a reload, until the service is done with it', async () => {
      const workbench = window();
      const { other } = await openCampaign(workbench);
      const late = workbench.service.faults.add({ kind: 'late', operation: 'sendCampaign', times: 1 });
      await workbench.editors.titleAction('Send Campaign');
      await workbench.passLastLook();
      await workbench.dialog.click('Send Now');
      await workbench.notifications.waitFor(/it is not known whether it went out: the service may still be at it/u);
      const row = () => workbench.explorer.row([testConnection.name, 'Campaigns', 'Autumn']);
      await eventually(async () => assert.equal(await (await row()).description(), 'sending, answer lost'));
      await workbench.screenshot('campaign-lost');

      await workbench.reload();
      await workbench.explorer.open();
      await eventually(async () => assert.equal(await (await row()).description(), 'sending, answer lost'));
      await (await row()).contextAction('Send Campaign…');
      await workbench.passLastLook();
      assert.match(await workbench.dialog.text(), /was told to go out at .*no answer came.*Send it AGAIN[^]*gets it twice/u);
      await workbench.screenshot('campaign-lost-again');
      await workbench.dialog.click('Cancel');
      assert.equal(sends(workbench), 1);

      late.land();
      await workbench.notifications.waitFor(/^"Autumn" was sent off: the service says so now/u);
      await eventually(async () => assert.match(await (await row()).description(), /^sent/u));
      assert.deepEqual([sends(workbench), workbench.service.outbox.count, (await other.getCampaigns({ filters: { sent: 1, name: 'Autumn' }, limit: 2 })).length], [1, 3, 1]);
    });
  });
});
