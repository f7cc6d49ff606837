import assert from 'node:assert/strict';
import type { FollowUp, MailingClient } from '../../../../src/service/client/index.ts';
import { followUpTree } from '../../../../src/features/followUps/tree.ts';

const ref = { connection: 'c', id: 5 };

function createFollowUp(fields: Partial<FollowUp> = {}): FollowUp {
  return {
    id: 5,
    name: 'Welcome',
    display_name: 'Welcome series',
    creation_date: null,
    trigger: 'user_subscribe',
    condition: null,
    active: 1,
    send_once: 1,
    list_id: 4,
    last_trigger: null,
    loop: 0,
    loop_delay: 0,
    loop_mail_skip: null,
    ...fields,
  } as FollowUp;
}

describe('followUpTree', () => {
  it('describes follow-ups by the documented label of their trigger', () => {
    const item = followUpTree.item(createFollowUp(), ref);
    assert.equal(item.description, 'when a user subscribes');
    assert.equal(item.contextValue, 'mailing.followUp.active');
    assert.equal(
      followUpTree.item(createFollowUp({ trigger: 'woocommerce_purchase' }), ref).description,
      'when a user purchases a product (WooCommerce)',
    );
  });

  it('shows undocumented triggers unchanged', () => {
    assert.equal(followUpTree.item(createFollowUp({ trigger: 'moon_rises' }), ref).description, 'moon_rises');
    assert.equal(followUpTree.item(createFollowUp({ trigger: 'constructor' }), ref).description, 'constructor');
    assert.equal(followUpTree.item(createFollowUp({ trigger: null }), ref).description, '');
  });

  it('marks inactive follow-ups by icon and text, and counts mails if the response includes them', () => {
    const active = followUpTree.item(createFollowUp(), ref);
    const inactive = followUpTree.item(createFollowUp({ active: 0, mails: [{}, {}] }), ref);
    assert.equal(inactive.description, 'inactive · when a user subscribes · 2 emails');
    assert.equal(inactive.contextValue, 'mailing.followUp.inactive');
    assert.notDeepEqual(inactive.icon, active.icon);
  });

  it('filters by the documented columns', async () => {
    const calls: object[] = [];
    const getFollowUps = async (query: object = {}): Promise<FollowUp[]> => {
      calls.push(query);
      return [];
    };
    const client = { getFollowUps } as Partial<MailingClient> as MailingClient;
    const page = { offset: 0, limit: 100 };
    await followUpTree.fetch(
      client,
      page,
      { name: 'a', display_name: 'b', active: '1', send_once: '0', trigger: 'birthday' },
      {},
    );
    await followUpTree.fetch(client, page, {}, {});
    assert.deepEqual(calls, [
      { ...page, filters: { name: 'a', display_name: 'b', active: 1, send_once: 0, trigger: 'birthday' } },
      { ...page, filters: {} },
    ]);
  });
});
