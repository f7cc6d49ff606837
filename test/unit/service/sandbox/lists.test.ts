import assert from 'node:assert/strict';
import { assertColumns, both, checkErrors, getFirstRecord, getRecords, useService, pick } from './support.ts';

describe('sandbox: lists', () => {
  for (const profile of both) {
    describe(profile, () => {
      const service = useService({ profile });
      const { reply, rows, record } = service;
      const names = async (query: string) => (await rows('getLists', query)).map(({ name }) => name);

      it('filters lists', async () => {
        assert.deepEqual(await names('filters[id]=8'), ['Test']);
        assert.deepEqual(await names('filters[name]=new'), ['Newsletter']);
        assert.deepEqual(await names('filters[active]=0'), ['Blog readers (old site)']);
        assert.deepEqual(await names('filters[active]=1&offset=1&limit=2'), ['Product updates', 'Weekly digest']);
      });
      it('creates a list with the documented defaults', async () => {
        const { listId } = await record('createList', { name: 'Mine' });
        assert.equal(typeof listId, 'number');
        const list = await record('getLists', `filters[id]=${String(listId)}`);
        assert.deepEqual(pick(list, 'active visible type welcome_id'), ['1', '1', 'standard', null]);
      });
      it('creates an inactive, invisible list with mails', async () => {
        const fields = { active: 2, visible: 2, color: '#00ff00', welcomeId: 3, unsubscribeId: 4 };
        const [status, json] = await reply('createList', { name: 'Mine', ...fields });
        assert.equal(status, 201);
        const list = await record('getLists', `filters[id]=${Object(json).listId}`);
        assert.deepEqual(pick(list, 'active visible color welcome_id unsubscribe_id'), ['0', '0', '#00ff00', '3', '4']);
      });
      it('deletes a list and removes it from campaigns', async () => {
        assert.deepEqual(await reply('deleteList', 'listId=5'), [200, { message: 'List deleted.' }]);
        assert.deepEqual(await names('filters[id]=5'), []);
        assert.deepEqual((await record('getCampaignById', 'campaignId=8'))['listIds'], [1]);
        assert.deepEqual(await rows('getSubscribersFromLists', 'listIds[]=5'), []);
      });

      checkErrors(service, [
        ['createList', {}, 422, 'List name missing.'],
        ['createList', { name: ' ' }, 422, 'List name missing.'],
        ['deleteList', '', 422, 'List id not provided in the request body.'],
        ['deleteList', 'listId=999', 404, 'List not found.'],
      ]);

      it('responds with 500 and errors to an invalid list', async () => {
        assert.deepEqual(await reply('createList', { name: 'x', color: 'red' }), [
          500,
          { message: 'Error creating list.', errors: ['Invalid color: red'] },
        ]);
      });
    });
  }

  describe('documented', () => {
    const service = useService();
    const { call } = service;
    it('returns a nested array with the documented fields', async () => {
      const { json } = await call('getLists');
      assert.ok(Array.isArray(json) && json.length === 1 && Array.isArray(json[0]));
      assert.equal(json[0].length, 8);
      assertColumns(
        getFirstRecord(json),
        'id name display_name active visible clean color creation_date welcome_id unsubscribe_id cms_user_id access description tracking type translation',
      );
    });
  });

  describe('acymailing', () => {
    const service = useService({ profile: 'acymailing' });
    const { call, rows, record } = service;
    it('returns a flat array that includes follow-up lists unless filtered', async () => {
      const { json } = await call('getLists');
      assert.ok(Array.isArray(json) && !Array.isArray(json[0]));
      assert.equal(getRecords(json).filter(({ type }) => type === 'followup').length, 4);
      const filtered = await rows('getLists', 'filters[active]=1');
      assert.deepEqual(new Set(filtered.map(({ type }) => type)), new Set(['standard']));
    });
    it('updates the member counts', async () => {
      const test = () => record('getLists', 'filters[id]=8');
      const { subscribers, unsubscribed_users } = await test();
      assert.deepEqual([subscribers, unsubscribed_users], ['3', '0']);
      await call('unsubscribeUsers', { emails: ['test.phone@example.com'], listIds: [8] });
      const after = await test();
      assert.deepEqual([after['subscribers'], after['unsubscribed_users'], after['new_unsub']], ['2', '1', '1']);
    });
    it('returns counts that match the pages', async () => {
      for (const list of await rows('getLists')) {
        const count = async (operation: string) =>
          (await rows(operation, `listIds[]=${String(list['id'])}&limit=500`)).length;
        assert.equal(String(await count('getSubscribersFromLists')), list['subscribers']);
        assert.equal(String(await count('getUnsubscribedUsersFromLists')), list['unsubscribed_users']);
      }
    });
  });
});
