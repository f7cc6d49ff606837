import assert from 'node:assert/strict';
import type { Campaign } from '../../../../../src/service/client/index.ts';
import { createCampaignTree } from '../../../../../src/features/campaigns/tree.ts';
import { CampaignFigures, type StatisticsConnections } from '../../../../../src/features/statistics/host/source.ts';

const ref = { connection: 'c', id: 5 };
/** Returns the card of a campaign with this record. */
async function readCard(record?: Campaign) {
  const services: object = {
    get: () => ({ id: 'c', name: 'Shop', baseUrl: 'https://shop.example', profile: 'documented' }),
    run: async () => record ?? Promise.reject(new Error('It is broken.')),
  };
  const figures = new CampaignFigures(services as StatisticsConnections, ref, () => undefined);
  await figures.readRecord(new AbortController().signal);
  return figures.card;
}
const campaign: Campaign = {
  id: 5,
  name: 'Weekly',
  sent: 0,
  draft: 1,
  active: 0,
  sending_type: 'now',
  sending_date: '2026-01-02 03:04:05',
};
const sendingParams = { trigger_type: 'every', every: { type: 86_400, number: 2 } };

describe('card of a campaign', () => {
  for (const [what, fields] of [
    ['a draft', {}],
    ['a sent campaign', { sent: 1, draft: 0 }],
    ['a scheduled campaign', { draft: 0, active: 1, sending_type: 'scheduled' }],
    ['an automatic campaign', { draft: 0, active: 1, sending_type: 'auto', sending_params: sendingParams }],
    [
      'an automatic campaign that has sent',
      { sent: 1, draft: 0, active: 1, sending_type: 'auto', sending_params: sendingParams },
    ],
  ] as const) {
    it(`shows the same state of ${what} as the tree`, async () => {
      const record = { ...campaign, ...fields };
      const card = await readCard(record);
      assert.deepEqual(
        [card.name, card.state],
        ['Weekly', createCampaignTree(() => false).item(record, ref).description],
      );
    });
  }

  it('shows no state if the record has none', async () => {
    assert.equal((await readCard({ id: 5, name: 'Weekly' })).state, '');
    assert.equal((await readCard()).name, 'Campaign 5');
  });
});
