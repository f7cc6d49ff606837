import assert from 'node:assert/strict';
import { both, checkErrors, getFirstRecord, getRecords, useService } from './support.ts';

describe('sandbox: lists', () => {
  for (const profile of both) {
    describe(profile, () => {
      const service = useService({ profile });
      const names = async (query: string) =>
        getRecords((await service().call('getLists', query)).json).map(({ name }) => name);

      it('filters lists', async () => {
        assert.deepEqual(await names('filters[id]=8'), ['Test']);
        assert.deepEqual(await names('filters[name]=new'), ['Newsletter']);
        assert.deepEqual(await names('filters[active]=0'), ['Blog readers (old site)']);
        assert.deepEqual(await names('filters[active]=1&offset=1&limit=2'), ['Product updates', 'Weekly digest']);
      });
      it('creates a list with the documented defaults', async () => {
        const { status, json } = await service().call('createList', { name: 'Mine' });
        assert.equal(status, 201);
        const { listId } = Object(json);
        const { active, visible, type, welcome_id } = getFirstRecord(
          (await service().call('getLists', `filters[id]=${listId}`)).json,
        );
        assert.deepEqual([typeof listId, active, visible, type, welcome_id], ['number', '1', '1', 'standard', null]);
      });
      it('creates an inactive, invisible list with mails', async () => {
        const { json } = await service().call('createList', {
          name: 'Mine',
          active: 2,
          visible: 2,
          color: '#00ff00',
          welcomeId: 3,
          unsubscribeId: 4,
        });
        const { active, visible, color, welcome_id, unsubscribe_id } = getFirstRecord(
          (await service().call('getLists', `filters[id]=${Object(json).listId}`)).json,
        );
        assert.deepEqual([active, visible, color, welcome_id, unsubscribe_id], ['0', '0', '#00ff00', '3', '4']);
      });
      it('deletes a list and removes it from campaigns', async () => {
        const { status, json } = await service().call('deleteList', 'listId=5');
        assert.deepEqual([status, json], [200, { message: 'List deleted.' }]);
        assert.deepEqual(await names('filters[id]=5'), []);
        assert.deepEqual(
          getFirstRecord((await service().call('getCampaignById', 'campaignId=8')).json)['listIds'],
          [1],
        );
        assert.deepEqual(getRecords((await service().call('getSubscribersFromLists', 'listIds[]=5')).json), []);
      });

      checkErrors(
        service,
        [
          { operation: 'createList', input: {}, status: 422, message: 'List name missing.' },
          { operation: 'createList', input: { name: ' ' }, status: 422, message: 'List name missing.' },
          { operation: 'deleteList', status: 422, message: 'List id not provided in the request body.' },
          { operation: 'deleteList', input: 'listId=999', status: 404, message: 'List not found.' },
        ],
        assert.deepEqual,
      );

      it('responds with 500 and errors to an invalid list', async () => {
        const { status, json } = await service().call('createList', { name: 'x', color: 'red' });
        assert.deepEqual([status, json], [500, { message: 'Error creating list.', errors: ['Invalid color: red'] }]);
      });
    });
  }

  describe('documented', () => {
    const service = useService();
    it('returns a nested array with the documented fields', async () => {
      const { json } = await service().call('getLists');
      assert.ok(Array.isArray(json) && json.length === 1 && Array.isArray(json[0]));
      assert.equal(json[0].length, 8);
      assert.deepEqual(Object.keys(getFirstRecord(json)), [
        'id',
        'name',
        'display_name',
        'active',
        'visible',
        'clean',
        'color',
        'creation_date',
        'welcome_id',
        'unsubscribe_id',
        'cms_user_id',
        'access',
        'description',
        'tracking',
        'type',
        'translation',
      ]);
    });
  });

  describe('acymailing', () => {
    const service = useService({ profile: 'acymailing' });
    it('returns a flat array that includes follow-up lists unless filtered', async () => {
      const { json } = await service().call('getLists');
      assert.ok(Array.isArray(json) && !Array.isArray(json[0]));
      assert.equal(getRecords(json).filter(({ type }) => type === 'followup').length, 4);
      const filtered = getRecords((await service().call('getLists', 'filters[active]=1')).json);
      assert.deepEqual(new Set(filtered.map(({ type }) => type)), new Set(['standard']));
    });
    it('updates the member counts', async () => {
      const test = async () => getFirstRecord((await service().call('getLists', 'filters[id]=8')).json);
      const { subscribers, unsubscribed_users } = await test();
      assert.deepEqual([subscribers, unsubscribed_users], ['3', '0']);
      await service().call('unsubscribeUsers', { emails: ['test.phone@example.com'], listIds: [8] });
      const after = await test();
      assert.deepEqual([after['subscribers'], after['unsubscribed_users'], after['new_unsub']], ['2', '1', '1']);
    });
    it('returns counts that match the pages', async () => {
      for (const list of getRecords((await service().call('getLists')).json)) {
        const count = async (operation: string) =>
          getRecords((await service().call(operation, `listIds[]=${String(list['id'])}&limit=500`)).json).length;
        assert.equal(String(await count('getSubscribersFromLists')), list['subscribers']);
        assert.equal(String(await count('getUnsubscribedUsersFromLists')), list['unsubscribed_users']);
      }
    });
  });
});
