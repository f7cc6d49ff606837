import assert from 'node:assert/strict';
import type { Campaign } from '../../../../../src/service/client/index.ts';
import { campaignTree } from '../../../../../src/features/campaigns/tree.ts';
import { createCampaignCard } from '../../../../../src/features/statistics/host/cards.ts';

const ref = { connection: 'c', id: 5 };
const services = {
  get: () => ({ id: 'c', name: 'Shop', baseUrl: 'https://shop.example', profile: 'documented' as const }),
};
const campaign: Campaign = {
  id: 5,
  name: 'Weekly',
  sent: 0,
  draft: 1,
  active: 0,
  sending_type: 'now',
  sending_date: '2026-01-02 03:04:05',
};
const rhythm = { trigger_type: 'every', every: { type: 86_400, number: 2 } };

describe('the card of a campaign in its statistics', () => {
  for (const [what, fields] of [
    ['a draft', {}],
    ['one that went out', { sent: 1, draft: 0 }],
    ['one that waits for its date', { draft: 0, active: 1, sending_type: 'scheduled' }],
    ['an automatic one', { draft: 0, active: 1, sending_type: 'auto', sending_params: rhythm }],
    ['an automatic one that has sent', { sent: 1, draft: 0, active: 1, sending_type: 'auto', sending_params: rhythm }],
  ] as const) {
    it(`says of ${what} what the tree says`, () => {
      const record = { ...campaign, ...fields };
      const card = createCampaignCard(services as never, ref, { kind: 'read', campaign: record });
      assert.deepEqual([card.name, card.state], ['Weekly', campaignTree.item(record, ref).description]);
    });
  }

  it('says nothing of a state that its record does not tell', () => {
    assert.equal(
      createCampaignCard(services as never, ref, { kind: 'read', campaign: { id: 5, name: 'Weekly' } }).state,
      '',
    );
    assert.equal(createCampaignCard(services as never, ref, { kind: 'unread' }).name, 'Campaign 5');
  });
});
