import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CustomFieldsClient } from '../../../../src/platform/connections/customFieldsClient.ts';

describe('CustomFieldsClient', () => {
  it('collects the names of custom fields, without the documented ones', async () => {
    const server = createServer((_request, response) =>
      response.setHeader('content-type', 'application/json').end(
        JSON.stringify([
          {
            id: 1,
            email: 'a@b.example',
            name: 'A',
            confirmed: 1,
            city: 'Rome',
            '<b>': 1,
            'First name': 'A',
            'a{b}': 2,
            7: 3,
          },
        ]),
      ),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const names = new Set<string>();
    const client = new CustomFieldsClient(
      { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: 'k' },
      names,
    );
    try {
      const [subscriber] = await client.getSubscribersFromLists([1]);
      assert.equal(subscriber?.email, 'a@b.example');
      assert.deepEqual([...names], ['city', 'First name']);
      await client.getUnsubscribedUsersFromLists([1]);
      assert.deepEqual([...names], ['city', 'First name']);
    } finally {
      await client.close();
      server.close();
    }
  });
});
