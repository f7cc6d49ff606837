import assert from 'node:assert/strict';
import { getTableDefinitions } from '../../../../../src/features/statistics/page/tables.ts';
import { parseCount } from '../../../../../src/ui/page/table/columns.ts';
import type { Json, Row } from '../../../../../src/service/client/shapes.ts';

const filters = new Map(getTableDefinitions().recipients.filters?.map(({ key, test }) => [key, test]));
const passing = (row: Row) => [...filters].filter(([, test]) => test(row)).map(([key]) => key);

describe('recipient filters', () => {
  it('accept positive numbers and their texts', () => {
    assert.deepEqual(passing({ open: '2', bounce: '0', unsubscribe: '0', '#clicks': 3 }), ['opened', 'clicked']);
    assert.deepEqual(passing({ open: 0, bounce: 1, unsubscribe: '1' }), ['unopened', 'bounced', 'unsubscribed']);
    assert.deepEqual(passing({}), ['unopened']);
  });
});

describe('recipient columns', () => {
  const shown = (key: string, value: Json) =>
    getTableDefinitions()
      .recipients.columns.find((column) => column.key === key)
      ?.show?.(value);

  it('show 1 and 0 as yes and no, and other values unchanged', () => {
    assert.deepEqual(
      ['1', 0, null, '2', 'soft'].map((value) => shown('bounce', value)),
      ['Yes', 'No', '', '2', 'soft'],
    );
  });
});

describe('parseCount', () => {
  it('accepts any value', () => {
    const values = ['12', 3, null, 'many', -4, {}];
    assert.deepEqual(
      values.map((value) => parseCount({ value }, 'value')),
      [12, 3, 0, 0, 0, 0],
    );
  });
});
