import assert from 'node:assert/strict';
import {
  getAvailableActions,
  formatTableStatus,
  type TableFigures,
} from '../../../../../src/platform/webview/table/figures.ts';
import { RowLoader } from '../../../../../src/platform/webview/table/rows.ts';

describe('RowLoader', () => {
  let requested: (readonly number[])[];
  let loader: RowLoader;
  const start = (maxPages = 100): void => {
    requested = [];
    loader = new RowLoader({
      pageSize: 10,
      maxPages,
      requestPages: (pages) => requested.push(pages),
      onChange: () => undefined,
    });
    loader.start();
    addPage(0);
  };
  const addPage = (page: number, count = 10): void =>
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
    assert.deepEqual([requested.at(-1), loader.isBusy, loader.isLoading], [[3, 4, 5, 6], true, true]);
    addPage(6, 5);
    assert.deepEqual([loader.isBusy, loader.isLoading, loader.rows.loaded], [false, false, 65]);
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
    assert.deepEqual([loader.isLoading, loader.isBusy, loader.rows.loaded], [false, false, 60]);
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
    assert.deepEqual([loader.isLoading, loader.isBusy, loader.rows.loaded], [false, false, 30]);
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
  const figures: TableFigures = {
    noun: 'recipient',
    nouns: 'recipients',
    loaded: 3000,
    total: 50_000,
    atLeast: 3000,
    capacity: 200_000,
    isLoading: false,
    selected: 0,
  };

  it('shows the number of shown, loaded and total rows', () => {
    const arranged = { count: 1204, isFound: false, isSorted: true, filter: 'opened' };
    assert.equal(formatTableStatus(figures), '50,000 recipients · 3,000 loaded');
    assert.equal(
      formatTableStatus({ ...figures, arranged, selected: 2 }),
      '1,204 opened, sorted, only among the 3,000 loaded of 50,000 recipients · 2 selected',
    );
    assert.equal(
      formatTableStatus({ ...figures, loaded: 50_000, arranged: { ...arranged, isFound: true, isSorted: false } }),
      '1,204 found, opened among all 50,000',
    );
    assert.equal(
      formatTableStatus({ ...figures, arranged: { count: 3000, isFound: false, isSorted: true } }),
      'Sorted only among the 3,000 loaded of 50,000 recipients',
    );
    assert.equal(
      formatTableStatus({ ...figures, total: undefined, countFailure: 'it is slow' }),
      'At least 3,000 recipients (they can’t be counted: it is slow) · 3,000 loaded',
    );
  });

  it('offers the available actions', () => {
    const arranged = { count: 1, isFound: true, isSorted: false };
    assert.deepEqual(getAvailableActions(figures), []);
    assert.deepEqual(getAvailableActions({ ...figures, arranged }), ['loadAll', 'showAll']);
    assert.deepEqual(getAvailableActions({ ...figures, arranged, loaded: 50_000 }), ['showAll']);
    assert.deepEqual(getAvailableActions({ ...figures, arranged, capacity: 10_000 }), ['loadMore', 'showAll']);
    assert.deepEqual(getAvailableActions({ ...figures, arranged, capacity: 3000 }), ['showAll']);
    assert.deepEqual(getAvailableActions({ ...figures, arranged, isLoading: true }), ['stop']);
  });
});
