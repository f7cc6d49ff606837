import assert from 'node:assert/strict';
import {
  readAllLists,
  findList,
  findLists,
  isTruncated,
  MAX_LISTS,
  MAX_LISTS_LENGTH_CHARS,
} from '../../../../src/service/client/allLists.ts';
import type { MailingClient, MailingList } from '../../../../src/service/client/index.ts';
import { isApiError } from '../../../../src/service/client/shapes.ts';
import { isCanceled } from '../../../../src/ui/errors.ts';

const { signal } = new AbortController();

/** Runs a test with a client of a service with `count` lists, and the offsets that it reads. */
async function withLists(
  count: number,
  test: (client: MailingClient, offsets: readonly number[]) => Promise<void>,
  { pageSize = Infinity, description = '' } = {},
) {
  const offsets: number[] = [];
  const getLists: MailingClient['getLists'] = ({ offset = 0, limit = 0 } = {}, options) => {
    offsets.push(offset);
    const size = Math.max(0, Math.min(limit, pageSize, count - offset));
    const lists = Array.from({ length: size }, (_, at) => ({ id: offset + at + 1, description }) as MailingList);
    return new Promise((resolve, reject) => {
      if (options?.signal?.aborted) reject(options.signal.reason as Error);
      else setImmediate(() => resolve(lists));
    });
  };
  await test({ getLists } as Partial<MailingClient> as MailingClient, offsets);
}

describe('readAllLists', () => {
  it('reads all pages', () =>
    withLists(250, async (client) => {
      const all = await readAllLists(client, signal);
      assert.deepEqual([all.length, all.at(-1)?.id, isTruncated(all)], [250, 250, false]);
    }));

  it('is complete if the service has exactly the maximum number of lists', () =>
    withLists(MAX_LISTS, async (client) => {
      const all = await readAllLists(client, signal);
      assert.deepEqual([all.length, isTruncated(all)], [MAX_LISTS, false]);
    }));

  it('stops at the maximum number of lists and reports the truncation', () =>
    withLists(Infinity, async (client, offsets) => {
      const all = await readAllLists(client, signal);
      assert.deepEqual([all.length, isTruncated(all)], [MAX_LISTS + 1, true]);
      assert.ok(offsets.length <= MAX_LISTS / 100 + 3, `${offsets.length} requests`);
    }));

  it('stops at the maximum size of all lists and reports the truncation', () =>
    withLists(
      Infinity,
      async (client, offsets) => {
        const all = await readAllLists(client, signal);
        assert.deepEqual([all.length, isTruncated(all)], [8, true]);
        assert.ok(offsets.length <= 6, `${offsets.length} requests`);
        const { missing, isCertain } = await findLists(client, [100], signal);
        assert.deepEqual([missing, isCertain], [[100], false]);
      },
      { pageSize: 2, description: 'x'.repeat(MAX_LISTS_LENGTH_CHARS / 8) },
    ));

  it('does not report an unread list as missing', () =>
    withLists(Infinity, async (client) => {
      const outcome = await findList(client, 2 * MAX_LISTS, signal).catch((error: Error) => error);
      assert.ok(isApiError(outcome) && outcome.kind !== 'notFound', String(outcome));
      assert.equal((await findList(client, 7, signal)).id, 7);
    }));

  it('reports a missing list as not found', () =>
    withLists(250, async (client) => {
      await assert.rejects(findList(client, 251, signal), { kind: 'notFound' });
    }));

  it('stops reading once all requested ids are found', () =>
    withLists(1000, async (client, offsets) => {
      const { found, missing, isCertain } = await findLists(client, [120, 3], signal);
      assert.deepEqual([found.map(({ id }) => id), missing, isCertain, offsets.length], [[3, 120], [], true, 3]);
    }));

  it('reports whether missing ids are certain', async () => {
    await withLists(250, async (client) => {
      const { found, missing, isCertain } = await findLists(client, [3, 251], signal);
      assert.deepEqual([found.map(({ id }) => id), missing, isCertain], [[3], [251], true]);
    });
    await withLists(Infinity, async (client) => {
      const { missing, isCertain } = await findLists(client, [2 * MAX_LISTS], signal);
      assert.deepEqual([missing, isCertain], [[2 * MAX_LISTS], false]);
    });
  });

  it('shares concurrent reads and starts a new read later', () =>
    withLists(250, async (client, offsets) => {
      const [one, other] = await Promise.all([
        readAllLists(client, signal),
        readAllLists(client, signal),
        findList(client, 3, signal),
      ]);
      assert.equal(one, other);
      const once = offsets.length;
      assert.equal(new Set(offsets).size, once, 'A page was read twice.');
      await readAllLists(client, signal);
      assert.equal(offsets.length, 2 * once);
    }));

  it('starts a new read if the caller asks for a fresh one', () =>
    withLists(1, async (client, offsets) => {
      await Promise.all([readAllLists(client, signal), findList(client, 1, signal, { fresh: true })]);
      const whole = offsets.length;
      await readAllLists(client, signal);
      assert.equal(offsets.length, 1.5 * whole);
    }));

  it('continues a shared read if one caller aborts', () =>
    withLists(250, async (client) => {
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
    withLists(Infinity, async (client, offsets) => {
      const stop = new AbortController();
      const result = readAllLists(client, stop.signal).catch((error: Error) => error);
      stop.abort();
      assert.ok(isCanceled(await result));
      // A later call starts a new read.
      assert.ok((await readAllLists(client, signal)).length > 0);
      assert.ok(offsets.length <= MAX_LISTS / 100 + 6, `${offsets.length} requests`);
    }));

  it('rejects all callers if a shared read fails, and starts a new read later', () =>
    withLists(2, async (client) => {
      const { getLists } = client;
      client.getLists = () => Promise.reject(new Error('No.'));
      const outcome = await Promise.allSettled([readAllLists(client, signal), readAllLists(client, signal)]);
      assert.deepEqual(
        outcome.map(({ status }) => status),
        ['rejected', 'rejected'],
      );
      client.getLists = getLists;
      assert.equal((await readAllLists(client, signal)).length, 2);
    }));
});
