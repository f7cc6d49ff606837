import assert from 'node:assert/strict';
import { getSelectionKey } from '../../../../src/features/statistics/model.ts';
import { parseSelection } from '../../../../src/features/statistics/protocol.ts';

const ref = (id: number, connection = 'a') => ({ connection, id });

describe('parseSelection', () => {
  it('accepts one campaign, or several of one or more connections', () => {
    assert.deepEqual(parseSelection(ref(1)), [ref(1)]);
    assert.deepEqual(parseSelection({ connection: 'a', ids: [1, 2, 1] }), [ref(1), ref(2)]);
    assert.deepEqual(parseSelection([ref(2), ref(2, 'b'), ref(2)]), [ref(2), ref(2, 'b')]);
  });

  it('accepts only campaign nodes', () => {
    assert.deepEqual(
      parseSelection([
        { ...ref(1), collection: 'campaigns', treeId: 'x' },
        { ...ref(1), collection: 'lists' },
      ]),
      [ref(1)],
    );
  });

  it('accepts one follow-up, but none to compare', () => {
    const followUp = { ...ref(1), collection: 'follow-ups' };
    assert.deepEqual(parseSelection({ ...followUp, treeId: 'x' }), [followUp]);
    assert.deepEqual(parseSelection([followUp]), [followUp]);
    assert.deepEqual(parseSelection([followUp, ref(2), { ...followUp, id: 3 }]), [ref(2)]);
    assert.notEqual(getSelectionKey([followUp as never]), getSelectionKey([ref(1)]));
  });

  it('returns an empty selection for no campaign or too many', () => {
    const refs = [
      { connection: 'a' },
      { id: 1 },
      ref(0),
      ref(-1),
      ref(1.5),
      { ...ref(1), id: '1' },
      { connection: 1, id: 1 },
    ];
    const others = [undefined, null, 1, 'a', {}, [], [null, 'x'], { connection: 'a', ids: [1, 2, 3, 4, 5, 6] }];
    for (const value of [...refs, ...others]) assert.deepEqual(parseSelection(value), [], JSON.stringify(value));
  });

  it('has a distinct key for each selection', () => {
    const keys = [
      [],
      [ref(1)],
      [ref(1, 'b')],
      [ref(1), ref(2)],
      [ref(2), ref(1)],
      [{ connection: 'a",1],["a', id: 2 }],
    ].map(getSelectionKey);
    assert.equal(new Set(keys).size, keys.length);
    assert.equal(getSelectionKey([{ ...ref(1), collection: 'campaigns' } as never]), getSelectionKey([ref(1)]));
  });
});
