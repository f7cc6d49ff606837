import assert from 'node:assert/strict';
import type { MailingClient, MailingList } from '../../../../src/service/client/index.ts';
import { listTree } from '../../../../src/features/lists/tree.ts';

const ref = { connection: 'c', id: 3 };

function list(fields: Partial<MailingList> = {}): MailingList {
  return {
    id: 3,
    name: 'Customers',
    display_name: null,
    active: 1,
    visible: 1,
    clean: null,
    color: '#3366cc',
    creation_date: '2026-01-02 03:04:05',
    welcome_id: null,
    unsubscribe_id: null,
    cms_user_id: 1,
    access: null,
    description: null,
    tracking: 1,
    type: 'standard',
    translation: null,
    ...fields,
  };
}

describe('lists in the tree', () => {
  it('show their color and their number of subscribers if available', () => {
    const item = listTree.item(list({ subscribers: 12 }), ref);
    assert.deepEqual(item.icon, { swatch: '#3366cc' });
    assert.equal(item.label, 'Customers');
    assert.equal(item.description, '12 subscribers');
    assert.equal(item.contextValue, 'mailing.list');
    assert.equal(listTree.item(list(), ref).description, '');
  });

  it('show that they are inactive or invisible', () => {
    const item = listTree.item(list({ active: 0, visible: 0, type: 'followup', color: null, subscribers: 1 }), ref);
    assert.equal(item.description, '1 subscriber · inactive · invisible · of a follow-up');
    assert.equal(item.accessibleName, 'List, Customers, 1 subscriber, inactive, invisible, of a follow-up');
    assert.deepEqual(item.icon, { codicon: 'organization' });
  });

  it('always have a name', () => {
    assert.equal(listTree.item(list({ name: '', display_name: 'News' }), ref).label, 'News');
    assert.equal(listTree.item(list({ name: null }), ref).label, 'List 3');
  });

  it('are requested by page and filter', async () => {
    const calls: object[] = [];
    const getLists = async (...args: object[]): Promise<MailingList[]> => {
      calls.push(args);
      return [];
    };
    const client = { getLists } as Partial<MailingClient> as MailingClient;
    const { signal } = new AbortController();
    await listTree.fetch(client, { offset: 100, limit: 100 }, { name: 'a', active: '0' }, { signal });
    await listTree.fetch(client, { offset: 0, limit: 100 }, {}, {});
    assert.deepEqual(calls, [
      [{ offset: 100, limit: 100, filters: { name: 'a', active: 0 } }, { signal }],
      [{ offset: 0, limit: 100, filters: {} }, {}],
    ]);
  });
});
