import assert from 'node:assert/strict';
import { TableColumns } from '../../../../../src/ui/page/table/columns.ts';
import { getAvailableActions, formatTableStatus } from '../../../../../src/ui/page/table/figures.ts';
import { TableModel, type Arrangement } from '../../../../../src/ui/page/table/model.ts';
import type { TableRow } from '../../../../../src/ui/page/table/protocol.ts';
import { createRowLoader, type RowLoader } from '../../../../../src/ui/page/table/rows.ts';

describe('the rows of a table', () => {
  let requested: (readonly number[])[];
  let loader: RowLoader;
  const start = (maxPages = 100) => {
    requested = [];
    loader = createRowLoader({
      pageSize: 10,
      maxPages,
      requestPages: (pages) => requested.push(pages),
      onChange: () => undefined,
      onCount: () => undefined,
    });
    loader.start();
    addPage(0);
  };
  const addPage = (page: number, count = 10) =>
    loader.addPage(
      page,
      Array.from({ length: count }, (_, index) => ({ id: page * 10 + index })),
      count < 10,
    );
  beforeEach(() => start());

  it('keeps a few requests pending until all pages are loaded', () => {
    loader.setTotal(65);
    loader.load(Infinity);
    assert.deepEqual(requested.at(-1), [1, 2, 3, 4]);
    addPage(2);
    assert.deepEqual(requested.at(-1), [1, 3, 4, 5]);
    for (const page of [1, 3, 4, 5]) addPage(page);
    assert.deepEqual([requested.at(-1), loader.isBusy(), loader.isLoading], [[3, 4, 5, 6], true, true]);
    addPage(6, 5);
    assert.deepEqual([loader.isBusy(), loader.isLoading, loader.rows.loaded], [false, false, 65]);
  });

  it('finds the end without the number of rows', () => {
    loader.load(Infinity);
    for (let page = 1; page < 9; page += 1) addPage(page);
    assert.deepEqual([requested.at(-1), loader.isLoading], [[9], true]);
    addPage(9, 0);
    assert.deepEqual([loader.isLoading, loader.rows.total], [false, 90]);
  });

  it('loads the requested number of pages, and none after stop', () => {
    loader.setTotal(1000);
    loader.load(5);
    for (const page of [1, 2, 3, 4, 5]) addPage(page);
    assert.deepEqual([loader.isLoading, loader.isBusy(), loader.rows.loaded], [false, false, 60]);
    loader.load(Infinity);
    loader.stop();
    const before = requested.length;
    addPage(6);
    assert.deepEqual([requested.length, loader.isLoading], [before, false]);
  });

  it('stops when no more pages fit in memory', () => {
    start(3);
    loader.setTotal(1000);
    loader.load(Infinity);
    addPage(1);
    addPage(2);
    assert.deepEqual([loader.isLoading, loader.isBusy(), loader.rows.loaded], [false, false, 30]);
  });

  it('keeps requests for visible pages and for loading all apart', () => {
    loader.setTotal(1000);
    loader.load(Infinity);
    loader.range = [500, 519];
    loader.loadVisible();
    assert.deepEqual(requested.at(-1), [1, 2, 3, 4, 50, 51]);
    loader.stop();
    loader.range = [700, 705];
    loader.loadVisible();
    assert.deepEqual(requested.at(-1), [70]);
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
      requestPages: () => undefined,
      onChange: () => undefined,
      onCount: () => undefined,
    };
    const model = new TableModel(new TableColumns([]), createRowLoader(options));
    model.loader.addPage(0, Array<TableRow>(loaded).fill({}), false);
    model.loader.setTotal(50_000);
    if (arrangement) [model.arrangement, model.arranged] = [arrangement, Array<number>(count).fill(0)];
    return model;
  };

  it('shows the number of shown, loaded and total rows', () => {
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
    const uncounted = createRowLoader({
      pageSize: 10,
      requestPages: () => undefined,
      onChange: () => undefined,
      onCount: () => undefined,
    });
    uncounted.addPage(0, Array<TableRow>(10).fill({}), false);
    uncounted.setTotal(undefined, 'it is slow');
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
