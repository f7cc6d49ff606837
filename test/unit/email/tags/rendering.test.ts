import assert from 'node:assert/strict';
import {
  readTagLanguage,
  explainTag,
  findTagProblems,
  parseTags,
  renderTags,
  tagLanguage,
  type Rendered,
  type TagLocation,
} from '../../../../src/email/tags/index.ts';
import { language, randomFrom, reference, rendering } from './setup.ts';

const locations: readonly TagLocation[] = ['body', 'subject', 'preheader', 'headers'];

/** Asserts that pieces cover the output in order, lie within the source, and that copies are unchanged. */
function assertPieces(source: string, { text, pieces }: Rendered) {
  let end = 0;
  for (const piece of pieces) {
    assert.equal(piece.start, end);
    assert.ok(
      piece.end > piece.start &&
        piece.sourceStart >= 0 &&
        piece.sourceEnd >= piece.sourceStart &&
        piece.sourceEnd <= source.length,
      JSON.stringify(piece),
    );
    if (piece.kind === 'text')
      assert.equal(text.slice(piece.start, piece.end), source.slice(piece.sourceStart, piece.sourceEnd));
    end = piece.end;
  }
  assert.equal(end, text.length);
}

describe('The source map of rendered tags', () => {
  it('covers values, pairs and conditions', () => {
    const source =
      'Hi {subscriber:name|part:first}, {if:Score=42}<b>{subscriber:score}</b>{/if} {unsubscribe}bye{/unsubscribe}';
    const rendered = renderTags(source, language, rendering());
    assert.equal(rendered.text, 'Hi Ann, <b>42</b> <a href="LINK(unsubscribe)">bye</a>');
    assert.deepEqual(
      rendered.pieces.map((piece) => [
        rendered.text.slice(piece.start, piece.end),
        source.slice(piece.sourceStart, piece.sourceEnd),
      ]),
      [
        ['Hi ', 'Hi '],
        ['Ann', '{subscriber:name|part:first}'],
        [', ', ', '],
        ['<b>', '<b>'],
        ['42', '{subscriber:score}'],
        ['</b>', '</b>'],
        [' ', ' '],
        ['<a href="LINK(unsubscribe)">', '{unsubscribe}'],
        ['bye', 'bye'],
        ['</a>', '{/unsubscribe}'],
      ],
    );
  });

  it('covers several passes', () => {
    const source = '{rand:{subscriber:name}}';
    const { text, pieces } = renderTags(source, language, rendering());
    assert.equal(text, 'Ann Marie O’Neil');
    assert.deepEqual(pieces, [{ start: 0, end: text.length, sourceStart: 0, sourceEnd: source.length, kind: 'tag' }]);
  });

  it('covers every reference case', () => {
    for (const { where, person, in: source } of reference.cases)
      assertPieces(source, renderTags(source, language, rendering(where, person)));
  });
});

/** Joins random parts. */
const join = (parts: readonly string[], length: number, random: () => number) =>
  Array.from({ length }, () => parts[Math.floor(random() * parts.length)] ?? '').join('');

describe('renderTags', () => {
  const parts = [
    ...'{ } %7B %7D | : / < > <b> </em></span> </a> 🙂 é &amp; $1 + % %C3 {subscriber: subscriber:name {if: {/if} Score=42 {unsubscribe} {/unsubscribe} {readonline| {/readonline} {rand:a;b} {date:Y} {list:names} {mail:body} {info:a} {/info} |part: |default: |type:diff|format: |substr:1, |rtrim: text 0 -1 {reg} {youtube} <style> </style> <!--'.split(
      ' ',
    ),
    '\n',
    ' ',
    '"',
    "'",
    '<span ',
    '<a href="',
    '\\',
    '\ud83d',
    '{tab ',
  ];

  it('never throws and maps the whole output for random texts', () => {
    const random = randomFrom(20_260_305);
    for (let round = 0; round < 3000; round += 1) {
      const source = join(parts, 1 + Math.floor(random() * 25), random);
      const where = locations[round % locations.length] ?? 'body';
      const person = ['ann', 'bob', 'rtl', 'none'][Math.floor(random() * 4)] ?? 'ann';
      assertPieces(source, renderTags(source, language, rendering(where, person)));
      for (const tag of parseTags(source, language))
        assert.ok(tag.start >= 0 && tag.start < tag.end && tag.end <= source.length, source);
      for (const problem of findTagProblems(source, language, where))
        assert.ok(problem.start >= 0 && problem.start <= problem.end && problem.end <= source.length, source);
      explainTag(source, Math.floor(random() * source.length), language, { rendering: rendering(where, person) });
    }
  });

  it('leaves text without tags unchanged', () => {
    const random = randomFrom(7);
    const plain = [
      ...'a </p> &amp; { {{x}} 🙂 50% $& }'.split(' '),
      ' ',
      '\n',
      '<p style="color:#fff">',
      '{ }',
      '<img src="a b.png">',
      '\\n',
    ];
    for (let round = 0; round < 500; round += 1) {
      const source = join(plain, 20, random);
      assert.equal(renderTags(source, language, rendering()).text, source);
    }
  });

  it('renders missing data as empty text', () => {
    const bare = { where: 'body', person: {}, now: new Date(NaN), link: () => '' } as const;
    assert.equal(
      renderTags(
        '{subscriber:name}{list:names}{mail:subject}{date:Y}{if:id=1}x{/if}{usertag:a|info:sender}{config:sitename}',
        language,
        bare,
      ).text,
      '',
    );
  });

  it('returns the text unchanged without a language', () => {
    const text = '<b> {subscriber:name} ';
    assert.equal(renderTags(text, tagLanguage('none'), rendering('subject')).text, text);
  });

  it('renders the examples of a user-defined language', () => {
    const described = readTagLanguage({
      families: { contact: { fields: { first: 'Ann', 'no}id': 'x' }, where: ['body'] }, 'no family': { fields: {} } },
    });
    assert.deepEqual(
      described.families.map(({ name }) => name),
      ['contact'],
    );
    assert.equal(
      renderTags('{contact:first|upper} {contact:last|default:you} {subscriber:name}', described, rendering()).text,
      'ANN you {subscriber:name}',
    );
    assert.equal(renderTags('{contact:first}', described, rendering('subject')).text, '{contact:first}');
  });
});

describe('Extreme texts', () => {
  const texts: readonly (readonly [title: string, text: string])[] = [
    ['a million braces', '{'.repeat(1_000_000)],
    ['half a million pairs of braces', '{}'.repeat(500_000)],
    ['a tag of 1 MB', `{subscriber:name|default:${'x'.repeat(1_000_000)}}`],
    ['a pair opened 10,000 times', '{unsubscribe}'.repeat(10_000)],
    ['a pair opened 10,000 times and closed once', `${'{unsubscribe}'.repeat(10_000)}{/unsubscribe}`],
    ['20,000 nested conditions', `${'{if:a=b}'.repeat(20_000)}${'{/if}'.repeat(20_000)}`],
    ['unclosed tags', '{subscriber:'.repeat(30_000)],
    ['unclosed conditions', '{if:'.repeat(50_000)],
    ['tags in unclosed spans', '<span {subscriber:name}'.repeat(10_000)],
    ['a condition of entities', `{if:${'&gt;'.repeat(200_000)}=}x{/if}`],
    ['encoded braces', '%7B'.repeat(300_000)],
    ['unclosed scripts', '<script>{name'.repeat(70_000)],
    ['one-letter tags', '{a}'.repeat(50_000)],
  ];
  it('render a user-defined family whose name is 100 KB long', () => {
    const name = 'a.b'.repeat(34_000);
    const described = readTagLanguage({ families: { [name]: { fields: { first: 'Ann' } } } });
    const text = `{${name}:first} {axb:first}`;
    assert.equal(renderTags(text, described, rendering()).text, 'Ann {axb:first}');
    assert.deepEqual(
      parseTags(text, described).map(({ kind }) => kind),
      ['value', 'unknown'],
    );
  });

  for (const [title, text] of texts) {
    it(`are parsed and rendered: ${title}`, () => {
      for (const where of ['body', 'subject'] as const)
        assertPieces(text, renderTags(text, language, rendering(where)));
      const tags = parseTags(text, language);
      assert.ok(tags.every(({ end }) => end <= text.length));
      assert.ok(findTagProblems(text, language, 'body').length <= 200);
    });
  }
});
