import assert from 'node:assert/strict';
import {
  readAllLists,
  findList,
  findLists,
  isTruncated,
  MAX_LISTS,
  MAX_LISTS_LENGTH_CHARS,
} from '../../../../src/service/client/allLists.ts';
import { isApiError } from '../../../../src/service/client/index.ts';
import { isCancelled } from '../../../../src/platform/ui/errors.ts';
import { json } from '../../../support/wire.ts';
import type { Reply, WireRequest } from '../../../support/wire.ts';
import { withService } from './setup.ts';

const never = (): AbortSignal => new AbortController().signal;
const numberIn = (target: string, name: string): number =>
  Number(new URL(target, 'http://x').searchParams.get(name) ?? 0);

/** A service of so many lists, which answers page by page. */
const lists =
  (count: number) =>
  ({ target }: WireRequest): Reply => {
    const offset = numberIn(target, 'offset');
    const size = Math.max(0, Math.min(numberIn(target, 'limit'), count - offset));
    return json(
      200,
      Array.from({ length: size }, (_, index) => ({ id: offset + index + 1, name: `List ${offset + index + 1}` })),
    );
  };

describe('the lists of a service', () => {
  it('are read to the end', () =>
    withService(lists(250), async (client) => {
      const all = await readAllLists(client, never());
      assert.deepEqual([all.length, all.at(-1)?.id, isTruncated(all)], [250, 250, false]);
    }));

  it('are all there where there are as many as are read at most', () =>
    withService(lists(MAX_LISTS), async (client) => {
      const all = await readAllLists(client, never());
      assert.deepEqual([all.length, isTruncated(all)], [MAX_LISTS, false]);
    }));

  it('whose pages never end are read to a ceiling, and that is known', () =>
    withService(lists(Infinity), async (client, server) => {
      const all = await readAllLists(client, never());
      assert.deepEqual([all.length, isTruncated(all)], [MAX_LISTS + 1, true]);
      assert.ok(server.requests.length <= MAX_LISTS / 100 + 3, `${server.requests.length} requests`);
    }));

  it('whose text never ends are read to a ceiling of their size, and that is known', () => {
    const size = MAX_LISTS_LENGTH_CHARS / 8;
    const large = ({ target }: WireRequest): Reply => {
      const offset = numberIn(target, 'offset');
      return json(
        200,
        Array.from({ length: 2 }, (_, index) => ({
          id: offset + index + 1,
          name: 'List',
          description: 'x'.repeat(size),
        })),
      );
    };
    return withService(large, async (client, server) => {
      const all = await readAllLists(client, never());
      assert.deepEqual([all.length, isTruncated(all)], [8, true]);
      assert.ok(server.requests.length <= 6, `${server.requests.length} requests`);
      const { missing, isCertain } = await findLists(client, [100], never());
      assert.deepEqual([missing, isCertain], [[100], false]);
    });
  });

  it('are not told to be without one that was not reached', () =>
    withService(lists(Infinity), async (client) => {
      const told = await findList(client, 2 * MAX_LISTS, never()).catch((error: unknown) => error);
      assert.ok(isApiError(told) && told.kind !== 'notFound', String(told));
      assert.equal((await findList(client, 7, never())).id, 7);
    }));

  it('are told to be without one that is not there', () =>
    withService(lists(250), async (client) => {
      await assert.rejects(findList(client, 251, never()), { kind: 'notFound' });
    }));

  it('of some ids are read no further than until they are found', () =>
    withService(lists(250), async (client, server) => {
      const { found, missing, isCertain } = await findLists(client, [120, 3], never());
      assert.deepEqual(
        [found.map(({ id }) => id), missing, isCertain, server.requests.length],
        [[3, 120], [], true, 2],
      );
    }));

  it('of some ids are known to be missing, or not to be reached', async () => {
    await withService(lists(250), async (client) => {
      const { found, missing, isCertain } = await findLists(client, [3, 251], never());
      assert.deepEqual([found.map(({ id }) => id), missing, isCertain], [[3], [251], true]);
    });
    await withService(lists(Infinity), async (client) => {
      const { missing, isCertain } = await findLists(client, [2 * MAX_LISTS], never());
      assert.deepEqual([missing, isCertain], [[2 * MAX_LISTS], false]);
    });
  });

  it('are read once for all who ask at the same time, and again for who asks later', () =>
    withService(lists(250), async (client, server) => {
      const [one, other] = await Promise.all([
        readAllLists(client, never()),
        readAllLists(client, never()),
        findList(client, 3, never()),
      ]);
      assert.equal(one, other);
      const once = server.requests.length;
      assert.equal(new Set(server.requests.map(({ target }) => target)).size, once, 'A page was read twice.');
      await readAllLists(client, never());
      assert.equal(server.requests.length, 2 * once);
    }));

  it('are read fresh for who must know what is there from now on', () =>
    withService(lists(1), async (client, server) => {
      await Promise.all([readAllLists(client, never()), findList(client, 1, never(), { fresh: true })]);
      const whole = server.requests.length;
      await readAllLists(client, never());
      assert.equal(server.requests.length, 1.5 * whole);
    }));

  it('are read on for the others where one gives up', () =>
    withService(lists(250), async (client) => {
      const stop = new AbortController();
      const [gone, stays] = [
        readAllLists(client, stop.signal).catch((error: unknown) => error),
        readAllLists(client, never()),
      ];
      stop.abort();
      assert.ok(isCancelled(await gone));
      assert.equal((await stays).length, 250);
    }));

  it('are read no further where nobody waits any more', () =>
    withService(
      (request) => lists(Infinity)(request),
      async (client, server) => {
        const stop = new AbortController();
        const given = readAllLists(client, stop.signal).catch((error: unknown) => error);
        stop.abort();
        assert.ok(isCancelled(await given));
        // Who asks then begins fresh, and gets an answer.
        assert.ok((await readAllLists(client, never())).length > 0);
        assert.ok(server.requests.length <= MAX_LISTS / 100 + 6, `${server.requests.length} requests`);
      },
    ));

  it('that can’t be read fail for all who wait, and are asked for again', () => {
    let isBroken = true;
    return withService(
      (request) => (isBroken ? json(403, { message: 'No.' }) : lists(2)(request)),
      async (client) => {
        const told = await Promise.allSettled([readAllLists(client, never()), readAllLists(client, never())]);
        assert.deepEqual(
          told.map(({ status }) => status),
          ['rejected', 'rejected'],
        );
        isBroken = false;
        assert.equal((await readAllLists(client, never())).length, 2);
      },
    );
  });
});
