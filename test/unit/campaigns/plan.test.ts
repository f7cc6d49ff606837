import assert from 'node:assert/strict';
import { listCeiling } from '../../../src/api/allLists.ts';
import type { Campaign, MailingClient } from '../../../src/api/index.ts';
import { changedSince, planOf } from '../../../src/campaigns/plan.ts';

const agreed: Campaign = {
  id: 2, name: 'Autumn', subject: 'Leaves', body: '<p>x</p>', from_name: 'Ann', listIds: [8, 3], draft: 1, active: 0, sent: 0, sending_type: 'now', sending_date: null,
  preheader: 'Look', views: 10, last_seen: '2026-05-20 10:00:00',
};

describe('what a user agreed to before a sending', () => {
  for (const [what, now] of [
    ['a counter of views', { views: 11, last_seen: '2026-05-20 10:00:05' }],
    ['the order of the lists', { listIds: [3, 8] }],
    ['a field that comes and goes', { cache: 'x', views: undefined }],
  ] as const) {
    it(`does not depend on ${what}`, () => assert.deepEqual(changedSince(agreed, { ...agreed, ...now }), []));
  }

  for (const [field, now] of [
    ['name', { name: 'Winter' }],
    ['subject', { subject: 'Snow' }],
    ['body', { body: '<p>y</p>' }],
    ['preheader', { preheader: 'Other' }],
    ['from_name', { from_name: 'Bob' }],
    ['listIds', { listIds: [8] }],
    ['listIds', { listIds: [8, 3, 6] }],
    ['sending_type', { sending_type: 'birthday' }],
    ['sending_params', { sending_params: { trigger_type: 'asap' } }],
    ['whether it was sent', { draft: 0, active: 1, sent: 1, sending_date: '2026-05-20 10:00:00' }],
    ['whether it was sent', { draft: 0, active: 1 }],
  ] as const) {
    it(`is another with ${field}: ${JSON.stringify(now)}`, () => assert.deepEqual(changedSince(agreed, { ...agreed, ...now }), [field]));
  }
});

describe('the lists of a campaign that is to go out', () => {
  /** A service that knows lists 1 to `count`. */
  const plan = (count: number, listIds: readonly number[]) => {
    const lists = Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `List ${index + 1}`, subscribers: 5 }));
    const client = {
      getCampaignById: async () => ({ ...agreed, listIds }),
      getLists: async ({ offset = 0, limit = 100 }: { offset?: number; limit?: number }) => lists.slice(offset, offset + limit),
      share: (_: string, read: (signal: AbortSignal) => unknown, signal: AbortSignal) => read(signal),
    } as unknown as MailingClient;
    return planOf(client, { id: agreed.id, profile: 'documented', lost: undefined, signal: new AbortController().signal });
  };

  it('are named, with the number of their subscribers', async () => {
    const { lists, audience } = await plan(3, [2]);
    assert.deepEqual([lists?.map(({ id }) => id), audience], [[2], { count: 5, exact: true }]);
  });

  it('are told as missing where the service has no such list', async () => {
    await assert.rejects(plan(3, [2, 7]), /the service has no list #7\. Nothing was sent\./u);
  });

  it('are never told as missing where there are more lists than are read', async () => {
    await assert.rejects(plan(listCeiling + 10, [2, listCeiling + 5]), (error: Error) => {
      assert.doesNotMatch(error.message, /has no list/u);
      assert.match(error.message, /list #10005 can't be looked up\. .* Nothing was sent\./u);
      return true;
    });
  });
});
