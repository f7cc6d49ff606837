import assert from 'node:assert/strict';
import type { Subscriber } from '../../../../src/service/client/index.ts';
import { withCustomFields } from '../../../../src/service/client/users.ts';
import { json, respond, type Reply, type WireRequest } from '../../../support/wire.ts';
import { withService } from './setup.ts';

const createSubscriber = (id: number) => ({ id, name: 'Ann', email: `${id}@example.com` }) as Partial<Subscriber>;
const { signal } = new AbortController();

describe('custom fields of subscribers', () => {
  const read = async (
    ids: readonly number[],
    reply: (request: WireRequest, index: number) => Reply,
    profile: 'acymailing' | 'documented' = 'acymailing',
  ) => {
    const subscribers = ids.map((id) => createSubscriber(id) as Subscriber);
    const paths: string[] = [];
    let found: readonly Subscriber[] = [];
    await withService(
      reply,
      async (client, server) => {
        found = await withCustomFields(client, subscribers, signal);
        paths.push(...server.requests.map(({ head }) => (/task=(\S+)/u.exec(head) ?? [])[1] ?? ''));
      },
      { profile },
    );
    return { found, paths };
  };

  it('come from getUsers, by id for one person, without the connector', async () => {
    const user = { id: '7', email: 'other@example.com', name: 'x', City: 'Rome', confirmed: 'maybe' };
    const { found, paths } = await read([7], () => json(200, [user]));
    assert.deepEqual(paths, ['getUsers&offset=0&limit=500&filters%5Bid%5D=7']);
    assert.deepEqual(
      found.map((one) => [one.email, one['City']]),
      [['7@example.com', 'Rome']],
      'A field labeled "email" is not the address.',
    );
  });

  it('are read page by page until all subscribers are found', async () => {
    const createPage = (first: number) =>
      json(
        200,
        Array.from({ length: 500 }, (_, at) => ({ id: String(first + at), email: 'x', City: `City ${first + at}` })),
      );
    const { found, paths } = await read([3, 600], (_, index) => createPage(1 + index * 500));
    assert.deepEqual(
      found.map((one) => one['City']),
      ['City 3', 'City 600'],
    );
    assert.deepEqual(paths.slice(0, 2), ['getUsers&offset=0&limit=500', 'getUsers&offset=500&limit=500']);
    const endless = await read([3, 90_000], (_, index) => createPage(1 + index * 500));
    assert.deepEqual([endless.found.length, endless.paths.length <= 11], [1, true], 'Stops after 5000 users.');
  });

  for (const [what, reply] of [
    ['is forbidden', json(403, { message: 'Task not allowed.' })],
    ['has another method', json(405, { message: 'Method not allowed.' })],
    ['responds with text', respond(200, 'field "x" not secured')],
    ['knows nobody', json(200, [])],
  ] as const) {
    it(`are absent without an error if the task ${what}`, async () => {
      const { found } = await read([7], () => reply);
      assert.deepEqual(found, [createSubscriber(7)]);
    });
  }

  it('are not requested without subscribers or from other services', async () => {
    assert.deepEqual((await read([], () => json(200, []))).paths, []);
    const { found, paths } = await read([7], () => json(200, []), 'documented');
    assert.deepEqual([found.length, paths], [1, []]);
  });

  it('may be named __proto__', async () => {
    const user = '{"id":"7","email":"x","City":"Rome","__proto__":{"email":"evil"},"constructor":"x"}';
    const { found } = await read([7], () => respond(200, `[${user}]`));
    assert.deepEqual(
      found.map((one) => [one.email, one['City']]),
      [['7@example.com', 'Rome']],
    );
    assert.equal(Object.hasOwn(Object.prototype, 'email'), false);
  });
});
