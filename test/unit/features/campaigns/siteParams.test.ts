import assert from 'node:assert/strict';
import { campaignDocuments, createUpdateRequest } from '../../../../src/features/campaigns/documents.ts';
import { campaignDetailFields } from '../../../../src/features/campaigns/details.ts';
import { MailingClient, type Campaign } from '../../../../src/service/client/index.ts';
import type { Row } from '../../../../src/service/client/shapes.ts';
import type { Fields } from '../../../../src/platform/documents/model.ts';
import { useService } from '../../service/sandbox/support.ts';

const utm = { utm_source: 'site', utm_medium: 'mail', utm_campaign: 'old' };
const siteParams = {
  ...utm,
  segment: { invert: '', filters: { 0: { 1: { acy_list: { list: '4' } } } } },
  resendTarget: 'all',
  abtest: { B: 164, repartition: '50', after: { delay: '1', unit: 'day', action: 'open' } },
  admin_notification_emails: 'a@example.com',
};
const auto = {
  sending_type: 'auto',
  frequency: 'every',
  frequency_options: { unit: 'day', value: 2 },
  need_confirm: 0,
} as const;
const schedule = { trigger_type: 'every', every: { type: 86_400, number: 2 }, need_confirm_to_send: 0 };
const types: Readonly<Record<string, Fields>> = {
  now: { sending_type: 'now' },
  scheduled: { sending_type: 'scheduled', sending_date: '2027-04-01 10:00:00' },
  auto,
};
const service = { connection: 'c', baseUrl: '' };

describe("the site's settings of a campaign", () => {
  const sandboxService = useService({ profile: 'acymailing' });
  let client: MailingClient;
  beforeEach(() => {
    const { baseUrl, apiKey } = sandboxService.sandbox;
    client = new MailingClient({ baseUrl, apiKey, profile: 'acymailing' });
  });
  afterEach(() => client.close());
  const create = async (type: string, sending_params: Row = siteParams) => {
    const fields = { name: 'N', subject: 'S', body: '<p>b</p>', ...types[type], sending_params };
    const { campaignId } = await client.createOrUpdateCampaign(fields);
    return client.getCampaignById(campaignId);
  };
  const save = async (campaign: Campaign, fields: Fields) => {
    await campaignDocuments.update(client, campaign, fields, service);
    return (await client.getCampaignById(campaign.id)).sending_params;
  };

  for (const type of Object.keys(types)) {
    const stored = { ...siteParams, ...(type === 'auto' && schedule) };
    it(`are editable, and whole after an update (${type})`, async () => {
      const campaign = await create(type);
      assert.equal(campaignDocuments.getReadOnlyReason(campaign), undefined);
      assert.deepEqual(campaign.sending_params, stored);
      assert.deepEqual(campaignDocuments.getField(campaign, 'sending_params'), siteParams);
      assert.deepEqual(await save(campaign, { subject: 'T' }), stored);
    });

    it(`can get an absent key (${type})`, async () => {
      const sending_params = { ...siteParams, utm_content: 'x' };
      assert.deepEqual(await save(await create(type), { sending_params }), { ...stored, utm_content: 'x' });
      assert.deepEqual(await save(await create(type, {}), { sending_params: utm }), {
        ...(type === 'auto' && schedule),
        ...utm,
      });
    });

    for (const other of Object.keys(types).filter((each) => each !== type)) {
      it(`are whole after a change from ${type} to ${other}`, async () => {
        const expected = { ...siteParams, ...((type === 'auto' || other === 'auto') && schedule) };
        assert.deepEqual(await save(await create(type), types[other] ?? {}), expected);
      });
    }
  }

  for (const [what, sending_params] of [
    ['changed', { ...siteParams, utm_campaign: 'new' }],
    ['removed', { ...siteParams, utm_campaign: undefined }],
    ['removed with all others', undefined],
  ] as const) {
    for (const type of ['now', 'scheduled']) {
      it(`name a key that only the site can change if it is ${what} (${type})`, async () => {
        const campaign = await create(type);
        await assert.rejects(
          save(campaign, { sending_params }),
          /^Error: You can change .*"utm_campaign".* on the service's website only\. Nothing was saved\.$/u,
        );
        assert.deepEqual((await client.getCampaignById(campaign.id)).sending_params, siteParams);
      });
    }

    it(`store a key that is ${what} (auto)`, async () => {
      const expected: object = { ...JSON.parse(JSON.stringify(sending_params ?? {})), ...schedule };
      assert.deepEqual(await save(await create('auto'), { sending_params }), expected);
    });
  }

  for (const type of ['now', 'scheduled']) {
    it(`are named if a change from ${type} to auto would delete them`, async () => {
      const campaign = await create(type);
      await assert.rejects(
        save(campaign, { ...auto, sending_params: { ...siteParams, utm_medium: undefined, segment: undefined } }),
        /would delete "utm_medium" and "segment"\. .* Nothing was saved\.$/u,
      );
      assert.deepEqual((await client.getCampaignById(campaign.id)).sending_params, siteParams);
      const sending_params = { ...siteParams, utm_campaign: 'new' };
      assert.deepEqual(await save(campaign, { ...auto, sending_params }), { ...sending_params, ...schedule });
    });
  }

  it('are sent with the changed schedule, not with the stored one', async () => {
    const campaign = await create('auto');
    const fields = { frequency_options: { unit: 'week', value: 1 }, start_date: '2027-02-01' } as const;
    assert.deepEqual(createUpdateRequest(campaign, fields).sending_params, siteParams);
    const started = await save(campaign, fields);
    const every = { type: 604_800, number: 1 };
    assert.deepEqual(started, { ...siteParams, ...schedule, every, start_date: '2027-02-01' });
    const again = await client.getCampaignById(campaign.id);
    assert.deepEqual(await save(again, { subject: 'T' }), started, 'the start date is sent as it is stored');
    assert.deepEqual(await save(again, { start_date: undefined }), { ...siteParams, ...schedule, every });
  });

  it('are in the details only if there are any', async () => {
    const [, details] = campaignDocuments.parts;
    assert.ok(details);
    const text = details.render(await create('now', {}));
    assert.equal(text.includes('sending_params'), false);
    const fields = await details.parse(text.replace(/\}\s*$/u, ', "sending_params": {}}'));
    assert.deepEqual([Object.keys(fields), fields['sending_params']], [campaignDetailFields, undefined]);
    assert.match(details.render(await create('now', utm)), /"utm_source": "site"/u);
  });
});
