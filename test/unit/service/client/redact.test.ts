import assert from 'node:assert/strict';
import { createQuote, containsKey, redactKey } from '../../../../src/service/client/redact.ts';

const KEY = 'abc<def>"123';

describe('createQuote', () => {
  const cases: readonly (readonly [name: string, text: string, max: number, expected: string])[] = [
    ['spaces and control characters', ' a\r\n\tb\u0007  c ', 100, 'a b c'],
    ['nothing', '', 10, ''],
    ['half of a surrogate pair', 'a\uD800b', 10, 'ab'],
    ['whole characters at the cut', '😀😀😀', 2, '😀😀…'],
    ['the key', `x ${KEY} y ${KEY}`, 100, 'x ••• y •••'],
    ['the key in HTML', 'x abc&lt;def&gt;&quot;123 y', 100, 'x ••• y'],
    ['the key in other letter case', 'x ABC<DEF>"123 y', 100, 'x ••• y'],
    ['the key in a URL', `x ${encodeURIComponent(KEY)} y`, 100, 'x ••• y'],
    ['the key in hexadecimal', `x ${Buffer.from(KEY).toString('hex').toUpperCase()} y`, 100, 'x ••• y'],
    ['eight characters of the key', 'x abc<def> y bc<def>" z', 100, 'x ••• y ••• z'],
    ['seven characters of the key', 'x abc<def y', 100, 'x abc<def y'],
    ['the key in JSON', `x ${JSON.stringify(KEY)} y`, 100, 'x "•••" y'],
    ['the key with invisible characters', 'x abc<\u200Bdef>\u2060"1\u00AD23 y', 100, 'x ••• y'],
    ['the key with lone surrogates', 'x abc<\uD800def>"\uDC00123 y', 100, 'x ••• y'],
    [
      'the key with an invisible character between all its characters',
      `x ${[...KEY].join('\u202E')} y`,
      100,
      'x ••• y',
    ],
    ['eight characters of the key with an invisible character', 'x abc<\uFEFFdef> y', 100, 'x ••• y'],
    [
      'the key in hexadecimal with invisible characters',
      `x ${[...Buffer.from(KEY).toString('hex')].join('\u200D')} y`,
      100,
      'x ••• y',
    ],
  ];
  for (const [name, text, max, expected] of cases) it(name, () => assert.equal(createQuote(KEY)(text, max), expected));

  it('redacts the key in Base64 at any alignment', () => {
    for (const before of ['', 'a', 'ab', 'abc', 'Api-Key: ']) {
      for (const encoding of ['base64', 'base64url'] as const) {
        const encoded = Buffer.from(`${before}${KEY}; and more`).toString(encoding);
        const shown = createQuote(KEY)(encoded, 500);
        assert.match(shown, /•••/);
        // The remaining characters on both sides are too short to reveal the key.
        const left = shown.split('•••').flatMap((part) => Buffer.from(part, encoding).toString('latin1'));
        for (let at = 0; at + 6 <= KEY.length; at += 1)
          assert.ok(!left.some((part) => part.includes(KEY.slice(at, at + 6))), shown);
      }
    }
  });

  it('reports whether a text contains the key', () => {
    const quote = createQuote(KEY);
    const repeating = [
      KEY,
      `/a?k=${encodeURIComponent(KEY)}`,
      KEY.slice(0, 9),
      `${' '.repeat(50)}${KEY}`,
      [...KEY].join('\u200B'),
    ];
    for (const text of repeating) assert.ok(containsKey(text, quote), text.slice(0, 50));
    for (const text of ['', '/a?k=1', KEY.slice(0, 5), '  x\u0007 ', 'y'.repeat(10_000)])
      assert.ok(!containsKey(text, quote), text.slice(0, 50));
  });

  it('redacts the key at the end of the inspected text', () => {
    for (let before = 19_980; before < 20_002; before++) {
      const shown = createQuote(KEY)(' '.repeat(before) + KEY + ' '.repeat(100), 200);
      for (let length = 1; length <= KEY.length; length++)
        assert.ok(!shown.includes(KEY.slice(0, length)), `${before}: ${shown}`);
    }
  });

  it('keeps the beginning of a long text', () =>
    assert.equal(createQuote(KEY)(`["a"${' '.repeat(30_000)}`, 200), '["a"'));

  it('redacts the key in all forms in a long text with several lines', () => {
    const long = `${'a\n'.repeat(30_000)}`;
    for (const form of [
      KEY,
      encodeURIComponent(KEY),
      Buffer.from(KEY).toString('base64'),
      KEY.toUpperCase(),
      KEY.slice(0, 9),
    ]) {
      assert.equal(redactKey(`${long}${form}\n${long}`, KEY), `${long}•••\n${long}`, form);
    }
    assert.equal(redactKey(long, KEY), long);
  });

  it('works without a key', () => assert.equal(createQuote(undefined)('a', 10), 'a'));
});
