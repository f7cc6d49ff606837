import assert from 'node:assert/strict';
import {
  getLinkAddress,
  parseCount,
  tableDefinitions,
} from '../../../../../src/features/statistics/page/tableDefinitions.ts';

const filters = new Map(tableDefinitions.recipients.filters?.map(({ key, test }) => [key, test]));
const passing = (row: Readonly<Record<string, unknown>>): string[] =>
  [...filters].filter(([, test]) => test(row)).map(([key]) => key);

describe('recipient filters', () => {
  it('accept numbers, numeric text, dates and words', () => {
    assert.deepEqual(
      passing({ open: '2', open_date: '2026-11-20 09:00:00', bounce: '0', unsubscribe: '0', '#clicks': 3 }),
      ['opened', 'clicked'],
    );
    assert.deepEqual(passing({ open: 0, open_date: null, bounce: 1, unsubscribe: 'yes' }), [
      'unopened',
      'bounced',
      'unsubscribed',
    ]);
    assert.deepEqual(passing({ opened: true, bounced: false, '#clicks': 0 }), ['opened']);
    assert.deepEqual(passing({}), ['unopened']);
  });
});

describe('recipient columns', () => {
  const shown = (key: string, value: unknown): unknown =>
    tableDefinitions.recipients.columns.find((column) => column.key === key)?.show?.(value, {});

  it('show 1 and 0 as yes and no, and other values unchanged', () => {
    assert.deepEqual(
      ['1', 0, null, '2', 'soft'].map((value) => shown('bounce', value)),
      ['Yes', 'No', '', '2', 'soft'],
    );
  });
});

describe('link rows', () => {
  it('have an address under any of its field names', () => {
    assert.equal(getLinkAddress({ id: '1', name: 'https://example.com/a' }), 'https://example.com/a');
    assert.equal(getLinkAddress({ id: '1', name: '', url: 'https://example.com/b' }), 'https://example.com/b');
    assert.equal(getLinkAddress({ id: '1', name: 7 }), undefined);
  });

  it('parse counts from any value', () => {
    assert.deepEqual(['12', 3, null, 'many', -4, [5]].map(parseCount), [12, 3, 0, 0, 0, 0]);
  });
});
