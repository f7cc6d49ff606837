import assert from 'node:assert/strict';
import { isSameValue } from '../../../../src/platform/documents/model.ts';

describe('values of fields', () => {
  const same: readonly (readonly [name: string, one: unknown, other: unknown])[] = [
    ['line endings and a byte order mark', '\uFEFFa\r\nb', 'a\nb'],
    ['no value in all its forms', null, ''],
    ['lists of ids in another order', [3, 1, 2], [1, 2, 3]],
    ['lists of ids that repeat one', [1, 2, 1], [2, 1]],
    [
      'lists of ids within a condition',
      { lists_status: 'is', lists: [2, 1], segments: [4, 3] },
      { lists_status: 'is', lists: [1, 2], segments: [3, 4] },
    ],
  ];
  for (const [name, one, other] of same) it(`are the same: ${name}`, () => assert.ok(isSameValue(one, other)));

  const different: readonly (readonly [name: string, one: unknown, other: unknown])[] = [
    ['a list more', [1, 2], [1, 2, 3]],
    ['none, and one', [], [1]],
    ['a number, and a list of it', 1, [1]],
    ['texts in another order', ['b', 'a'], ['a', 'b']],
    ['delays in another order', [{ mail_id: 2 }, { mail_id: 1 }], [{ mail_id: 1 }, { mail_id: 2 }]],
    ['ids, and the same as text', [1, 2], ['1', '2']],
  ];
  for (const [name, one, other] of different) it(`are different: ${name}`, () => assert.ok(!isSameValue(one, other)));
});
