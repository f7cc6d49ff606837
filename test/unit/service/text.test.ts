import assert from 'node:assert/strict';
import fc from 'fast-check';
import { escapeMarkdown, escapeMessage, toSingleLine, stripInvisible } from '../../../src/service/text.ts';
import { anyCodePoint } from '../fuzz/setup.ts';

describe('toSingleLine', () => {
  it('leaves ordinary text of any script unchanged', () => {
    const texts = [
      'Newsletter 2026',
      'مرحبا بكم',
      '👩‍👩‍👧 Familie',
      'Crème brûlée – 5 €',
      'می‌خواهم',
      '$(5) off [today](x)',
    ];
    assert.deepEqual(
      texts.map((text) => toSingleLine(text)),
      texts,
    );
  });

  for (const [title, text, expected] of [
    ['joins lines', '  a\r\n\tb\u2028c\u0000d\u00a0\u2003e  ', 'a b c d e'],
    [
      'removes bidirectional and invisible characters',
      'invoice\u202Egnp.exe\u202C \u2066x\u2069 a\u200Bb\u{E0041}\uFEFF',
      'invoicegnp.exe x ab',
    ],
    ['is empty for joiners alone', '\u200C\u200D', ''],
    ['is empty for invisible text', ' \u200B\u200D\u2060 ', ''],
    ['is empty for control characters', '\u0001\u202E', ''],
    ['replaces lone surrogates', 'a\uD83Db', 'a\uFFFDb'],
    ['limits combining marks', `a${'\u0301'.repeat(100)}b`, `a${'\u0301'.repeat(8)}b`],
  ] as const)
    it(title, () => assert.equal(toSingleLine(text), expected));

  it('truncates long text with an ellipsis at a grapheme boundary', () => {
    assert.equal(toSingleLine('abcdef', 6), 'abcdef');
    assert.equal(toSingleLine('abcdefg', 6), 'abcde…');
    assert.equal(toSingleLine('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 2), '👩‍👩‍👧…');
    assert.equal(toSingleLine('x'.repeat(1_000_000), 10), `${'x'.repeat(9)}…`);
    assert.equal(toSingleLine(`${' '.repeat(1_000_000)}x`, 10), '…');
  });

  it('returns no control character, line break or direction mark for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint }), fc.integer({ min: 1, max: 50 }), (text, max) => {
        const shown = toSingleLine(text, max);
        assert.doesNotMatch(shown, /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u);
        assert.ok([...new Intl.Segmenter().segment(shown)].length <= max);
        assert.equal(toSingleLine(shown, max), shown);
      }),
    );
  });
});

describe('escapeMessage', () => {
  it('disables links and icons, and keeps them readable', () => {
    assert.equal(
      escapeMessage('[Click](command:evil) $(trash) $(sync~spin)'),
      '[Click]\u200B(command:evil) $\u200B(trash) $\u200B(sync~spin)',
    );
  });

  it('leaves no icon or link in any text', () => {
    const signs = fc.array(fc.constantFrom('$', '(', ')', '[', ']', 'a', ' ', '\u200B', '\u202E', '\n'), {
      maxLength: 30,
    });
    fc.assert(fc.property(signs, (parts) => assert.doesNotMatch(escapeMessage(parts.join('')), /\$\(|\]\(/)));
  });
});

describe('escapeMarkdown', () => {
  it('returns only letters, digits, spaces and character references', () => {
    const hostile =
      '**b** [x](command:a) ![i](https://e.example/p.png) <img src=x> https://e.example www.e.example a@e.example $(zap) `c` | # - &amp; \\* ~~s~~';
    const escaped = escapeMarkdown(hostile);
    assert.doesNotMatch(escaped.replace(/&#\d+;/g, ''), /[!-/:-@[-`{-~]/);
    assert.equal(
      escaped.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
      hostile,
    );
  });

  it('stays on one line', () => {
    assert.equal(escapeMarkdown('a\n\n# b\n- c'), 'a &#35; b &#45; c');
  });
});

describe('stripInvisible', () => {
  it('keeps visible text on several lines, and counts removed characters', () => {
    assert.deepEqual(stripInvisible('a\u200B\u{E0041}b\r\n\tc\u0007\uFE0F'), { text: 'ab\r\n\tc', removed: 4 });
    assert.deepEqual(stripInvisible('\uD83Dx'), { text: '\uFFFDx', removed: 0 });
  });

  it('removes characters without a glyph', () => {
    assert.deepEqual(stripInvisible('a\u2800b\u{1D159}c\uE000d\u{F0041}e\u{10FFFD}f'), { text: 'abcdef', removed: 5 });
  });

  it('keeps emoji intact', () => assert.deepEqual(stripInvisible('👨‍👩‍👧❤️1️⃣'), { text: '👨‍👩‍👧❤️1️⃣', removed: 0 }));
});
