import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { TableColumns } from '../../../../../src/ui/page/table/columns.ts';
import { getAvailableActions, formatTableStatus } from '../../../../../src/ui/page/table/figures.ts';
import { TableModel, type Arrangement } from '../../../../../src/ui/page/table/model.ts';
import type { RowsPage, TableRow } from '../../../../../src/ui/page/table/protocol.ts';
import { RowLoader } from '../../../../../src/ui/page/table/rowLoader.ts';

describe('the rows of a table', () => {
  /** The pending requests by page. Canceled ones are removed. */
  let pending: Map<number, (read: RowsPage) => void>;
  let count: (total: number | undefined) => void;
  let loader: RowLoader;
  let requestCount: number;
  const requested = () => [...pending.keys()];
  const start = async (maxPages = 100) => {
    pending = new Map();
    requestCount = 0;
    loader = new RowLoader({
      pageSize: 10,
      maxPages,
      readPage: (page, signal) =>
        new Promise((resolve) => {
          requestCount += 1;
          pending.set(page, resolve);
          signal.addEventListener('abort', () => pending.delete(page));
        }),
      count: () =>
        new Promise((resolve) => {
          count = resolve;
        }),
      onChange: () => undefined,
    });
    loader.start();
    await addPage(0);
  };
  const addPage = async (page: number, length = 10) => {
    const resolve = pending.get(page);
    pending.delete(page);
    resolve?.({ rows: Array.from({ length }, (_, index) => ({ id: page * 10 + index })), isLast: length < 10 });
    await setImmediate();
  };
  const setTotal = async (total: number | undefined) => {
    count(total);
    await setImmediate();
  };
  beforeEach(() => start());

  it('keeps a few requests pending until all pages are loaded', async () => {
    await setTotal(65);
    loader.load(Infinity);
    assert.deepEqual(requested(), [1, 2, 3, 4]);
    await addPage(2);
    assert.deepEqual(requested(), [1, 3, 4, 5]);
    await addPage(1);
    assert.deepEqual(requested(), [3, 4, 5, 6]);
    for (const page of [3, 4, 5]) await addPage(page);
    assert.deepEqual([requested(), loader.isBusy, loader.isLoading], [[6], true, true]);
    await addPage(6, 5);
    assert.deepEqual([loader.isBusy, loader.isLoading, loader.rows.loaded], [false, false, 65]);
  });

  it('finds the end without the number of rows', async () => {
    loader.load(Infinity);
    for (let page = 1; page < 9; page += 1) await addPage(page);
    assert.deepEqual([requested(), loader.isLoading], [[9], true]);
    await addPage(9, 0);
    assert.deepEqual([loader.isLoading, loader.rows.total], [false, 90]);
  });

  it('loads the requested number of pages, and none after stop', async () => {
    await setTotal(1000);
    loader.load(5);
    for (const page of [1, 2, 3, 4, 5]) await addPage(page);
    assert.deepEqual([loader.isLoading, loader.isBusy, loader.rows.loaded], [false, false, 60]);
    loader.load(Infinity);
    loader.stop();
    const before = requestCount;
    await addPage(6);
    assert.deepEqual([requestCount, loader.isLoading], [before, false]);
  });

  it('stops when no more pages fit in memory', async () => {
    await start(3);
    await setTotal(1000);
    loader.load(Infinity);
    await addPage(1);
    await addPage(2);
    assert.deepEqual([loader.isLoading, loader.isBusy, loader.rows.loaded], [false, false, 30]);
  });

  it('keeps requests for visible pages and for loading all apart', async () => {
    await setTotal(1000);
    loader.load(Infinity);
    loader.range = [500, 519];
    loader.loadVisible();
    assert.deepEqual(requested(), [1, 2, 3, 4, 50, 51]);
    loader.stop();
    loader.range = [700, 705];
    loader.loadVisible();
    assert.deepEqual(requested(), [70]);
  });
});

describe('the status line of a table', () => {
  const opened = { key: 'opened', label: 'Opened', test: () => true };
  const sorting = { key: 'id', descending: false };
  /** Creates a model of 50,000 recipients of which some are loaded and shown. */
  const createModel = (arrangement?: Arrangement, count = 0, loaded = 3000, maxPages = 100) => {
    const options = {
      pageSize: loaded,
      maxPages,
      readPage: () => new Promise<RowsPage>(() => undefined),
      count: async () => undefined,
      onChange: () => undefined,
    };
    const model = new TableModel(new TableColumns([]), new RowLoader(options));
    model.loader.rows.addPage(0, Array<TableRow>(loaded).fill({}), false);
    model.loader.rows.setTotal(50_000);
    if (arrangement) [model.arrangement, model.arranged] = [arrangement, Array<number>(count).fill(0)];
    return model;
  };

  it('shows the number of shown, loaded and total rows', async () => {
    assert.equal(formatTableStatus(createModel()), '3,000 of 50,000 rows loaded');
    const sorted = createModel({ find: '', filter: opened, sorting }, 1204);
    for (const index of [1, 2]) sorted.selected.add(index);
    assert.equal(
      formatTableStatus(sorted),
      '1,204 matches in loaded rows · sorted · 3,000 of 50,000 rows loaded · 2 selected',
    );
    assert.equal(
      formatTableStatus(createModel({ find: 'x', filter: opened }, 1204, 50_000)),
      '1,204 matches · 50,000 rows',
    );
    assert.equal(
      formatTableStatus(createModel({ find: '', sorting }, 3000)),
      'only loaded rows sorted · 3,000 of 50,000 rows loaded',
    );
    const uncounted = new RowLoader({
      pageSize: 10,
      readPage: async () => ({ rows: Array<TableRow>(10).fill({}), isLast: false }),
      count: () => Promise.reject(new Error('it is slow')),
      onChange: () => undefined,
    });
    uncounted.start();
    await setImmediate();
    assert.equal(
      formatTableStatus(new TableModel(new TableColumns([]), uncounted)),
      "10 of at least 10 rows loaded · Couldn't count the rows: it is slow",
    );
  });

  it('offers the available actions', () => {
    const found = { find: 'x' };
    assert.deepEqual(getAvailableActions(createModel()), []);
    assert.deepEqual(getAvailableActions(createModel(found)), ['loadAll', 'showAll']);
    assert.deepEqual(getAvailableActions(createModel(found, 1, 50_000)), ['showAll']);
    assert.deepEqual(getAvailableActions(createModel(found, 1, 3000, 3)), ['loadMore', 'showAll']);
    assert.deepEqual(getAvailableActions(createModel(found, 1, 3000, 1)), ['showAll']);
    const loading = createModel(found);
    loading.loader.load(1);
    assert.deepEqual(getAvailableActions(loading), ['stop']);
  });
});
