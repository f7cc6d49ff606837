import assert from 'node:assert/strict';
import {
  assertColumns,
  both,
  checkErrors,
  getFirstRecord,
  getRecords,
  pick,
  useService,
  type Service,
} from './support.ts';
import type { Json } from '../../../../src/service/client/shapes.ts';

const tester = 'test.phone@example.com';

async function readSubscription({ rows }: Service, listId: number) {
  const entries = await rows('getUserSubscriptionById', 'userId=1');
  const lists = entries.flatMap((entry) => ('status' in entry ? [entry] : getRecords(Object.values(entry))));
  return lists.find(({ id }) => id === String(listId)) ?? {};
}

describe('sandbox: subscriptions', () => {
  for (const profile of both) {
    describe(profile, () => {
      const service = useService({ profile });
      const { call, reply, rows } = service;

      it('subscribes and sends the welcome mail of the list', async () => {
        const user = { emails: [tester.toUpperCase()], listIds: [1] };
        await call('unsubscribeUsers', { ...user, sendUnsubscribeEmail: false });
        assert.deepEqual(await reply('subscribeUsers', { ...user, trigger: false }), [
          200,
          { message: 'Users subscribed.' },
        ]);
        assert.deepEqual(pick(await readSubscription(service, 1), 'status subscription_date unsubscribe_date'), [
          '1',
          '2026-05-20 10:00:00',
          null,
        ]);
        const { to, subject, campaignId, listIds } = service.sandbox.outbox.get(1) ?? {};
        assert.deepEqual([to, subject, campaignId, listIds], [tester, 'You are on the list', null, [1]]);
      });
      it('sends no welcome mail if disabled or already subscribed', async () => {
        const user = { emails: [tester], trigger: false };
        await call('subscribeUsers', { ...user, listIds: [4], sendWelcomeEmail: false });
        await call('subscribeUsers', { ...user, listIds: [6] });
        assert.equal(service.sandbox.outbox.count, 0);
        assert.equal((await readSubscription(service, 4))['status'], '1');
      });
      it('unsubscribes and sends the unsubscribe mail of the list', async () => {
        const user = { emails: [tester], listIds: [1] };
        await call('subscribeUsers', { ...user, sendWelcomeEmail: false, trigger: false });
        service.sandbox.clock.advance(60_000);
        assert.deepEqual(await reply('unsubscribeUsers', user), [200, { message: 'Users unsubscribed.' }]);
        assert.deepEqual(pick(await readSubscription(service, 1), 'status unsubscribe_date'), [
          '0',
          '2026-05-20 10:01:00',
        ]);
        assert.deepEqual(
          service.sandbox.outbox.messages.map(({ subject }) => subject),
          ['You will not hear from us again'],
        );
      });
      it('moves the user between the subscribed and unsubscribed results', async () => {
        const emails = async (operation: string) => (await rows(operation, 'listIds[]=8')).map(({ email }) => email);
        await call('unsubscribeUsers', { emails: [tester], listIds: [8] });
        assert.deepEqual(await emails('getSubscribersFromLists'), [
          'test.desktop@example.org',
          'test.webmail@example.net',
        ]);
        assert.deepEqual(await emails('getUnsubscribedUsersFromLists'), [tester]);
      });
      it('names missing users and lists', async () => {
        const input = { emails: ['a@x.example', tester, 'b@x.example'], listIds: [8, 99999] };
        const errors = 'User not found: a@x.example, b@x.example, List not found: 99999';
        for (const prefix of ['', 'un'])
          assert.deepEqual(await reply(`${prefix}subscribeUsers`, input), [
            200,
            { message: `Users ${prefix}subscribed.`, errors },
          ]);
      });
      it('starts the follow-ups of the list', async () => {
        const { sandbox } = service;
        await call('unsubscribeUsers', { emails: [tester], listIds: [1], sendUnsubscribeEmail: false });
        await call('subscribeUsers', { emails: [tester], listIds: [1], sendWelcomeEmail: false });
        const subjects = () =>
          sandbox.outbox.messages.filter(({ campaignId }) => campaignId === null).map(({ subject }) => subject);
        sandbox.clock.advance(299_000);
        assert.deepEqual(subjects(), []);
        sandbox.clock.advance(1000);
        assert.deepEqual(subjects(), ['Good to have you here']);
        sandbox.clock.advance(8 * 86_400_000);
        assert.deepEqual(subjects(), [
          'Good to have you here',
          'Three things to read first',
          'What would you like to hear about?',
        ]);
        await call('unsubscribeUsers', { emails: [tester], listIds: [1], sendUnsubscribeEmail: false });
        await call('subscribeUsers', { emails: [tester], listIds: [1], sendWelcomeEmail: false });
        sandbox.clock.advance(300_000);
        assert.equal(subjects().length, 3, 'a follow-up without loop is started once');
      });
      it('starts no follow-up if disabled, or for another list', async () => {
        const { sandbox } = service;
        await call('unsubscribeUsers', { emails: [tester], listIds: [1, 2], sendUnsubscribeEmail: false });
        await call('subscribeUsers', { emails: [tester], listIds: [1], sendWelcomeEmail: false, trigger: false });
        await call('subscribeUsers', { emails: [tester], listIds: [2], sendWelcomeEmail: false });
        sandbox.clock.advance(600_000);
        assert.equal(sandbox.outbox.count, 0);
      });
      it('pages through distinct members of several lists', async () => {
        const page = async (query: string) =>
          (await rows('getSubscribersFromLists', `listIds[]=1&listIds[]=6${query}`)).map(({ id }) => id);
        assert.equal((await page('')).length, 100);
        const all = await page('&limit=500');
        assert.deepEqual(
          all,
          Array.from({ length: 240 }, (_, at) => String(at + 1)),
        );
        assert.deepEqual(await page('&offset=230&limit=50'), all.slice(230));
        assert.deepEqual(await page('&offset=240'), []);
      });
      it('shifts later pages when a member unsubscribes', async () => {
        const page = async () =>
          (await rows('getSubscribersFromLists', 'listIds[]=6&offset=100&limit=5')).map(({ id }) => id);
        assert.deepEqual(await page(), ['101', '102', '103', '104', '105']);
        await call('unsubscribeUsers', { emails: [tester], listIds: [6] });
        assert.deepEqual(await page(), ['102', '103', '104', '105', '106']);
      });

      checkErrors(service, [
        ['getUserSubscriptionById', '', 422, 'User ID not provided in the query parameters.'],
        ['getSubscribersFromLists', '', 422, 'List IDs not provided in the query parameters.'],
        ['subscribeUsers', { listIds: [1] }, 422, 'Emails not provided in the request body.'],
        ['subscribeUsers', { emails: [tester] }, 422, 'List IDs not provided in the request body.'],
        ['unsubscribeUsers', { listIds: [1] }, 422, 'Emails not provided in the request body.'],
        ['unsubscribeUsers', { emails: [tester] }, 422, 'List IDs not provided in the request body.'],
        ['subscribeUsers', { emails: ['missing@x.example'], listIds: [1] }, 404, 'No users found.'],
      ]);
    });
  }

  describe('documented', () => {
    const service = useService();
    const { call } = service;
    it('returns an object keyed by list id and a nested array of subscribers', async () => {
      const { json } = await call('getUserSubscriptionById', 'userId=1');
      assert.ok(Array.isArray(json) && json.length === 1);
      assertColumns(
        json[0]['8'],
        'id translation name display_name color active visible description status subscription_date unsubscribe_date',
      );
      const { json: members } = await call('getSubscribersFromLists', 'listIds[]=8');
      assert.ok(Array.isArray(members) && members.length === 1 && members[0].length === 3);
      assertColumns(members[0][0], 'email name id confirmed status subscription_date');
    });
  });

  describe('acymailing', () => {
    const service = useService({ profile: 'acymailing' });
    const { call, record } = service;
    it('returns flat arrays with additional fields', async () => {
      const { json } = await call('getUserSubscriptionById', 'userId=1');
      assert.ok(Array.isArray(json) && json.some((entry: Json) => getFirstRecord(entry)['id'] === '8'));
      const member = await record('getSubscribersFromLists', 'listIds[]=8');
      for (const field of ['creation_date', 'active', 'source', 'language', 'unsubscribe_date'])
        assert.ok(field in member, field);
    });
  });
});
