import assert from 'node:assert/strict';
import type { Campaign } from '../../../src/api/index.ts';
import { changedSince } from '../../../src/campaigns/plan.ts';

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
