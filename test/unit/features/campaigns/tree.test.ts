import assert from 'node:assert/strict';
import type { Campaign, MailingClient } from '../../../../src/service/client/index.ts';
import { readSchedule } from '../../../../src/features/campaigns/details.ts';
import { describeFrequency } from '../../../../src/features/campaigns/wording.ts';
import { getCampaignState } from '../../../../src/features/campaigns/details.ts';
import { createCampaignTree } from '../../../../src/features/campaigns/tree.ts';
import { formatServiceDateTime } from '../../../../src/platform/ui/format.ts';

const campaignTree = createCampaignTree(() => false);
const ref = { connection: 'c', id: 2 };
const date = '2026-11-20 08:24:55';
const formattedDate = formatServiceDateTime(date) ?? '';

const draft: Campaign = {
  id: 2,
  name: 'C1',
  subject: 'Hello',
  draft: 1,
  active: 0,
  sent: 0,
  sending_type: 'now',
  sending_date: null,
};
const scheduled: Campaign = { ...draft, draft: 0, active: 1, sending_type: 'scheduled', sending_date: date };
const auto: Campaign = {
  ...draft,
  draft: 0,
  active: 1,
  sending_type: 'auto',
  sending_params: { trigger_type: 'every', every: { type: 86400, number: 2 } },
};
const sent: Campaign = { ...draft, draft: 0, active: 1, sent: 1, sending_date: date };

describe('campaigns in the tree', () => {
  it('show their state as icon and description', () => {
    const items = [draft, scheduled, auto, sent].map((campaign) => campaignTree.item(campaign, ref));
    assert.deepEqual(
      items.map((item) => item.description),
      ['draft', `scheduled ${formattedDate}`, 'automatic every 2 days', `sent ${formattedDate}`],
    );
    assert.deepEqual(
      items.map((item) => item.contextValue),
      ['draft', 'scheduled', 'auto', 'sent'].map((state) => `mailing.campaign.${state}`),
    );
    assert.equal(new Set(items.map((item) => JSON.stringify(item.icon))).size, 4);
  });

  it('are drafts until they are started, even with a date or a frequency', () => {
    assert.equal(campaignTree.item({ ...scheduled, draft: 1 }, ref).description, `draft · to be sent ${formattedDate}`);
    assert.equal(
      campaignTree.item({ ...auto, draft: 1, active: 0 }, ref).description,
      'automatic every 2 days · draft',
    );
    assert.equal(campaignTree.item({ ...auto, active: 0 }, ref).description, 'automatic every 2 days · inactive');
  });

  it('show an unconfirmed send instead of the state in the record', () => {
    const tree = createCampaignTree(({ connection, id }) => connection === 'c' && id === 2);
    const item = tree.item(draft, ref);
    assert.deepEqual(
      [item.description, item.icon, item.contextValue],
      ['sending, answer lost', { codicon: 'question', color: 'charts.orange' }, 'mailing.campaign.draft'],
    );
    assert.equal(item.accessibleName, 'Campaign, C1, sending, answer lost');
    assert.equal(tree.item(draft, { connection: 'c', id: 3 }).description, 'draft');
  });

  it('are drafts if the record contains no state', () => {
    assert.equal(getCampaignState({ id: 1 }), 'draft');
    assert.equal(campaignTree.item({ id: 9 }, ref).label, 'Campaign 9');
  });

  it('show an active installation-specific sending type', () => {
    const birthday: Campaign = { ...draft, draft: 0, active: 1, sending_type: 'birthday' };
    assert.equal(campaignTree.item(birthday, ref).description, 'active, of the type “birthday”');
    assert.equal(campaignTree.item({ ...birthday, draft: 1, active: 0 }, ref).description, 'draft');
  });

  it('show their frequency from any record shape', () => {
    const rhythm = (fields: Partial<Campaign>): string | undefined =>
      describeFrequency(readSchedule({ id: 1, ...fields }));
    assert.equal(
      rhythm({ sending_params: { trigger_type: 'every', every: { type: 604800, number: '1' } } }),
      'every week',
    );
    assert.equal(rhythm({ frequency: 'every', frequency_options: { unit: 'month', value: 3 } }), 'every 3 months');
    assert.equal(rhythm({ sending_params: { trigger_type: 'asap' } }), 'each time the service runs its tasks');
    assert.equal(rhythm({ frequency: 'cron' }), 'each time the service runs its tasks');
    assert.equal(
      rhythm({ sending_params: { trigger_type: 'day', every: { type: 86_400, number: 2 } } }),
      undefined,
      'another rhythm than the one it once had',
    );
    for (const params of [
      null,
      {},
      { every: 'x' },
      { every: { type: 1, number: 2 } },
      { every: { type: 'constructor', number: 2 } },
      { every: { type: 3600, number: -1 } },
    ]) {
      assert.equal(rhythm({ sending_params: params }), undefined, JSON.stringify(params));
    }
  });

  it('are requested with the filters that services support', async () => {
    const calls: object[] = [];
    const getCampaigns = async (query: object = {}): Promise<Campaign[]> => {
      calls.push(query);
      return [];
    };
    const client = { getCampaigns } as Partial<MailingClient> as MailingClient;
    const page = { offset: 0, limit: 100 };
    await campaignTree.fetch(client, page, { name: 'a', subject: 'b', state: 'sent', sending_type: 'now' }, {});
    await campaignTree.fetch(client, page, { state: 'scheduled' }, {});
    await campaignTree.fetch(client, page, { state: 'auto' }, {});
    assert.deepEqual(calls, [
      { ...page, filters: { name: 'a', subject: 'b', sent: 1 } },
      { ...page, filters: { sent: 0 } },
      { ...page, filters: {} },
    ]);
  });

  it('are filtered locally by fields that services can not filter by', () => {
    const all = [draft, scheduled, auto, sent];
    const filterAll = (filter: Record<string, string>): Campaign[] =>
      all.filter((campaign) => campaignTree.matchesFilter?.(campaign, filter));
    assert.deepEqual(filterAll({}), all);
    assert.deepEqual(filterAll({ state: 'draft' }), [draft]);
    assert.deepEqual(filterAll({ state: 'auto' }), [auto]);
    assert.deepEqual(filterAll({ sending_type: 'now' }), [draft, sent]);
    assert.deepEqual(filterAll({ sending_type: 'now', state: 'sent' }), [sent]);
  });
});
