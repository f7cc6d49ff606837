import assert from 'node:assert/strict';
import { humanizeFieldName, toDisplayText } from '../../../../../src/email/compose/fieldText.ts';
import { TableColumns } from '../../../../../src/ui/page/table/columns.ts';
import { getNextSorting, TableModel, type Arrangement } from '../../../../../src/ui/page/table/model.ts';
import type { TableRow } from '../../../../../src/ui/page/table/protocol.ts';
import { PagedRows } from '../../../../../src/ui/page/table/pagedRows.ts';
import { RowLoader } from '../../../../../src/ui/page/table/rowLoader.ts';

/** Creates rows of 10 per page, with some pages loaded. */
const createRows = (maxPages: number, ...pages: readonly number[]) => {
  const rows = new PagedRows(10, maxPages);
  for (const page of pages) addPage(rows, page);
  return rows;
};
const addPage = (rows: PagedRows, page: number, count = 10, isLast = false) =>
  rows.addPage(
    page,
    Array.from({ length: count }, (_, index) => ({ id: page * 10 + index })),
    isLast,
  );

describe('PagedRows', () => {
  it('requests visible rows that are not loaded', () => {
    const rows = createRows(3, 0);
    assert.deepEqual([rows.length, rows.total, rows.atLeast], [20, undefined, 10]);
    rows.setTotal(500);
    assert.deepEqual(rows.getMissingPages(5, 25), [1, 2]);
    assert.deepEqual(rows.getMissingPages(495, 600), [49]);
    assert.deepEqual([rows.at(3), rows.at(13)], [{ id: 3 }, undefined]);
  });

  it('drops the least recently viewed pages', () => {
    const rows = createRows(3, 0);
    rows.setTotal(1000);
    for (const page of [40, 41]) addPage(rows, page);
    rows.getMissingPages(0, 5);
    addPage(rows, 50);
    assert.equal(rows.loaded, 30);
    assert.deepEqual([rows.at(0) !== undefined, rows.at(400), rows.at(410) !== undefined], [true, undefined, true]);
    for (let page = 60; page < 90; page += 1) addPage(rows, page);
    assert.equal(rows.loaded, 30);
  });

  it('ends at the end that the service reports', () => {
    const rows = createRows(9, 0);
    addPage(rows, 1, 4, true);
    assert.deepEqual([rows.total, rows.length], [14, 14]);
    const none = createRows(9);
    addPage(none, 0, 0, true);
    assert.equal(none.total, 0);
  });

  it('shrinks with the collection', () => {
    const rows = createRows(9, 0);
    rows.setTotal(100);
    addPage(rows, 9, 0, true);
    assert.equal(rows.total, 90);
    addPage(rows, 3, 2, true);
    assert.equal(rows.total, 32);
  });

  it('requests failed pages again only after retry', () => {
    const rows = createRows(9, 0);
    rows.setFailure(1, 'deleted');
    assert.deepEqual([rows.getMissingPages(10, 15), rows.failure], [[], 'deleted']);
    rows.retry();
    assert.deepEqual([rows.getMissingPages(10, 15), rows.failure], [[1], undefined]);
  });

  it('continues loading at the first gap, within the limit', () => {
    const rows = createRows(4, 0, 2);
    rows.setTotal(100);
    assert.deepEqual(rows.getNextPages(9), [1, 3]);
    assert.deepEqual(rows.indices().slice(8, 12), [8, 9, 20, 21]);
  });
});

describe('TableModel', () => {
  const rows: TableRow[] = ['b10', 'b9', '', 'Á', null].map((n, at) => ({ n, open: ['2', '0', '3', '10', '5'][at] }));
  const opened = { key: 'opened', label: 'Opened', test: (row: TableRow) => row['open'] !== '0' };
  const createModel = () => {
    const loader = new RowLoader({
      pageSize: 10,
      readPage: () => new Promise(() => undefined),
      count: async () => undefined,
      onChange: () => undefined,
    });
    const model = new TableModel(new TableColumns([{ key: 'n', label: 'N' }]), loader);
    loader.rows.addPage(0, rows, true);
    return model;
  };
  const arrange = (arrangement: Partial<Arrangement>) => {
    const model = createModel();
    model.arrange(arrangement);
    model.update();
    return model.arranged;
  };

  it('uses locale order, with empty values last in both directions', () => {
    assert.deepEqual(arrange({ sorting: { key: 'n', descending: false } }), [3, 1, 0, 2, 4]);
    assert.deepEqual(arrange({ sorting: { key: 'n', descending: true } }), [0, 1, 3, 2, 4]);
  });

  it('sorts fractions by size, also if the service returns them as text', () => {
    const amounts = ['10.5', '9.75', '10.25', '-1', '', '100'];
    const model = createModel();
    model.loader.rows.addPage(
      0,
      amounts.map((n) => ({ n })),
      true,
    );
    model.arrange({ sorting: { key: 'n', descending: false } });
    model.update();
    assert.deepEqual(
      model.arranged?.map((index) => amounts[index]),
      ['-1', '9.75', '10.25', '10.5', '100', ''],
    );
  });

  it('combines filter, search and sorting', () => {
    assert.deepEqual(arrange({ find: ' B ' }), [0, 1]);
    assert.equal(arrange({ find: '' }), undefined);
    assert.deepEqual(arrange({ filter: opened }), [0, 2, 3, 4]);
    assert.deepEqual(arrange({ find: 'B', filter: opened }), [0]);
    assert.deepEqual(arrange({ sorting: { key: 'open', descending: true }, filter: opened }), [3, 4, 2, 0]);
    assert.deepEqual(arrange({ find: 'b', sorting: { key: 'n', descending: false } }), [1, 0]);
  });

  it('extends the selection from the anchor in screen order', () => {
    const model = createModel();
    model.arranged = [7, 3, 9, 1];
    const select = (position: number, how: 'only' | 'toggle' | 'extend') => {
      model.select(position, how);
      return [...model.selected].toSorted();
    };
    assert.deepEqual(select(2, 'only'), [9]);
    assert.deepEqual(select(0, 'extend'), [3, 7, 9]);
    assert.deepEqual(select(3, 'extend'), [1, 9]);
    assert.deepEqual(select(3, 'toggle'), [9]);
  });

  it('cycles through ascending, descending and unsorted', () => {
    const up = getNextSorting(undefined, 'n');
    const down = getNextSorting(up, 'n');
    assert.deepEqual(
      [up, down, getNextSorting(down, 'n'), getNextSorting(down, 'm')],
      [{ key: 'n', descending: false }, { key: 'n', descending: true }, undefined, { key: 'm', descending: false }],
    );
  });
});

describe('TableColumns', () => {
  it('have readable names', () => {
    assert.deepEqual(['creation_date', 'cms_id', 'createdAt', 'IP', '', 'x\u202Ey'].map(humanizeFieldName), [
      'Creation date',
      'CMS ID',
      'Created at',
      'IP',
      '(no name)',
      'X y',
    ]);
  });

  it('show every field, the predefined ones first, and hide further ones by default', () => {
    const columns = new TableColumns([{ key: 'email', label: 'Email' }]);
    columns.addRows([{ email: 'person@example.com', source: 'import', other: 1 }]);
    columns.addRows([{ email: 'a@example.com', source: 'import' }]);
    assert.deepEqual(
      columns.visible.map(({ label }) => label),
      ['Email', 'Source', 'Other'],
    );
    columns.addRows([Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`f${index}`, index]))]);
    assert.deepEqual([columns.all.length, columns.visible.length], [100, 12]);
    columns.setVisible('f50', true);
    columns.setVisible('source', false);
    assert.deepEqual([columns.isVisible('f50'), columns.isVisible('source')], [true, false]);
    const others = new TableColumns([{ key: 'email', label: 'Email' }], columns.choice);
    assert.equal(others.isVisible('source'), false);
  });

  it('keep the last visible column', () => {
    const columns = new TableColumns([{ key: 'email', label: 'Email' }]);
    columns.setVisible('email', false);
    assert.equal(columns.visible.length, 1);
  });

  it('show visible text of limited length', () => {
    assert.equal(toDisplayText('a\u202Eb\nc'), 'a b c');
    assert.equal(toDisplayText('x'.repeat(5000)).length, 301);
    assert.equal(toDisplayText('👩\u200D💻'), '👩\u200D💻');
  });
});
