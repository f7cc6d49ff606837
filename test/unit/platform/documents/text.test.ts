import assert from 'node:assert/strict';
import { isSameValue } from '../../../../src/platform/documents/differences.ts';
import type { Json } from '../../../../src/service/client/shapes.ts';

describe('isSameValue', () => {
  const same: readonly (readonly [name: string, one: Json, other: Json])[] = [
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
  for (const [name, one, other] of same) it(`returns true for ${name}`, () => assert.ok(isSameValue(one, other)));

  const different: readonly (readonly [name: string, one: Json, other: Json])[] = [
    ['an additional list', [1, 2], [1, 2, 3]],
    ['an empty list and a list of one', [], [1]],
    ['a number and a list of that number', 1, [1]],
    ['texts in another order', ['b', 'a'], ['a', 'b']],
    ['delays in another order', [{ mail_id: 2 }, { mail_id: 1 }], [{ mail_id: 1 }, { mail_id: 2 }]],
    ['a number and the same number as text', 1, '1'],
    ['a text and the same number', '1', 1],
    ['no value and an empty list', '', []],
    ['an empty list and no value', [], null],
    ['numbers and the same ids as text', [1, 2], ['1', '2']],
  ];
  for (const [name, one, other] of different)
    it(`returns false for ${name}`, () => assert.ok(!isSameValue(one, other)));
});
