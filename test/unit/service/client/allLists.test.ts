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
import { isCanceled } from '../../../../src/platform/ui/errors.ts';
import { json } from '../../../support/wire.ts';
import type { Reply, WireRequest } from '../../../support/wire.ts';
import { withService } from './setup.ts';

const { signal } = new AbortController();
const readQueryNumber = (target: string, name: string): number =>
  Number(new URL(target, 'http://x').searchParams.get(name) ?? 0);

/** A paged service with `count` lists. */
const lists =
  (count: number) =>
  ({ target }: WireRequest): Reply => {
    const offset = readQueryNumber(target, 'offset');
    const size = Math.max(0, Math.min(readQueryNumber(target, 'limit'), count - offset));
    return json(
      200,
      Array.from({ length: size }, (_, index) => ({ id: offset + index + 1, name: `List ${offset + index + 1}` })),
    );
  };

describe('readAllLists', () => {
  it('reads all pages', () =>
    withService(lists(250), async (client) => {
      const all = await readAllLists(client, signal);
      assert.deepEqual([all.length, all.at(-1)?.id, isTruncated(all)], [250, 250, false]);
    }));

  it('is complete if the service has exactly the maximum number of lists', () =>
    withService(lists(MAX_LISTS), async (client) => {
      const all = await readAllLists(client, signal);
      assert.deepEqual([all.length, isTruncated(all)], [MAX_LISTS, false]);
    }));

  it('stops at the maximum number of lists and reports the truncation', () =>
    withService(lists(Infinity), async (client, server) => {
      const all = await readAllLists(client, signal);
      assert.deepEqual([all.length, isTruncated(all)], [MAX_LISTS + 1, true]);
      assert.ok(server.requests.length <= MAX_LISTS / 100 + 3, `${server.requests.length} requests`);
    }));

  it('stops at the maximum size of all lists and reports the truncation', () => {
    const size = MAX_LISTS_LENGTH_CHARS / 8;
    const large = ({ target }: WireRequest): Reply => {
      const offset = readQueryNumber(target, 'offset');
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
      const all = await readAllLists(client, signal);
      assert.deepEqual([all.length, isTruncated(all)], [8, true]);
      assert.ok(server.requests.length <= 6, `${server.requests.length} requests`);
      const { missing, isCertain } = await findLists(client, [100], signal);
      assert.deepEqual([missing, isCertain], [[100], false]);
    });
  });

  it('does not report an unread list as missing', () =>
    withService(lists(Infinity), async (client) => {
      const outcome = await findList(client, 2 * MAX_LISTS, signal).catch((error: Error) => error);
      assert.ok(isApiError(outcome) && outcome.kind !== 'notFound', String(outcome));
      assert.equal((await findList(client, 7, signal)).id, 7);
    }));

  it('reports a missing list as not found', () =>
    withService(lists(250), async (client) => {
      await assert.rejects(findList(client, 251, signal), { kind: 'notFound' });
    }));

  it('stops reading once all requested ids are found', () =>
    withService(lists(250), async (client, server) => {
      const { found, missing, isCertain } = await findLists(client, [120, 3], signal);
      assert.deepEqual(
        [found.map(({ id }) => id), missing, isCertain, server.requests.length],
        [[3, 120], [], true, 2],
      );
    }));

  it('reports whether missing ids are certain', async () => {
    await withService(lists(250), async (client) => {
      const { found, missing, isCertain } = await findLists(client, [3, 251], signal);
      assert.deepEqual([found.map(({ id }) => id), missing, isCertain], [[3], [251], true]);
    });
    await withService(lists(Infinity), async (client) => {
      const { missing, isCertain } = await findLists(client, [2 * MAX_LISTS], signal);
      assert.deepEqual([missing, isCertain], [[2 * MAX_LISTS], false]);
    });
  });

  it('shares concurrent reads and starts a new read later', () =>
    withService(lists(250), async (client, server) => {
      const [one, other] = await Promise.all([
        readAllLists(client, signal),
        readAllLists(client, signal),
        findList(client, 3, signal),
      ]);
      assert.equal(one, other);
      const once = server.requests.length;
      assert.equal(new Set(server.requests.map(({ target }) => target)).size, once, 'A page was read twice.');
      await readAllLists(client, signal);
      assert.equal(server.requests.length, 2 * once);
    }));

  it('starts a new read if the caller asks for a fresh one', () =>
    withService(lists(1), async (client, server) => {
      await Promise.all([readAllLists(client, signal), findList(client, 1, signal, { fresh: true })]);
      const whole = server.requests.length;
      await readAllLists(client, signal);
      assert.equal(server.requests.length, 1.5 * whole);
    }));

  it('continues a shared read if one caller aborts', () =>
    withService(lists(250), async (client) => {
      const stop = new AbortController();
      const [canceled, continued] = [
        readAllLists(client, stop.signal).catch((error: Error) => error),
        readAllLists(client, signal),
      ];
      stop.abort();
      assert.ok(isCanceled(await canceled));
      assert.equal((await continued).length, 250);
    }));

  it('stops a shared read once all callers have aborted', () =>
    withService(
      (request) => lists(Infinity)(request),
      async (client, server) => {
        const stop = new AbortController();
        const result = readAllLists(client, stop.signal).catch((error: Error) => error);
        stop.abort();
        assert.ok(isCanceled(await result));
        // A later call starts a new read.
        assert.ok((await readAllLists(client, signal)).length > 0);
        assert.ok(server.requests.length <= MAX_LISTS / 100 + 6, `${server.requests.length} requests`);
      },
    ));

  it('rejects all callers if a shared read fails, and starts a new read later', () => {
    let isBroken = true;
    return withService(
      (request) => (isBroken ? json(403, { message: 'No.' }) : lists(2)(request)),
      async (client) => {
        const outcome = await Promise.allSettled([readAllLists(client, signal), readAllLists(client, signal)]);
        assert.deepEqual(
          outcome.map(({ status }) => status),
          ['rejected', 'rejected'],
        );
        isBroken = false;
        assert.equal((await readAllLists(client, signal)).length, 2);
      },
    );
  });
});
