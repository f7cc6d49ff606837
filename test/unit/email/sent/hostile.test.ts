import assert from 'node:assert/strict';
import fc from 'fast-check';
import { composeSent, COMPOSE_ERROR_PREFIX } from '../../../../src/email/sent/index.ts';
import type { Email } from '../../../../src/email/sent/index.ts';

const options = { profile: 'acymailing', site: 'https://news.example.org' } as const;
const many = (text: string, times = 200_000): string => text.repeat(times);

/** Emails that would hold up or end a careless program. */
const heavy: readonly (readonly [title: string, email: Email])[] = [
  ['opening tags', { body: many('<a <a <a ', 20_000) }],
  ['unclosed links', { body: many('<!--<a href="x">-->').slice(0, 900_000) }],
  ['unclosed elements', { body: many('<div>', 15_000) }],
  ['elements', { body: many('<b>x</b>', 100_000) }],
  ['end tags', { body: many('</p>') }],
  ['references', { body: many('&amp;') }],
  ['text', { body: many('x', 1_000_000) }],
  ['far too much text', { body: many('x', 2_000_000) }],
  ['unclosed comments', { body: many('<!--') }],
  ['braces', { body: many('{tab {youtube}', 50_000) }],
  ['quotes', { body: `<a title=${many('"', 500_000)}>` }],
  ['attributes', { body: `<p ${Array.from({ length: 50_000 }, (_, place) => `a${place}=1`).join(' ')}>` }],
  ['rules', { body: many('<p class="a">x</p>', 5000), stylesheet: many('p{color:red}', 50_000) }],
  ['selectors', { body: many('<div class="a">', 250), stylesheet: many('div div div div div div .b{a:b}', 20_000) }],
  ['siblings', { body: many('<i></i>', 15_000), stylesheet: many('i~i:nth-child(2n+1)~b{a:b}', 100) }],
  ['names', { body: '<p>x</p>', stylesheet: `${many('a', 500_000)}!{a:b}` }],
  ['brackets of selectors', { body: '<p>x</p>', stylesheet: many(')', 100_000) }],
  ['brackets of values', { body: '<p>x</p>', stylesheet: `p{a:${many('f(', 200_000)}}` }],
  ['rules within rules', { body: '<p>x</p>', stylesheet: many('@media{', 100_000) }],
  ['at signs', { body: '<p>x</p>', stylesheet: many('@a ', 100_000) }],
  ['filters', { body: '<p>x</p>', stylesheet: `p{${many('a:progid:x;', 80_000)}}` }],
  ['comments of CSS', { body: '<p>x</p>', stylesheet: many('/*') }],
  ['escapes', { body: '<p>x</p>', stylesheet: many('\\') }],
  ['half characters', { body: '<p>\ud800</p>', stylesheet: '\udc00{}' }],
];

describe('Composing what is sent', () => {
  for (const [title, email] of heavy) {
    it(`ends for an email with many ${title}`, () => {
      const { html, text, bytes } = composeSent(email, options);
      assert.ok(!html.startsWith(COMPOSE_ERROR_PREFIX), html);
      assert.equal(bytes, Buffer.byteLength(html));
      assert.equal(typeof text, 'string');
    });
  }

  it('says so where it is too much', () => {
    const { html, text, dropped } = composeSent({ body: many('x', 2_000_000) }, options);
    assert.match(html, /2000000 characters/);
    assert.equal(text, html);
    assert.deepEqual(dropped, []);
  });

  const pieces = fc.constantFrom(
    '<',
    '>',
    '</',
    '/>',
    '<p',
    '<style>',
    '</style>',
    '<!--',
    '-->',
    '<![if x]>',
    '<?',
    '"',
    "'",
    '=',
    '&',
    '&#',
    ';',
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    ':',
    '::',
    '@',
    '@media ',
    '@import',
    'url(',
    ',',
    '/*',
    '*/',
    '\\',
    '!important',
    '#',
    '.a',
    '*',
    '+',
    '~',
    ' ',
    '\n',
    '\0',
    'é',
    '🙂',
    '\ud800',
    'a',
    '1',
    '%',
    '{if:x=1}',
    '<a href="',
    '<img src="',
    '<body',
    '<html>',
    '<head>',
    '<table><tr><td>',
    'class="a"',
    'style="',
    'color:red',
    ':not(',
    ':nth-child(2n)',
    '</body>',
  );
  const texts = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''));

  it('ends for whatever is put together of signs, twice with the same result, and keeps its promises', () => {
    fc.assert(
      fc.property(texts, texts, texts, texts, (body, stylesheet, preheader, headers) => {
        const email: Email = { body, stylesheet, preheader, headers, subject: preheader };
        const sent = composeSent(email, options);
        assert.deepEqual(composeSent(email, options), sent);
        assert.equal(sent.bytes, Buffer.byteLength(sent.html));
        assert.ok(sent.html.includes('<html xmlns=') && sent.html.endsWith('</html>'));
        for (const { part, start, end } of sent.dropped)
          assert.ok(start >= 0 && start <= end && end <= (email[part] ?? '').length);
      }),
      { numRuns: 300 },
    );
  });

  it('leaves tags for later, as they are and in addresses encoded', () => {
    const body = '<p>{subscriber:name}</p><a href="https://x.example/{subscriber:id}">x</a>';
    const { html, text } = composeSent({ body, subject: '{mail:name}' }, options);
    assert.match(html, /<title>\{mail:name\}<\/title>/);
    assert.match(html, /<p>\{subscriber:name\}<\/p><a href="https:\/\/x\.example\/%7Bsubscriber:id%7D">/);
    assert.equal(text, '{subscriber:name}\nx ( https://x.example/%7Bsubscriber:id%7D )');
  });
});
