import assert from 'node:assert/strict';
import { applyParts, readParts, stripParts } from '../../../../src/sync/parts/index.ts';

type Parts = Readonly<Record<string, string>>;

/** Applies parts, asserts that this is idempotent, and returns the text. */
function apply(text: string, parts: Parts, problems: readonly RegExp[] = []): string {
  const applied = applyParts(text, parts);
  assert.equal(applied.problems.length, problems.length, JSON.stringify(applied.problems));
  for (const [index, problem] of problems.entries()) assert.match(applied.problems[index]?.message ?? '', problem);
  assert.equal(applyParts(applied.text, parts).text, applied.text);
  return applied.text;
}

/** Asserts that a text stays as it is, with these problems at these places. */
function assertUnchanged(
  text: string,
  parts: Parts,
  ...expected: readonly (readonly [place: string, message: RegExp])[]
) {
  assert.equal(
    apply(
      text,
      parts,
      expected.map(([, message]) => message),
    ),
    text,
  );
  const places = applyParts(text, parts).problems.map(({ start, end }) => text.slice(start, end));
  assert.deepEqual(
    places,
    expected.map(([place]) => place),
  );
}

const footer = '<p><!-- slot: reason -->You ordered.<!-- /slot --></p>';

describe('Reading linked parts', () => {
  it('returns parts and slots with their ranges', () => {
    const text = 'a <!-- part: footer -->b <!-- slot: reason -->c<!-- /slot --> d<!-- /part --> e';
    const [part] = readParts(text);
    assert.deepEqual(readParts(text), [
      {
        name: 'footer',
        start: 2,
        end: text.length - 2,
        attributes: {},
        slots: [{ name: 'reason', start: 46, end: 47, text: 'c' }],
        parts: [],
      },
    ]);
    assert.ok(text.slice(part?.start, part?.end).startsWith('<!-- part'));
    assert.ok(text.slice(part?.start, part?.end).endsWith('<!-- /part -->'));
  });

  it('accepts any blanks, or none, inside marks', () => {
    for (const [start, end] of [
      ['<!--part:f-->', '<!--/part-->'],
      ['<!--\r\n\tpart\n:\n f  \r\n-->', '<!-- / part\n-->'],
    ] as const) {
      assert.equal(readParts(`${start}x${end}`)[0]?.name, 'f');
      assert.equal(apply(`${start}x${end}`, { f: 'y' }), `${start}y${end}`);
    }
  });

  it('reads attributes as HTML does', () => {
    const [part] = readParts(
      `<!-- part: b a="x &amp; &quot;y&quot;" b='Tom&apos;s "own"' c=1&lt;2 d e = 5 f="&#8364;>" g="a\nb" -->x<!-- /part -->`,
    );
    assert.deepEqual(part?.attributes, {
      ...{ a: 'x & "y"', b: `Tom's "own"`, c: '1<2', d: '', e: '5', f: '€>', g: 'a\nb' },
    });
  });

  it('accepts names that JavaScript objects have', () => {
    const [part] = readParts(
      '<!-- part: constructor tostring="x" --><!-- slot: constructor -->y<!-- /slot --><!-- /part -->',
    );
    assert.equal(part?.name, 'constructor');
    assert.deepEqual(part?.attributes, { tostring: 'x' });
    assertUnchanged('<!-- part: constructor -->x<!-- /part -->', {}, [
      '<!-- part: constructor -->',
      /There is no part/,
    ]);
    assertUnchanged('<!-- part: f -->x<!-- /part -->', { f: '[[constructor]]' }, ['<!-- part: f -->', /is missing/]);
    assert.equal(
      apply('<!-- part: constructor --><!-- slot: valueof -->x<!-- /slot --><!-- /part -->', {
        constructor: 'y<!-- slot: valueof --><!-- /slot -->',
      }),
      '<!-- part: constructor -->y<!-- slot: valueof -->x<!-- /slot --><!-- /part -->',
    );
  });

  it('returns the outermost parts, with those inside', () => {
    const text =
      '<!-- part: a --><!-- part: b -->1<!-- /part --><!-- slot: s --><!-- part: c -->2<!-- /part --><!-- /slot --><!-- /part -->' +
      '<!-- part: d --><!-- /part -->';
    assert.deepEqual(
      readParts(text).map(({ name, parts }) => [name, parts.map((inner) => inner.name)]),
      [
        ['a', ['b', 'c']],
        ['d', []],
      ],
    );
  });

  it('assigns a slot inside the slot of an inner part to the outer part', () => {
    const [layout] = readParts(
      '<!-- part: layout --><!-- part: box --><!-- slot: body --><!-- slot: content -->x<!-- /slot --><!-- /slot --><!-- /part --><!-- /part -->',
    );
    assert.deepEqual(
      layout?.slots.map(({ name, text }) => [name, text]),
      [['content', 'x']],
    );
    assert.deepEqual(
      layout?.parts[0]?.slots.map(({ name }) => name),
      ['body'],
    );
  });

  for (const [title, text] of [
    ['styles', '<style>/* <!-- part: f -->x<!-- /part --> */</style>'],
    ['scripts', '<script>"<!-- part: f -->x<!-- /part -->"</script>'],
    ['titles', '<title><!-- part: f -->x<!-- /part --></title>'],
    ['attribute values', `<a title="<!-- part: f -->" alt='<!-- slot: s -->x<!-- /slot -->' lang=<!--part:f-->x</a>`],
    ['comments', '<!-- an example: <!-- part: f -> x <!- /part -->'],
    ['conditional comments', '<!--[if mso]><table -- <a "<!-- part: f">x<!-- /part ><![endif]-->'],
    ['comments in conditional comments', '<!--[if mso]> -- <!-- part: f -->x<!-- /part --> <![endif]-->'],
    [
      'other comments',
      '<!-- parts --><!-- part 2 --><!-- Part: f --><!-- slots: 2 --><!-- the part: f --><!-- /parts -->',
    ],
    ['tags that are never closed', '<a title="<!-- part: f -->x<!-- /part -->'],
  ] as const)
    it(`reads marks in ${title} as text`, () => {
      assert.deepEqual(readParts(text), []);
      assertUnchanged(text, { f: 'y' });
    });

  it('reads marks between conditional comments', () => {
    const text =
      '<!--[if !mso]><!--><!-- part: f -->x<!-- /part --><!--<![endif]--><!--[if mso]>a<![endif]--><!-- part: f -->x<!-- /part -->';
    assert.equal(readParts(text).length, 2);
    assert.equal(apply(text, { f: 'y' }), text.replaceAll('x<', 'y<'));
  });
});

describe('Applying linked parts', () => {
  it('replaces the content of a part and keeps its marks', () => {
    assert.equal(
      apply('a<!--part:f-->old<!--/part-->b', { f: '<p>new</p>\n' }),
      'a<!--part:f--><p>new</p>\n<!--/part-->b',
    );
  });

  it('keeps the content of slots byte for byte', () => {
    const content = "\r\n\t$& $1 $' \u00a0é🙂\0<b>\r<!-- note -->{if:x}\n";
    assert.equal(
      apply(`<!-- part: footer -->old<!-- slot: reason -->${content}<!-- /slot --><!-- /part -->`, { footer }),
      `<!-- part: footer --><p><!-- slot: reason -->${content}<!-- /slot --></p><!-- /part -->`,
    );
  });

  it('adds missing slots with their default content', () => {
    assert.equal(
      apply('<!-- part: footer --><!-- /part -->', { footer: `${footer}$&` }),
      `<!-- part: footer -->${footer}$&<!-- /part -->`,
    );
  });

  it('applies the parts inside slots', () => {
    assert.equal(
      apply(
        '<!-- part: a --><!-- slot: s -->1<!-- part: a --><!-- slot: s -->2<!-- /slot -->old<!-- /part -->3<!-- /slot --><!-- /part -->',
        { a: '[<!-- slot: s --><!-- /slot -->]' },
      ),
      '<!-- part: a -->[<!-- slot: s -->1<!-- part: a -->[<!-- slot: s -->2<!-- /slot -->]<!-- /part -->3<!-- /slot -->]<!-- /part -->',
    );
  });

  it('applies parts in the head, between merge tags and between Outlook code', () => {
    assert.equal(
      apply(
        '<head><!-- part: f --><!-- /part --><style>a{}</style></head>{if:x=1}<!-- part: f -->1<!-- /part -->{/if}<!--[if mso]><td><![endif]--><!-- part: f -->2<!-- /part -->',
        { f: '<meta name="x">' },
      ),
      '<head><!-- part: f --><meta name="x"><!-- /part --><style>a{}</style></head>{if:x=1}<!-- part: f --><meta name="x"><!-- /part -->{/if}<!--[if mso]><td><![endif]--><!-- part: f --><meta name="x"><!-- /part -->',
    );
  });

  it('keeps the content of a slot that the part no longer has, once, and reports it each time', () => {
    const text =
      '<!-- part: footer --><!-- slot: legal -->\r\nLtd.<!-- /slot --><!-- slot: reason -->r<!-- /slot --><!-- /part -->';
    const expected =
      '<!-- part: footer --><p><!-- slot: reason -->r<!-- /slot --></p><!-- orphan: legal -->\r\nLtd.<!-- /orphan --><!-- /part -->';
    assert.equal(apply(text, { footer }, [/no slot "legal" anymore.*Recipients/]), expected);
    assert.equal(apply(expected, { footer }, [/no slot "legal" anymore/]), expected);
    assert.equal(
      apply(expected, { footer: 'new' }, [/"reason"/, /"legal"/]),
      '<!-- part: footer -->new<!-- orphan: reason -->r<!-- /orphan --><!-- orphan: legal -->\r\nLtd.<!-- /orphan --><!-- /part -->',
    );
  });

  it('moves an orphan back when the part has its slot again', () => {
    assert.equal(
      apply('<!-- part: footer -->x<!-- orphan: reason -->r<!-- /orphan --><!-- /part -->', { footer }),
      `<!-- part: footer -->${footer.replace('You ordered.', 'r')}<!-- /part -->`,
    );
  });

  it('keeps orphans with the name of a slot or of each other', () => {
    const text = `<!-- part: footer -->${footer}<!-- orphan: reason -->1<!-- /orphan --><!-- orphan: reason -->2<!-- /orphan --><!-- /part -->`;
    assert.equal(apply(text, { footer }, [/"reason"/, /"reason"/]), text);
  });

  it('keeps an orphan with damaged marks where it is', () => {
    const text = `<!-- part: footer -->${footer}<!-- orphan: reason -->1<!-- /slot -->2<!-- /orphan --><!-- /part -->`;
    const missing = text.replace(footer, '');
    assert.equal(apply(missing, { footer }, [/"reason"/, /ends nothing/]), text);
    assert.equal(apply(text, { footer }, [/"reason"/, /ends nothing/]), text);
  });

  it('applies parts in an orphan', () => {
    assert.equal(
      apply(
        '<!-- part: a --><!-- slot: s --><!-- part: f -->old<!-- /part --><!-- /slot --><!-- /part -->',
        { a: '', f: 'new' },
        [/"s"/],
      ),
      '<!-- part: a --><!-- orphan: s --><!-- part: f -->new<!-- /part --><!-- /orphan --><!-- /part -->',
    );
  });

  it('leaves alone what it has no part for, and applies the parts inside', () => {
    const text = '<!-- part: a --><!-- slot: s --><!-- part: f -->old<!-- /part --><!-- /slot --><!-- /part -->';
    assert.equal(apply(text, { f: 'new' }, [/There is no part "a"/]), text.replace('old', 'new'));
  });

  for (const [title, text, ...problems] of [
    ['a part without an end', '<!-- part: f -->x', ['<!-- part: f -->', /no end/]],
    ['an end without a part', 'x<!-- /part -->', ['<!-- /part -->', /ends nothing/]],
    ['a slot outside of a part', '<!-- slot: s -->x<!-- /slot -->', ['<!-- slot: s -->', /outside of a part/]],
    ['a slot without an end', '<!-- part: f -->x<!-- slot: s -->y<!-- /part -->', ['<!-- slot: s -->', /no end/]],
    [
      'an end of a slot without a start',
      '<!-- part: f -->x<!-- /slot -->y<!-- /part -->',
      ['<!-- /slot -->', /ends nothing/],
    ],
    [
      'marks that overlap',
      '<!-- part: f --><!-- slot: s -->x<!-- /part --><!-- /slot -->',
      ['<!-- slot: s -->', /no end/],
      ['<!-- /slot -->', /ends nothing/],
    ],
    [
      'a slot that occurs twice',
      '<!-- part: f --><!-- slot: s -->1<!-- /slot --><!-- slot: s -->2<!-- /slot --><!-- /part -->',
      ['<!-- slot: s -->', /slot "s" twice/],
    ],
    ['a damaged name', '<!-- part: Footer -->', ['<!-- part: Footer -->', /damaged/]],
    ['a name that is too long', `<!-- slot: ${'a'.repeat(61)} -->`, [`<!-- slot: ${'a'.repeat(61)} -->`, /damaged/]],
    ['a mark without a name', '<!-- part: -->', ['<!-- part: -->', /damaged/]],
    ['a quote without an end', '<!-- part: f a="b -->', ['<!-- part: f a="b -->', /damaged/]],
    ['a value with the end of a comment', '<!-- part: f a="-->">', ['<!-- part: f a="-->', /damaged/]],
    ['an invalid attribute', '<!-- part: f a_b="c" -->', ['<!-- part: f a_b="c" -->', /damaged/]],
    ['a slot with attributes', '<!-- slot: s a="b" -->', ['<!-- slot: s a="b" -->', /damaged/]],
    ['a comment without an end', 'x<!-- part: f', ['<!-- part: f', /damaged/]],
    ['an end with a name', '<!-- /part: f -->', ['<!-- /part: f -->', /damaged/]],
  ] as const satisfies readonly (readonly [string, string, ...(readonly [string, RegExp])[]])[])
    it(`reports ${title} and leaves it alone`, () => {
      assertUnchanged(text, { f: 'new<!-- slot: s --><!-- /slot -->' }, ...problems);
    });

  it('applies other parts beside damaged marks, and around a slot with them', () => {
    assert.equal(
      apply('<!-- part: f -->1<!-- part: f -->2<!-- /part -->', { f: 'new' }, [/no end/]),
      '<!-- part: f -->1<!-- part: f -->new<!-- /part -->',
    );
    assert.equal(
      apply(
        '<!-- part: a -->old<!-- slot: s --><!-- part: f -->x<!-- /slot --><!-- /part -->',
        { a: '<!-- slot: s --><!-- /slot -->' },
        [/no end/],
      ),
      '<!-- part: a --><!-- slot: s --><!-- part: f -->x<!-- /slot --><!-- /part -->',
    );
  });

  it("doesn't move content with damaged marks", () => {
    assertUnchanged(
      '<!-- part: f -->old<!-- slot: gone --><!-- /orphan -->x<!-- /slot --><!-- /part -->',
      { f: 'new' },
      ['<!-- part: f -->', /Correct the marks/],
      ['<!-- /orphan -->', /ends nothing/],
    );
  });
});

describe('Parts within parts', () => {
  const parts = {
    layout:
      '<!-- part: box --><!-- slot: body --><h1>Shop</h1><!-- slot: content -->…<!-- /slot --><!-- /slot --><!-- /part --><!-- part: footer --><!-- /part -->',
    box: '[<!-- slot: body --><!-- /slot -->]',
    footer,
  };
  const applied = apply('<!-- part: layout --><!-- /part -->', parts);
  const edited = applied.replace('…', 'Mine').replace('You ordered.', 'You asked.');

  it('are applied', () => {
    assert.equal(
      applied,
      `<!-- part: layout --><!-- part: box -->[<!-- slot: body --><h1>Shop</h1><!-- slot: content -->…<!-- /slot --><!-- /slot -->]<!-- /part --><!-- part: footer -->${footer}<!-- /part --><!-- /part -->`,
    );
  });

  it('keep the content of their slots', () => {
    assert.equal(apply(edited, parts), edited);
    assert.equal(apply(edited, { ...parts, box: `(${parts.box})` }), edited.replace('[', '([').replace(']', '])'));
    assert.equal(apply(edited, { ...parts, layout: `${parts.layout}!` }), edited.replace(/(?=<!-- \/part -->$)/, '!'));
  });

  it('keep the text of the outer part around its slots up to date', () => {
    assert.equal(
      apply(edited, { ...parts, layout: parts.layout.replace('Shop', 'Store') }),
      edited.replace('Shop', 'Store'),
    );
  });

  it('keep the content of a slot that the outer part fills', () => {
    const filling = {
      ...parts,
      layout: '<!-- part: footer --><!-- slot: reason -->Layout<!-- /slot --><!-- /part -->',
    };
    const filled = apply('<!-- part: layout --><!-- /part -->', filling);
    assert.ok(filled.includes('>Layout<'));
    assert.equal(apply(filled.replace('Layout', 'Mine'), filling), filled.replace('Layout', 'Mine'));
  });

  it('keep content when the outer part moves its slot or loses a part', () => {
    assert.equal(
      apply(edited, { ...parts, layout: '<!-- slot: content -->…<!-- /slot -->' }, [/"reason"/]),
      '<!-- part: layout --><!-- slot: content -->Mine<!-- /slot --><!-- orphan: reason -->You asked.<!-- /orphan --><!-- /part -->',
    );
  });

  it('leave no orphan with the default content of a part that the outer part no longer contains', () => {
    assert.equal(
      apply(applied, { ...parts, layout: '<!-- slot: content -->…<!-- /slot -->' }),
      '<!-- part: layout --><!-- slot: content -->…<!-- /slot --><!-- /part -->',
    );
  });

  it('get the attributes of the outer part', () => {
    assert.equal(
      apply('<!-- part: a label="&lt;&quot;1&quot;&gt; &amp;" --><!-- /part -->', {
        a: '<!-- part: b text="[[label]]!" more=[[label]] --><!-- /part -->',
        b: '[[text]] [[more]]',
      }),
      '<!-- part: a label="&lt;&quot;1&quot;&gt; &amp;" --><!-- part: b text="&lt;&quot;1&quot;&gt; &amp;!" more="&lt;&quot;1&quot;&gt; &amp;" -->&lt;"1"&gt; &amp;! &lt;"1"&gt; &amp;<!-- /part --><!-- /part -->',
    );
  });

  it('are refused as a whole where one of them is missing, contains itself or is nested too deep', () => {
    const use = '<!-- part: a -->x<!-- /part -->';
    const mark = '<!-- part: a -->';
    assertUnchanged(use, { a: '<!-- part: b --><!-- /part -->' }, [mark, /There is no part "b"/]);
    assertUnchanged(use, { a: '<!-- part: a --><!-- /part -->' }, [mark, /contains itself: a > a/]);
    const cycle = {
      a: '1<!-- part: b --><!-- /part -->',
      b: '2<!-- slot: s --><!-- part: a --><!-- /part --><!-- /slot -->',
    };
    assertUnchanged(use, cycle, [mark, /contains itself: a > b > a/]);
    const chain = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`a${index}`, `<!-- part: a${index + 1} --><!-- /part -->`]),
    );
    assertUnchanged(use, { ...chain, a: chain['a0'] ?? '' }, [mark, /levels deep/]);
    assertUnchanged(use, { a: '<!-- part: b --><!-- slot: s -->1<!-- /slot --><!-- /part -->', b: '' }, [
      mark,
      /a\.html fills a slot "s"/,
    ]);
  });

  for (const [title, text, message] of [
    ['a mark without an end', 'x\n<!-- slot: s -->', /f\.html:2: .*no end/],
    ['an end without a start', '<!-- /part -->', /f\.html:1: .*no start/],
    ['a part that ends and another that starts', '<!-- /part --><!-- part: x -->', /f\.html:1: /],
    ['an end of a slot', '\r\n\n <!-- /slot -->', /f\.html:3: This mark ends nothing/],
    ['a slot twice', '<!-- slot: s --><!-- /slot -->\n<!-- slot: s --><!-- /slot -->', /f\.html:2: .*twice/],
    ['a slot in a slot', '<!-- slot: s -->\n<!-- slot: t --><!-- /slot --><!-- /slot -->', /f\.html:2: .*outside/],
    ['an orphan', '<!-- orphan: s --><!-- /orphan -->', /f\.html:1: .*no orphans/],
    ['a comment without an end', '<!-- x', /f\.html:1: .*no end/],
    ['a tag without an end', '<a title="', /f\.html:1: .*no end/],
    ['a style without an end', '<style>', /f\.html:1: .*no end/],
  ] as const)
    it(`are refused where the text has ${title}`, () => {
      assertUnchanged('<!-- part: f -->x<!-- /part -->', { f: text }, ['<!-- part: f -->', message]);
    });
});

describe('Stripping linked parts', () => {
  it('removes the marks and keeps their content', () => {
    assert.equal(
      stripParts(
        'a<!-- part: f b="c" -->1<!--[if mso]>2<![endif]--><!-- slot: s -->3<!-- /slot --><!-- note --><!-- /part -->b',
      ),
      'a1<!--[if mso]>2<![endif]-->3<!-- note -->b',
    );
  });
});
