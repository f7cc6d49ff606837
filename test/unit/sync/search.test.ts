import assert from 'node:assert/strict';
import { searchEmail, type SearchQuery } from '../../../src/sync/search.ts';

const body = [
  '<style>a { color: RED }</style>',
  '<p style="color:#F00; background:url(https://i.example/bg.png)">A red (sale) today</p>',
  '<!--[if mso]><v:rect href="https://shop.example/sale?a=1&amp;b=2" strokecolor="rgb(255, 0, 0)"><![endif]-->',
  '<a href=\'https://shop.example/Sale\'>{subscriber:name|ucfirst}</a><img src="https://i.example/Logo.png">',
].join('\r\n');
const documents = [
  { suffix: '.html', text: body },
  { suffix: '.css', text: 'p { color: hsl(0, 100%, 50%); background: white }' },
  {
    suffix: '.template.json',
    text: '{\n  "name": "Sale",\n  "subject": "Big \\"sale\\" today",\n  "preheader": "(sale)"\n}',
  },
];

/** Returns the field, line and text of each match; undefined if the email doesn't match. */
function find(kind: SearchQuery['kind'], text: string) {
  return searchEmail({ kind, text }, documents)?.map(
    ({ field, from, excerpt: [, match] }) => `${field}:${from[0]} ${match}`,
  );
}

describe('A search in an email', () => {
  it('finds a text in any case, in bodies, stylesheets, subjects and preheaders', () => {
    assert.deepEqual(find('text', 'SALE) '), ['body:1 sale) ']);
    assert.deepEqual(find('text', '"sale" t'), ['subject:2 "sale" t']);
    assert.deepEqual(find('text', '(sale)'), ['body:1 (sale)', 'preheader:3 (sale)']);
    assert.deepEqual(find('text', 'WHITE'), ['stylesheet:0 white']);
    assert.equal(find('text', 'no such text'), undefined);
  });

  it('finds a regular expression, and no empty match', () => {
    assert.deepEqual(find('regex', '^<a.*?>'), [`body:3 <a href='https://shop.example/Sale'>`]);
    assert.equal(find('regex', 'x*?'), undefined);
    assert.throws(() => find('regex', '('), SyntaxError);
  });

  it('finds addresses of links and images only, also in code for Outlook', () => {
    assert.deepEqual(find('link', 'shop.example/sale'), [
      'body:2 https://shop.example/sale?a=1&amp;b=2',
      'body:3 https://shop.example/Sale',
    ]);
    // As a browser shows it, or as it is written.
    for (const address of ['?a=1&b=2', '?a=1&amp;b=2'])
      assert.deepEqual(find('link', address), ['body:2 https://shop.example/sale?a=1&amp;b=2']);
    assert.deepEqual(find('image', 'i.example'), [
      'body:1 https://i.example/bg.png',
      'body:3 https://i.example/Logo.png',
    ]);
    assert.equal(find('image', 'shop.example'), undefined);
  });

  it('finds a color in all notations, but not in text', () => {
    const expected = ['body:0 RED', 'body:1 #F00', 'body:2 rgb(255, 0, 0)', 'stylesheet:0 hsl(0, 100%, 50%)'];
    for (const color of ['red', '#ff0000']) assert.deepEqual(find('color', color), expected);
  });

  it('finds merge tags, and emails without one', () => {
    for (const tag of ['{subscriber:name}', 'SUBSCRIBER'].map((text) => text.replace('}', '')))
      assert.deepEqual(find('tag', tag), ['body:3 {subscriber:name|ucfirst}']);
    assert.equal(find('missingTag', 'subscriber'), undefined);
    assert.deepEqual(find('missingTag', '{unsubscribe}'), []);
  });

  it('returns places in the document, and a short excerpt', () => {
    const [match] = searchEmail({ kind: 'text', text: 'sale' }, documents.slice(2)) ?? [];
    assert.deepEqual(
      [match?.from, match?.to],
      [
        [2, 20],
        [2, 24],
      ],
    );
    assert.deepEqual(match?.excerpt, ['Big "', 'sale', '" today']);
    const long = searchEmail({ kind: 'text', text: 'x' }, [{ suffix: '.html', text: 'x'.repeat(1000) }]);
    assert.equal(long?.length, 100);
    assert.ok(long.every(({ excerpt }) => excerpt.join('').length <= 230));
  });
});
