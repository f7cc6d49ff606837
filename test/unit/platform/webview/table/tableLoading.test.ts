import assert from 'node:assert/strict';
import {
  getAvailableActions,
  formatTableStatus,
  type TableFigures,
} from '../../../../../src/platform/webview/table/figures.ts';
import { arrangeRows } from '../../../../../src/platform/webview/table/arrangement.ts';
import { PagedRows, type TableRow, PageRequests } from '../../../../../src/platform/webview/table/pages.ts';

const page = (from: number, count = 10): TableRow[] =>
  Array.from({ length: count }, (_, index) => ({ id: from + index }));

describe('PageRequests', () => {
  let requested: (readonly number[])[];
  let rows: PagedRows;
  let requests: PageRequests;
  const addPage = (at: number, count = 10): void => {
    rows.addPage(at, page(at * 10, count), count < 10);
    requests.complete(at, rows);
  };
  beforeEach(() => {
    requested = [];
    rows = new PagedRows(10, 100);
    requests = new PageRequests((pages) => requested.push(pages));
    requests.request([0]);
    addPage(0);
  });

  it('keeps a few requests pending until all pages are loaded', () => {
    rows.setTotal(65);
    requests.load(Infinity, rows);
    assert.deepEqual(requested.at(-1), [1, 2, 3, 4]);
    addPage(2);
    assert.deepEqual(requested.at(-1), [1, 3, 4, 5]);
    for (const at of [1, 3, 4, 5]) addPage(at);
    assert.deepEqual([requested.at(-1), requests.pending, requests.isLoading], [[3, 4, 5, 6], [6], true]);
    addPage(6, 5);
    assert.deepEqual([requests.pending, requests.isLoading, rows.loaded], [[], false, 65]);
  });

  it('finds the end without the number of rows', () => {
    requests.load(Infinity, rows);
    for (let at = 1; at < 9; at += 1) addPage(at);
    assert.deepEqual([requested.at(-1), requests.isLoading], [[9], true]);
    addPage(9, 0);
    assert.deepEqual([requests.isLoading, rows.total], [false, 90]);
  });

  it('loads the requested number of pages, and none after stop', () => {
    rows.setTotal(1000);
    requests.load(5, rows);
    for (const at of [1, 2, 3, 4, 5]) addPage(at);
    assert.deepEqual([requests.isLoading, requests.pending, rows.loaded], [false, [], 60]);
    requests.load(Infinity, rows);
    requests.stop();
    const before = requested.length;
    addPage(6);
    assert.deepEqual([requested.length, requests.isLoading], [before, false]);
  });

  it('stops when no more pages fit in memory', () => {
    rows = new PagedRows(10, 3);
    rows.addPage(0, page(0), false);
    rows.setTotal(1000);
    requests.load(Infinity, rows);
    addPage(1);
    addPage(2);
    assert.deepEqual([requests.isLoading, requests.pending, rows.loaded], [false, [], 30]);
  });

  it('keeps requests for visible pages and for loading all apart', () => {
    rows.setTotal(1000);
    requests.load(Infinity, rows);
    requests.requestVisible([50, 51]);
    assert.deepEqual(requested.at(-1), [1, 2, 3, 4, 50, 51]);
    requests.stop();
    requests.requestVisible([70]);
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

describe('table filters', () => {
  const rows: TableRow[] = [
    { open: '2', n: 'b' },
    { open: '0', n: 'a' },
    { open: '10', n: 'ab' },
  ];
  const accessors = { getTexts: (row: TableRow) => [String(row['n'])], test: (row: TableRow) => row['open'] !== '0' };
  const all = [0, 1, 2];

  it('combines filter, search and sorting', () => {
    assert.deepEqual(
      arrangeRows(all, (index) => rows[index], { find: '', ...accessors }),
      [0, 2],
    );
    assert.deepEqual(
      arrangeRows(all, (index) => rows[index], { find: 'A', ...accessors }),
      [2],
    );
    assert.deepEqual(
      arrangeRows(all, (index) => rows[index], { find: '', sorting: { key: 'open', descending: true }, ...accessors }),
      [2, 0],
    );
  });
});
