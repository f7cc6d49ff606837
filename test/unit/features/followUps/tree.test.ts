import assert from 'node:assert/strict';
import type { FollowUp, MailingClient } from '../../../../src/service/client/index.ts';
import { followUpTree } from '../../../../src/features/followUps/tree.ts';

const ref = { connection: 'c', id: 5 };

function followUp(fields: Partial<FollowUp> = {}): FollowUp {
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

describe('follow-ups in the tree', () => {
  it("say their trigger in the document's words", () => {
    const item = followUpTree.item(followUp(), ref);
    assert.equal(item.description, 'when a user subscribes');
    assert.equal(item.contextValue, 'mailing.followUp.active');
    assert.equal(
      followUpTree.item(followUp({ trigger: 'woocommerce_purchase' }), ref).description,
      'when a user purchases a product (WooCommerce)',
    );
  });

  it('show a trigger that nobody knows as it is', () => {
    assert.equal(followUpTree.item(followUp({ trigger: 'moon_rises' }), ref).description, 'moon_rises');
    assert.equal(followUpTree.item(followUp({ trigger: 'constructor' }), ref).description, 'constructor');
    assert.equal(followUpTree.item(followUp({ trigger: null }), ref).description, '');
  });

  it('mark those that are inactive by icon and words, and count mails where they are known', () => {
    const active = followUpTree.item(followUp(), ref);
    const inactive = followUpTree.item(followUp({ active: 0, mails: [{}, {}] }), ref);
    assert.equal(inactive.description, 'inactive · when a user subscribes · 2 emails');
    assert.equal(inactive.contextValue, 'mailing.followUp.inactive');
    assert.notDeepEqual(inactive.icon, active.icon);
  });

  it('are asked for by the documented columns', async () => {
    const calls: unknown[] = [];
    const getFollowUps = async (query: unknown): Promise<FollowUp[]> => {
      calls.push(query);
      return [];
    };
    const client = { getFollowUps } as unknown as MailingClient;
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
