import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyEdits, byStart, type TextEdit } from '../../../../src/email/html/text.ts';
import { checkParts } from '../../../../src/sync/parts/check.ts';
import { applyParts, readParts, stripParts, type Part } from '../../../../src/sync/parts/index.ts';

const RUNS = 300;
const check = <T>(property: fc.IProperty<T>) => fc.assert(property, createRunOptions(RUNS));
import { createRunOptions } from '../../fuzz/setup.ts';

type Parts = Readonly<Record<string, string>>;

const names = ['a', 'b', 'constructor', 'x-1', '0'];
const slotNames = ['t', 'valueof'];

const fragment = fc.constantFrom(
  ...[
    'text',
    '\r\n',
    '\n  ',
    '<p>',
    '</p>',
    '$&',
    "$'",
    '{if:x=1}',
    '{/if}',
    '{unsubscribe}x{/unsubscribe}',
    '🙂',
    '&amp;',
    '\0',
  ],
  ...[
    '<!--[if mso]><td -- ><![endif]-->',
    '<!--[if !mso]><!-->',
    '<!--<![endif]-->',
    '<style>a{}<!-- part: a --></style>',
    '<!-- note -->',
  ],
  ...[
    '<a title="<!-- /part -->" href=x>',
    '<title><!-- slot: s --></title>',
    '<!--[if mso]><!-- part: a -->x<!-- /part --><![endif]-->',
  ],
);
const plain = fc.array(fragment, { maxLength: 4 }).map((all) => all.join(''));
const wrap = (kind: string, start: string, content: string) => `<!-- ${kind}: ${start} -->${content}<!--/${kind} -->`;

/** Texts of parts. Each contains only later ones, and fills no slot that they may not have. */
const anyParts: fc.Arbitrary<Parts> = fc
  .tuple(...names.map((_, index) => createPartText(names.slice(index + 1))))
  .map((texts) => Object.fromEntries(texts.map((text, index) => [names[index] ?? '', text])));

/** A text with a slot `s`, and with inner parts whose slot `s` has its default, is filled, or contains a slot of this part. */
function createPartText(inner: readonly string[]): fc.Arbitrary<string> {
  const value = fc.constantFrom(
    '[[x]]',
    '<a href="[[x]]" title=[[x]]>',
    '<!--[if mso]><v:rect href="[[x]]"><![endif]-->',
  );
  const filling = fc.oneof(
    fc.constant('old'),
    plain.map((text) => wrap('slot', 's', text)),
    fc.tuple(plain, plain).map((texts) => wrap('slot', 's', texts.join(wrap('slot', 'outer', 'default')))),
  );
  const use =
    inner.length === 0
      ? plain
      : fc.tuple(fc.constantFrom(...inner), filling).map(([name, text]) => wrap('part', `${name} x="[[x]]"`, text));
  const content = fc.array(fc.oneof(plain, use, value), { maxLength: 3 }).map((all) => all.join(''));
  const slots = fc.uniqueArray(fc.tuple(fc.constantFrom(...slotNames), content, content), {
    selector: ([name]) => name,
  });
  const outer = wrap('slot', 'outer', 'default');
  return fc.tuple(content, slots, plain).map(([start, all, text]) => {
    const rest = all.map(([name, slot, after]) => wrap('slot', name, slot.replaceAll(outer, '')) + after);
    const [first, ...others] = (start + rest.join('') + wrap('slot', 's', text)).split(outer);
    return others.length === 0 ? (first ?? '') : `${first}${outer}${others.join('')}`;
  });
}

/** Emails with parts. Each slot has a number that is nowhere else. */
const anyEmail: fc.Arbitrary<string> = fc
  .letrec<{ content: string; part: string }>((tie) => ({
    content: fc
      .array(fc.oneof({ depthSize: 'small', withCrossShrink: true }, plain, tie('part')), { maxLength: 3 })
      .map((all) => all.join('')),
    part: fc
      .tuple(
        fc.constantFrom(...names, 'unknown'),
        plain,
        fc.uniqueArray(
          fc.tuple(
            fc.constantFrom(...slotNames, 's', 'outer', 'gone'),
            fc.constantFrom('slot', 'orphan'),
            tie('content'),
          ),
          {
            selector: ([name]) => name,
            maxLength: 3,
          },
        ),
      )
      .map(([name, text, slots]) =>
        wrap(
          'part',
          `${name} x="1&amp;2"`,
          text + slots.map(([slot, kind, content]) => wrap(kind, slot, `@@\r\n${content}`)).join(text),
        ),
      ),
  }))
  .content.map((text) => {
    let count = 0;
    return text.replaceAll('@@', () => `#${(count += 1)}#`);
  });

const damage = fc.constantFrom(
  ...[
    '<!-- part: a -->',
    '<!-- /part -->',
    '<!-- slot: s -->',
    '<!-- /slot -->',
    '<!-- orphan: s -->',
    '<!-- /orphan -->',
  ],
  ...[
    '<!-- part: A -->',
    '<!-- part: a b="',
    '<!--',
    '-->',
    '<style>',
    '<a title="',
    '<',
    '[[x]]',
    '<!--[if mso]>',
    '<!',
  ],
);
/** Inserts damaged marks and removes characters. */
const damageText = (text: fc.Arbitrary<string>) =>
  fc
    .tuple(text, fc.array(fc.tuple(fc.nat(1000), fc.oneof(damage, fc.nat(8))), { minLength: 1, maxLength: 4 }))
    .map(([whole, edits]) =>
      edits.reduce((now, [at, edit]) => {
        const start = Math.round((at / 1000) * now.length);
        return typeof edit === 'number'
          ? now.slice(0, start) + now.slice(start + edit)
          : now.slice(0, start) + edit + now.slice(start);
      }, whole),
    );

const listParts = (parts: readonly Part[]): readonly Part[] =>
  parts.flatMap((part) => [part, ...listParts(part.parts)]);

/** Applies the fixes of parts that are out of date. That of a part includes those of the parts in it. */
function fixParts(text: string, parts: Parts) {
  const edits: TextEdit[] = [];
  for (const { rule, fixes } of checkParts(text, parts).findings.toSorted(byStart))
    for (const edit of rule === 'part-outdated' ? (fixes[0]?.edits ?? []) : [])
      if (edit.start >= (edits.at(-1)?.end ?? 0)) edits.push(edit);
  return applyEdits(text, edits);
}

/** Asserts that everything has a range in the text, that applying is idempotent, and that fixes do the same. */
function assertSound(text: string, parts: Parts) {
  const applied = applyParts(text, parts);
  assert.equal(applyParts(applied.text, parts).text, applied.text);
  assert.equal(fixParts(text, parts), applied.text);
  assert.ok(checkParts(applied.text, parts).uses.every(({ isOutdated }) => !isOutdated));
  for (const { start, end } of applied.problems) assert.ok(start >= 0 && start < end && end <= text.length);
  for (const part of listParts(readParts(text))) {
    assert.match(text.slice(part.start, part.end), /^<!--\s*part\s*:[^]*\/\s*part\s*-->$/);
    for (const slot of part.slots) assert.equal(text.slice(slot.start, slot.end), slot.text);
  }
  return applied;
}

const getNumbers = (text: string) => (text.match(/#\d+#\r\n/g) ?? []).toSorted();

describe('Applying random linked parts', () => {
  it('is idempotent and keeps the content of every slot once', () => {
    check(
      fc.property(anyEmail, anyParts, (text, parts) => {
        const applied = assertSound(text, parts);
        assert.deepEqual(getNumbers(applied.text), getNumbers(text));
        assert.deepEqual(readParts(stripParts(applied.text)), []);
      }),
    );
  });

  it('replaces nothing outside of parts', () => {
    check(
      fc.property(plain, anyEmail, plain, anyParts, (before, text, after, parts) => {
        const { text: applied } = applyParts(before + text + after, parts);
        assert.equal(applied, before + applyParts(text, parts).text + after);
      }),
    );
  });

  it('keeps an edit of any slot byte for byte', () => {
    let edits = 0;
    check(
      fc.property(anyParts, fc.constantFrom(...names), plain, fc.nat(), (parts, name, content, index) => {
        const { text, problems } = applyParts(wrap('part', `${name} x="https://a.example"`, ''), parts);
        assert.deepEqual(problems, []);
        const slots = listParts(readParts(text)).flatMap((part) => part.slots);
        // The text around the slot of an outer part is that part's.
        const ownSlots = slots.filter((each) => !each.text.includes('<!-- slot: outer'));
        const slot = ownSlots[index % ownSlots.length];
        if (!slot) return;
        edits += 1;
        const edited = `${text.slice(0, slot.start)}${content}\r\n${text.slice(slot.end)}`;
        assert.deepEqual(applyParts(edited, parts), { text: edited, problems: [] });
      }),
    );
    assert.ok(edits > RUNS / 2);
  });

  it('writes a new text of a part into every use', () => {
    check(
      fc.property(anyEmail, anyParts, (text, parts) => {
        const applied = applyParts(applyParts(text, parts).text, { ...parts, b: 'new' });
        for (const part of listParts(readParts(applied.text)))
          if (part.name === 'b') assert.match(applied.text.slice(part.start, part.end), /-->new<!--/);
      }),
    );
  });

  it('is idempotent after any damage', () => {
    const damaged = anyParts.chain((parts) =>
      fc.dictionary(fc.constantFrom(...names), damageText(fc.constantFrom(...Object.values(parts)))),
    );
    check(
      fc.property(damageText(anyEmail), fc.oneof(anyParts, damaged), (text, parts) => void assertSound(text, parts)),
    );
  });

  it('is idempotent for any order of marks', () => {
    const marks = fc.array(fc.oneof(damage, plain, fc.constantFrom('<!-- slot: t -->', '<!-- part: b -->')), {
      maxLength: 12,
    });
    const text = marks.map((all) => all.join(''));
    check(fc.property(text, fc.record({ a: text, b: text }), (email, parts) => void assertSound(email, parts)));
  });
});

describe('Absurd linked parts', () => {
  const repeat = (text: string, times = 20_000) => text.repeat(times);
  const big = repeat('<p>text</p>', 100_000);
  for (const [title, text, parts] of [
    ['parts without an end', repeat('<!-- part: a -->'), { a: 'x' }],
    ['slots without an end in a part', `<!-- part: a -->${repeat('<!-- slot: s -->')}<!-- /part -->`, { a: 'x' }],
    ['parts and slots without an end', repeat('<!-- part: a --><!-- slot: s -->'), { a: 'x' }],
    ['ends without a start', repeat('<!-- /part --><!-- /slot -->'), {}],
    [
      'nested parts',
      repeat('<!-- part: a --><!-- slot: s -->') + repeat('<!-- /slot --><!-- /part -->'),
      { a: '<!-- slot: s --><!-- /slot -->' },
    ],
    [
      'nested parts without their slots',
      repeat('<!-- part: a --><!-- slot: s -->', 50) + big + repeat('<!-- /slot --><!-- /part -->', 50),
      { a: 'x' },
    ],
    ['uses', repeat('<!-- part: a b="c" -->x<!-- /part -->'), { a: '<p>[[b]]</p>' }],
    [
      'slots',
      `<!-- part: a -->${Array.from({ length: 20_000 }, (_, index) => `<!-- slot: s${index} -->x<!-- /slot -->`).join('')}<!-- /part -->`,
      { a: '' },
    ],
    [
      'attributes',
      `<!-- part: a ${Array.from({ length: 20_000 }, (_, index) => `b${index}=1`).join(' ')} --><!-- /part -->`,
      { a: '[[b7]]' },
    ],
    ['comments without an end', repeat('<!-- part: a '), {}],
    ['conditions', repeat('<!--[if mso]><!-- part: a -->'), { a: repeat('<!--[if mso]>[[x]]') }],
    ['blanks', `<!--${repeat(' ', 500_000)}part${repeat(' ', 500_000)}: a -->`, {}],
    ['values in a tag', '<!-- part: a b="1" --><!-- /part -->', { a: `<p ${repeat('c="[[b]]" ')}>${repeat('[[b]]')}` }],
    [
      'values of a long attribute',
      `<!-- part: a b="${big}" --><!-- /part -->`.replaceAll('>text<', ''),
      { a: repeat('[[b]]') },
    ],
    ['large parts', repeat('<!-- part: a --><!-- /part -->', 1000), { a: big }],
    [
      'parts that contain the next one twice',
      '<!-- part: a0 --><!-- /part -->',
      Object.fromEntries(
        Array.from({ length: 19 }, (_, index) => [
          `a${index}`,
          index === 18 ? 'x' : repeat(`<!-- part: a${index + 1} --><!-- /part -->`, 2),
        ]),
      ),
    ],
  ] as const satisfies readonly (readonly [string, string, Parts])[])
    it(`are applied in bounded time: ${title}`, () => {
      const applied = applyParts(text, parts);
      assert.ok(applied.text.length <= text.length + 20 * 1024 * 1024);
      assert.equal(applyParts(applied.text, parts).text, applied.text);
      readParts(text);
    });

  it('change nothing if the text becomes too large, and say so once', () => {
    const text = repeat('<!-- part: a --><!-- /part -->', 1000);
    const { text: applied, problems } = applyParts(text, { a: big });
    assert.equal(applied, text);
    assert.equal(problems.length, 1);
    assert.match(problems[0]?.message ?? '', /Nothing was changed/);
  });
});
