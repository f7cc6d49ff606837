import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { isLastPage, paginate, paginatePages, type Page } from '../../../../src/service/client/index.ts';
import { getFailure } from './setup.ts';

interface Item {
  readonly id: number;
}

/** A service with `total` records and a page cap. */
function service(total: number, cap = Infinity) {
  const pages: Page[] = [];
  const fetch = (page: Page): Promise<Item[]> => {
    pages.push(page);
    const end = Math.min(total, page.offset + Math.min(page.limit, cap));
    return Promise.resolve(
      Array.from({ length: Math.max(0, end - page.offset) }, (_, index) => ({ id: page.offset + index })),
    );
  };
  return { pages, fetch };
}

async function all<T>(items: AsyncIterable<T>) {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const turn = () => new Promise(setImmediate);
const getIds = (items: readonly Item[]) => items.map(({ id }) => id);
const getOffsets = (pages: readonly Page[]) => pages.map(({ offset }) => offset);
const countTo = (total: number) => Array.from({ length: total }, (_, index) => index);

it('isLastPage recognizes an empty page, and one shorter than an earlier page', () => {
  for (const [count, largestCount, isLast] of [
    [0, 0, true],
    [0, 100, true],
    [100, 0, false],
    [30, 0, false],
    [30, 30, false],
    [29, 30, true],
    [100, 120, false],
    [500, 0, false],
  ] as const)
    assert.equal(isLastPage(count, 100, largestCount), isLast, `${count} after ${largestCount}`);
});

describe('paginate', () => {
  for (const [total, cap, requests] of [
    [0, Infinity, 1],
    [1, Infinity, 2],
    [10, Infinity, 2],
    [25, Infinity, 3],
    [25, 4, 7],
    [24, 4, 7],
    [10, 3, 4],
  ] as const) {
    it(`yields ${total} records with a page cap of ${cap} in ${requests} requests`, async () => {
      const { fetch, pages } = service(total, cap);
      assert.deepEqual(getIds(await all(paginate(fetch, { pageSize: 10 }))), countTo(total));
      assert.equal(pages.length, requests);
      assert.ok(pages.every((page) => page.limit === 10));
    });
  }

  it('prefetches one page', async () => {
    const { fetch, pages } = service(100);
    const items = paginate(fetch, { pageSize: 10 });
    assert.equal(pages.length, 0);
    await items.next();
    await turn();
    assert.deepEqual(getOffsets(pages), [0, 10]);
    for (let i = 0; i < 10; i++) await items.next();
    await turn();
    assert.deepEqual(getOffsets(pages), [0, 10, 20]);
    await items.return();
  });

  it('cancels the prefetched page when the consumer stops, without an unhandled rejection', async () => {
    const unhandled: Error[] = [];
    const listen = (error: Error) => unhandled.push(error);
    process.on('unhandledRejection', listen);
    const canceled: number[] = [];
    try {
      for await (const item of paginate<Item>(
        (page, { signal }) =>
          page.offset === 0
            ? Promise.resolve([{ id: 0 }, { id: 1 }])
            : new Promise((_resolve, reject) =>
                signal.addEventListener('abort', () => {
                  canceled.push(page.offset);
                  reject(new Error('canceled'));
                }),
              ),
        { pageSize: 2 },
      )) {
        if (item.id === 0) break;
      }
      await turn();
      await turn();
      assert.deepEqual(canceled, [2]);
      assert.deepEqual(unhandled, []);
    } finally {
      process.off('unhandledRejection', listen);
    }
  });

  it('yields the records before a failed page', async () => {
    const yielded: number[] = [];
    await assert.rejects(async () => {
      for await (const item of paginate<Item>(
        (page) =>
          page.offset === 0 ? Promise.resolve([{ id: 0 }, { id: 1 }]) : Promise.reject(new Error('second page')),
        { pageSize: 2 },
      )) {
        await turn();
        yielded.push(item.id);
      }
    }, /second page/);
    assert.deepEqual(yielded, [0, 1]);
  });

  it('rejects if a full page repeats', async () => {
    const error = await getFailure(() =>
      all(paginate<Item>(() => Promise.resolve([{ id: 1 }, { id: 2 }]), { pageSize: 2 })),
    );
    assert.equal(error.kind, 'server');
    assert.match(error.message, /same page every time/);
  });

  it('ends if a partial page repeats', async () => {
    let requests = 0;
    const fetch = () => Promise.resolve([{ id: (requests += 1) && 1 }, { id: 2 }]);
    assert.deepEqual([(await all(paginate(fetch, { pageSize: 10 }))).length, requests], [2, 2]);
  });

  it('stops when the signal is aborted', async () => {
    const { fetch, pages } = service(100);
    assert.equal(
      (await getFailure(() => all(paginate(fetch, { pageSize: 10, signal: AbortSignal.abort() })))).kind,
      'aborted',
    );
    assert.equal(pages.length, 0);
    const stop = new AbortController();
    const yielded: Item[] = [];
    const error = await getFailure(async () => {
      for await (const item of paginate(fetch, { pageSize: 10, signal: stop.signal })) {
        yielded.push(item);
        if (yielded.length === 3) stop.abort();
      }
    });
    assert.deepEqual([error.kind, yielded.length], ['aborted', 3]);
  });

  it('removes its listener from the signal', async () => {
    const { signal } = new AbortController();
    await all(paginate(service(11).fetch, { pageSize: 10, signal }));
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });
});

describe('paginatePages', () => {
  for (const [total, cap, expected, offsets] of [
    [3, Infinity, 3, [0, 3]],
    [0, Infinity, 3, [0, 3]],
    [4, Infinity, 3, [0, 3, 4]],
    [2, Infinity, 3, [0, 3, 2]],
    [9, 4, 4, [0, 4, 8]],
    [9, 4, 9, [0, 9, 4, 8]],
  ] as const) {
    it(`yields each of ${total} records once with a page cap of ${cap} if ${expected} are expected`, async () => {
      const { fetch, pages } = service(total, cap);
      const found = await all(paginatePages(fetch, { pageSize: 10, expectedCount: expected }));
      assert.deepEqual(getIds(found.flat()), countTo(total));
      assert.deepEqual(getOffsets(pages), offsets);
    });
  }

  it('requests the page after the expected records immediately', async () => {
    const { fetch, pages } = service(3);
    let come: () => void = () => undefined;
    const first = new Promise<void>((resolve) => {
      come = resolve;
    });
    const reading = all(
      paginatePages(
        async (page) => {
          if (page.offset === 0) await first;
          return fetch(page);
        },
        { pageSize: 10, expectedCount: 3 },
      ),
    );
    await turn();
    assert.deepEqual(getOffsets(pages), [3]);
    come();
    assert.equal((await reading).flat().length, 3);
  });

  it('prefetches two pages and yields each record once', async () => {
    for (const [total, cap] of [
      [0, Infinity],
      [25, Infinity],
      [30, Infinity],
      [25, 4],
      [24, 4],
      [10, 3],
    ] as const) {
      const found = await all(paginatePages(service(total, cap).fetch, { pageSize: 10, prefetch: 2 }));
      assert.deepEqual(getIds(found.flat()), countTo(total));
      assert.ok(found.every((page) => page.length > 0));
    }
  });

  it('ends after a page shorter than an earlier one, regardless of prefetched pages', async () => {
    // Pages end at 10, 20, 27, 37, …
    const fetch = ({ offset, limit }: Page): Promise<Item[]> => {
      const end = [10, 20, 27, 37, 47].find((each) => each > offset) ?? offset;
      const length = Math.min(limit, end - offset);
      return Promise.resolve(Array.from({ length }, (_, index) => ({ id: offset + index })));
    };
    const found = (await all(paginatePages(fetch, { pageSize: 10, prefetch: 2 }))).flat();
    assert.deepEqual(getIds(found), countTo(27));
  });

  it('starts at an offset', async () => {
    const { fetch, pages } = service(25);
    assert.deepEqual(
      getIds((await all(paginatePages(fetch, { pageSize: 10, offset: 20 }))).flat()),
      [20, 21, 22, 23, 24],
    );
    assert.equal(pages[0]?.offset, 20);
  });
});
