import assert from 'node:assert/strict';
import { CustomFieldsClient } from '../../../../src/platform/connections/customFieldsClient.ts';
import { WireServer, json } from '../../../support/wire.ts';

describe('CustomFieldsClient', () => {
  it('collects the names of custom fields, without the documented ones', async () => {
    const record = { id: 1, email: 'a@b.example', name: 'A', confirmed: 1, city: 'Rome', 'First name': 'A' };
    const server = await WireServer.start(() => json(200, [{ ...record, '<b>': 1, 'a{b}': 2, 7: 3 }]));
    const names = new Set<string>();
    const client = new CustomFieldsClient({ baseUrl: server.url, apiKey: 'k' }, names);
    try {
      const [subscriber] = await client.getSubscribersFromLists([1]);
      assert.equal(subscriber?.email, 'a@b.example');
      assert.deepEqual([...names], ['city', 'First name']);
      names.clear();
      await client.getUnsubscribedUsersFromLists([1]);
      assert.deepEqual([...names], ['city', 'First name']);
    } finally {
      await client.close();
      await server.close();
    }
  });

  it('collects the names from all users, because each has only the fields with a value', async () => {
    const columns = { id: '1', email: 'a@b.example', last_open_date: null, deactivation_date: null };
    const others = Array.from({ length: 30 }, () => columns);
    const server = await WireServer.start(() => json(200, [...others, { ...columns, City: 'Rome' }]));
    const names = new Set<string>();
    const client = new CustomFieldsClient({ baseUrl: server.url, apiKey: 'k', profile: 'acymailing' }, names);
    try {
      await client.getUsers();
      assert.deepEqual([...names], ['City']);
    } finally {
      await client.close();
      await server.close();
    }
  });
});
