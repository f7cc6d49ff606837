import assert from 'node:assert/strict';
import { quoter } from '../../../src/api/text.ts';

const KEY = 'abc<def>"123';

describe('quoter', () => {
  const cases: readonly (readonly [name: string, text: string, max: number, expected: string])[] = [
    ['spaces and control characters', ' a\r\n\tb\u0007  c ', 100, 'a b c'],
    ['nothing', '', 10, ''],
    ['half of a surrogate pair', 'a\uD800b', 10, 'ab'],
    ['whole characters at the cut', '😀😀😀', 2, '😀😀…'],
    ['the key', `x ${KEY} y ${KEY}`, 100, 'x ••• y •••'],
    ['the key in HTML', 'x abc&lt;def&gt;&quot;123 y', 100, 'x ••• y'],
    ['the key in JSON', `x ${JSON.stringify(KEY)} y`, 100, 'x "•••" y'],
  ];
  for (const [name, text, max, expected] of cases) it(name, () => assert.equal(quoter(KEY)(text, max), expected));

  it('the key across the end of what is looked at', () => {
    for (let before = 19_980; before < 20_002; before++) {
      const shown = quoter(KEY)(' '.repeat(before) + KEY + ' '.repeat(100), 200);
      for (let length = 1; length <= KEY.length; length++) assert.ok(!shown.includes(KEY.slice(0, length)) , `${before}: ${shown}`);
    }
  });

  it('keeps the beginning of a long text', () => assert.equal(quoter(KEY)(`["a"${' '.repeat(30_000)}`, 200), '["a"'));

  it('works without a key', () => assert.equal(quoter(undefined)('a', 10), 'a'));
});
