import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { supportFile } from '../../../../scripts/supportData.mjs';
import { toOutlookDarkColor as outlookColor } from '../../../../src/email/checks/color.ts';
import { getLenses, lensNames, applyLens, type LensName } from '../../../../src/email/lenses/index.ts';
import { isMetByWord } from '../../../../src/email/checks/conditions.ts';
import { hasReferences, readReferences } from '../../../support/sentComparison.ts';

const applyTo = (name: LensName, html: string) => applyLens(name, html).text;
const body = (inner: string, head = '') => `<html><head>${head}</head><body>${inner}</body></html>`;
const rgb = (color: readonly [number, number, number]) => `rgb(${outlookColor(color).join(', ')})`;

type Case = readonly [title: string, html: string, has?: readonly string[], hasNot?: readonly string[]];

function testLens(name: LensName, cases: readonly Case[]) {
  for (const [title, html, has = [], hasNot = []] of cases) {
    it(title, () => {
      const text = applyTo(name, html);
      for (const part of has) assert.ok(text.includes(part), `${part} is not in ${text}`);
      for (const part of hasNot) assert.ok(!text.includes(part), `${part} is in ${text}`);
    });
  }
}

describe('Lens for dark mode in Outlook.com', () => {
  testLens('outlookDark', [
    [
      'inverts the lightness of text and background colors and stores the originals in attributes',
      body('<p style="color:#111111;background-color:#ffffff">x</p>'),
      [
        `color:${rgb([17, 17, 17])}`,
        `background-color:${rgb([255, 255, 255])}`,
        'data-ogsc="#111111"',
        'data-ogsb="#ffffff"',
      ],
    ],
    ['converts a white canvas to #333', body('x'), ['html{background-color:rgb(51, 51, 51)}']],
    ['always stores the original colors of the body', body('x'), ['<body data-ogsc="#000000" data-ogsb="#ffffff">']],
    [
      'converts the colors of attributes',
      body('<table><tr><td bgcolor="#ffffff"><font color="red">x</font></td></tr></table>'),
      ['<td bgcolor="#333333" data-ogsb="#ffffff">', 'data-ogsc="red"'],
      ['<td bgcolor="#ffffff"'],
    ],
    [
      'keeps elements of SVG closed, and colors without a value for their transparency',
      body('<svg><path style="color:red"/></svg><p style="color:rgb(0 0 0 / none)">x</p>'),
      ['data-ogsc="red"/>', 'style="color:rgb(0 0 0 / none)"'],
    ],
    [
      'converts rules in the head, except rules for Outlook.com',
      body(
        '<p class="a">x</p>',
        '<style>@media all { .a { color: #000000 } } [data-ogsc] .a { color: #010203 !important }</style>',
      ),
      [`.a { color: ${rgb([0, 0, 0])} }`, '[data-ogsc] .a { color: #010203 !important }'],
    ],
    [
      'keeps images, borders, URLs of backgrounds and transparency',
      body(
        '<div style="background:url(white.png) #ffffff;border:1px solid #000000;color:rgba(0,0,0,.5)"><img src="a.png"></div>',
      ),
      ['url(white.png)', '1px solid #000000', `rgba(${outlookColor([0, 0, 0]).join(', ')}, .5)`, '<img src="a.png">'],
    ],
  ]);
});

describe('Lens for dark mode in the Gmail app', () => {
  testLens('gmailDark', [
    [
      'inverts all colors',
      body('<p style="color:#ffffff;background:#000000;border:1px solid #ffffff">x</p>'),
      ['color:rgb(0, 0, 0)', 'background:rgb(255, 255, 255)', 'border:1px solid rgb(0, 0, 0)'],
      ['data-ogsc'],
    ],
    ['converts a white canvas to black', body('x'), ['html{background-color:rgb(0, 0, 0)}']],
    [
      'converts rules in the head',
      body('x', '<style>p:hover{color:hsl(0,0%,100%)}</style>'),
      ['p:hover{color:rgb(0, 0, 0)}'],
    ],
  ]);
});

describe('Lens for Gmail', () => {
  const long = `.long { color: red } ${'/* filling */ '.repeat(1200)}`;
  testLens('gmail', [
    [
      'drops the block that exceeds 16 KB in total and all later blocks',
      body('x', `<style>.first { color: red }</style><style>${long}</style><style>.last { color: red }</style>`),
      ['.first'],
      ['.long', '.last'],
    ],
    [
      'drops a whole block with a nested at-rule',
      body(
        'x',
        '<style>.a { color: red } @media screen { @media (max-width: 9px) { .b { color: red } } }</style><style>.c { color: red }</style>',
      ),
      ['.c'],
      ['.a {', '.b'],
    ],
    [
      'keeps grids, which Gmail supports since March 2026',
      body('<div style="display:grid">x</div>'),
      ['style="display:grid"'],
    ],
    ['drops styles in the body', body('<style>.a { color: red }</style><p class="a">x</p>'), ['class="a"'], ['<style']],
    [
      'drops unsupported properties in rules and style attributes',
      body(
        '<p style="position:absolute;color:red;box-shadow:0 0 1px red">x</p>',
        '<style>p { z-index: 1; margin: 0 }</style>',
      ),
      ['style="color:red"', 'margin: 0'],
      ['position', 'box-shadow', 'z-index'],
    ],
    [
      'drops unsupported selectors but keeps the others of the list',
      body('x', '<style>a:hover { color: red } p::before { color: red } .a, .b:first-child { color: red }</style>'),
      ['a:hover', '.a {'],
      ['::before', ':first-child'],
    ],
    [
      'drops fonts, animations and unsupported media features but keeps width features',
      body(
        'x',
        '<style>@font-face { font-family: F } @media (prefers-color-scheme: dark) { .a { color: red } } @media (max-width: 600px) { .b { color: red } }</style>',
      ),
      ['@media (max-width: 600px) { .b'],
      ['@font-face', 'prefers-color-scheme'],
    ],
  ]);
});

describe('Lens for Gmail with another account', () => {
  testLens('gmailForeign', [
    [
      'drops all stylesheets but keeps style attributes',
      body('<p class="a" style="color:red">x</p>', '<style>.a { margin: 0 }</style>'),
      ['style="color:red"'],
      ['<style', 'class='],
    ],
    ['drops grids', body('<div style="display:grid;color:red">x</div>'), ['style="color:red"'], ['grid']],
  ]);
});

describe('Lens for Outlook for Windows', () => {
  testLens('outlookWindows', [
    [
      'shows content for Word and hides content for other clients',
      body('<!--[if mso]><p>For Word</p><![endif]--><!--[if !mso]><!--><p>For others</p><!--<![endif]-->'),
      ['<p>For Word</p>'],
      ['For others', '[if', '[endif]'],
    ],
    [
      'hides settings for Word',
      body(
        'x',
        '<!--[if gte mso 9]><xml><o:PixelsPerInch>96</o:PixelsPerInch></xml><style>p { margin: 1px }</style><![endif]-->',
      ),
      ['<style>p { margin: 1px }</style>'],
      ['PixelsPerInch'],
    ],
    [
      'drops what Word ignores, also inside conditional comments',
      body(
        '<div style="max-width:600px;color:red;border-radius:4px"></div><!--[if mso]><p style="opacity:.5;margin:0">x</p><![endif]-->',
      ),
      ['style="color:red"', 'style="margin:0"'],
      ['max-width', 'border-radius', 'opacity'],
    ],
    [
      'hides elements with mso-hide',
      body('<div style="max-height:0;overflow:hidden;mso-hide:all">Preheader</div>'),
      ['display:none'],
      ['mso-hide'],
    ],
    [
      'drops background images',
      body('<div style="background:#eee url(a.png)">x</div>'),
      ['background:#eee'],
      ['a.png'],
    ],
    [
      'sizes images by their width attribute',
      body('<img src="a.png" width="600" style="width:100%;height:auto;border:0"><img src="b.png" style="width:50%">'),
      ['width="600" style="border:0"', 'style="width:50%"'],
    ],
    [
      'sizes each image by its own width attribute',
      body('<img src="a.png" width="60" style="width:50%;color:red"><img src="b.png" style="width:50%;color:red">'),
      ['width="60" style="color:red"', 'b.png" style="width:50%;color:red"'],
    ],
    [
      'drops media queries',
      body('x', '<style>@media (max-width: 9px) { p { color: red } } b { color: red }</style>'),
      ['b { color: red }'],
      ['@media'],
    ],
  ]);

  const conditions: readonly (readonly [condition: string, isMetByWord: boolean])[] = [
    ['mso', true],
    ['!mso', false],
    ['gte mso 9', true],
    ['(gte mso 9)|(IE)', true],
    ['IE', false],
    ['lt mso 16', false],
    ['mso 16', true],
    ['mso 12', false],
    ['(mso)&(!ie)', true],
    ['!true', false],
  ];
  for (const [condition, expected] of conditions) {
    it(`${expected ? 'meets' : 'does not meet'} [if ${condition}]`, () =>
      assert.equal(isMetByWord({ condition }), expected));
  }
});

describe('Lens for blocked images', () => {
  testLens('imagesBlocked', [
    [
      'shows a frame with the size, style and alternative text of the image',
      body('<img src="https://a.example/a.png" width="200" height="80" alt="A &amp; B" style="font-size:20px">'),
      ['role="img"', 'width:200px;height:80px', 'font-size:20px', '>A &amp; B</span>'],
      ['a.example'],
    ],
    [
      'hides tracking pixels',
      body('<img src="https://a.example/open" width="1" height="1">'),
      [],
      ['<span', 'a.example'],
    ],
    [
      'drops background images',
      body(
        '<table background="https://a.example/b.png" style="background:url(https://a.example/c.png) #eee"></table>',
        '<style>p { background-image: url(https://a.example/d.png) }</style>',
      ),
      ['#eee'],
      ['a.example'],
    ],
  ]);
});

describe('Lens for the reading order', () => {
  const announce = (inner: string) =>
    [...applyTo('readingOrder', body(inner)).matchAll(/<p>([^]*?)<\/p>/g)].map(([, line = '']) =>
      line
        .replace(/<i>([^<]*)<\/i>/g, '[$1] ')
        .replace(/\s+/g, ' ')
        .trim(),
    );

  it('announces headings, links, images and lists with their names', () => {
    assert.deepEqual(
      announce(
        '<h2>News</h2><p>Read <a href="#">all</a> of it</p><img src="a/b.png" alt="A boat"><ul><li>One</li><li>Two</li></ul>',
      ),
      [
        '[heading level 2] News',
        'Read [link] all of it',
        '[image] A boat',
        '[list, 2 items]',
        '[item] One',
        '[item] Two',
      ],
    );
  });

  it('announces the file name of an image without alternative text and skips an image with an empty one', () => {
    assert.deepEqual(announce('<p><img src="https://a.example/x/b.png?1"></p><p><img src="c.png" alt=""></p>'), [
      '[image] b.png (no alt text)',
    ]);
  });

  it('announces tables, except layout tables', () => {
    const table = (role: string) => `<table${role}><tr><td>a</td><td>b</td></tr></table>`;
    assert.deepEqual(announce(table('') + table(' role="presentation"')), ['[table, 1 row]', 'a', 'b', 'a', 'b']);
  });

  it('skips hidden elements', () => {
    assert.deepEqual(
      announce(
        '<div style="display:none">a</div><div aria-hidden="true">b</div><div style="visibility: hidden">c</div><p>d</p>',
      ),
      ['d'],
    );
  });

  it('escapes markup in texts', () => {
    assert.deepEqual(announce('<p>&lt;b&gt;</p><img src="x" alt="<script>">'), ['&lt;b&gt;', '[image] &lt;script&gt;']);
  });
});

describe('All lenses', () => {
  it('have a label, a note, a source and a date', () => {
    for (const name of lensNames) {
      const { label, note, source, date } = getLenses()[name];
      assert.ok(
        label.length > 4 && note.endsWith('.') && source.length > 4 && /^20\d\d(?:-\d\d){0,2}$/.test(date),
        name,
      );
    }
  });

  it('have the date of their support data', () => {
    const { updated } = JSON.parse(readFileSync(supportFile, 'utf8')) as { readonly updated: string };
    for (const { source, date } of Object.values(getLenses()))
      if (source === 'caniemail.com') assert.equal(date, updated);
  });

  it('map copied text to the source', () => {
    const html = body(
      '<!--[if mso]><p>w</p><![endif]--><h1 style="color:#111">Big &amp; small</h1><img src="a" alt="b" width="9">',
      '<style>p:first-child { color: red }</style>',
    );
    for (const name of lensNames) {
      const { text, pieces } = applyLens(name, html);
      let end = 0;
      for (const piece of pieces) {
        assert.equal(piece.start, end, name);
        end = piece.end;
        if (piece.kind === 'text')
          assert.equal(text.slice(piece.start, piece.end), html.slice(piece.sourceStart, piece.sourceEnd));
      }
      assert.equal(end, text.length);
    }
  });

  it('accept malformed and extreme HTML', () => {
    const absurd = [
      '',
      '<',
      '<style>',
      '<style>{{{{',
      '<p style="',
      '\0',
      '<b>'.repeat(5000),
      '@media{'.repeat(3000),
      '<style>' + '@media{'.repeat(3000),
      '<!--[if mso]>',
      '<!--[if '.repeat(2000),
      `<p style="${'('.repeat(20_000)}">`,
      '<style>' + 'a,'.repeat(20_000),
    ];
    for (const html of absurd) for (const name of lensNames) assert.equal(typeof applyTo(name, html), 'string');
  });

  it('are deterministic and produce output for each email of the corpus', function () {
    if (!hasReferences) return this.skip();
    for (const { html } of readReferences()) {
      for (const name of lensNames) {
        const { text, pieces } = applyLens(name, html);
        assert.ok(text.length > 200 && pieces.length > 1, name);
      }
      assert.equal(applyTo('outlookDark', html), applyTo('outlookDark', html));
    }
  });
});
