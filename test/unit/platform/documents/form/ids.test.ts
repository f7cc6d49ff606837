import assert from 'node:assert/strict';
import { getIdChanges, getValueAt } from '../../../../../src/platform/documents/form/text.ts';

describe('getIdChanges', () => {
  it('adds or removes one id', () => {
    assert.deepEqual(getIdChanges({ listIds: [1, 5, 1] }, ['listIds'], 1, false), [
      { path: ['listIds', 2] },
      { path: ['listIds', 0] },
    ]);
    assert.deepEqual(getIdChanges({ listIds: [1] }, ['listIds'], 5, true), [{ path: ['listIds', -1], value: 5 }]);
    assert.deepEqual(getIdChanges({ listIds: [1] }, ['listIds'], 1, true), []);
    assert.deepEqual(getIdChanges({ listIds: [1] }, ['listIds'], 7, false), []);
  });

  it('creates the list if there is none', () => {
    assert.deepEqual(getIdChanges({}, ['listIds'], 5, true), [{ path: ['listIds'], value: [5] }]);
    assert.deepEqual(getIdChanges({ listIds: 'all' }, ['listIds'], 5, true), [{ path: ['listIds'], value: [5] }]);
    assert.deepEqual(getIdChanges({}, ['listIds'], 5, false), []);
  });

  it('supports nested lists', () => {
    assert.deepEqual(getIdChanges({ condition: { lists: [1, 2] } }, ['condition', 'lists'], 2, false), [
      { path: ['condition', 'lists', 1] },
    ]);
    assert.deepEqual(getIdChanges({}, ['condition', 'lists'], 2, true), [{ path: ['condition', 'lists'], value: [2] }]);
    assert.equal(getValueAt({ condition: null }, ['condition', 'lists']), undefined);
  });
});
