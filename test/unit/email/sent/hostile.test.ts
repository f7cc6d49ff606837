import assert from 'node:assert/strict';
import fc from 'fast-check';
import { composeSent, describeComposeError, type Email } from '../../../../src/email/sent/index.ts';

const options = { profile: 'acymailing', site: 'https://news.example.org' } as const;
const repeat = (text: string, times = 200_000) => text.repeat(times);

/** Emails that would hang or crash naive code. */
const heavyEmails: readonly (readonly [title: string, email: Email])[] = [
  ['opening tags', { body: repeat('<a <a <a ', 20_000) }],
  ['unclosed links', { body: repeat('<!--<a href="x">-->').slice(0, 900_000) }],
  ['unclosed elements', { body: repeat('<div>', 15_000) }],
  ['elements', { body: repeat('<b>x</b>', 100_000) }],
  ['end tags', { body: repeat('</p>') }],
  ['references', { body: repeat('&amp;') }],
  ['text', { body: repeat('x', 1_000_000) }],
  ['megabytes of text', { body: repeat('x', 2_000_000) }],
  ['unclosed comments', { body: repeat('<!--') }],
  ['braces', { body: repeat('{tab {youtube}', 50_000) }],
  ['quotes', { body: `<a title=${repeat('"', 500_000)}>` }],
  ['attributes', { body: `<p ${Array.from({ length: 50_000 }, (_, index) => `a${index}=1`).join(' ')}>` }],
  ['rules', { body: repeat('<p class="a">x</p>', 5000), stylesheet: repeat('p{color:red}', 50_000) }],
  [
    'selectors',
    { body: repeat('<div class="a">', 250), stylesheet: repeat('div div div div div div .b{a:b}', 20_000) },
  ],
  ['siblings', { body: repeat('<i></i>', 15_000), stylesheet: repeat('i~i:nth-child(2n+1)~b{a:b}', 100) }],
  ['names', { body: '<p>x</p>', stylesheet: `${repeat('a', 500_000)}!{a:b}` }],
  ['brackets in selectors', { body: '<p>x</p>', stylesheet: repeat(')', 100_000) }],
  ['brackets in values', { body: '<p>x</p>', stylesheet: `p{a:${repeat('f(', 200_000)}}` }],
  ['nested rules', { body: '<p>x</p>', stylesheet: repeat('@media{', 100_000) }],
  ['at signs', { body: '<p>x</p>', stylesheet: repeat('@a ', 100_000) }],
  ['filters', { body: '<p>x</p>', stylesheet: `p{${repeat('a:progid:x;', 80_000)}}` }],
  ['CSS comments', { body: '<p>x</p>', stylesheet: repeat('/*') }],
  ['escapes', { body: '<p>x</p>', stylesheet: repeat('\\') }],
  ['lone surrogates', { body: '<p>\ud800</p>', stylesheet: '\udc00{}' }],
];

describe('composeSent', () => {
  for (const [title, email] of heavyEmails) {
    it(`ends for an email with many ${title}`, () => {
      const { html, text, bytes } = composeSent(email, options);
      assert.ok(!html.startsWith(describeComposeError('')), html);
      assert.equal(bytes, Buffer.byteLength(html));
      assert.equal(typeof text, 'string');
    });
  }

  it('explains that an email is too large', () => {
    const { html, text } = composeSent({ body: repeat('x', 2_000_000) }, options);
    assert.match(html, /2,000,000 characters/);
    assert.equal(text, html);
  });

  const fragments = fc.constantFrom(
    ...'< > </ /> <p <style> </style> <!-- --> <? " = & &# ; { } ( ) [ ] : :: @ @import url( , /* */ !important # .a * + ~ é 🙂 a 1 % {if:x=1} <body <html> <head> <table><tr><td> class="a" style=" color:red :not( :nth-child(2n) </body>'.split(
      ' ',
    ),
    '<![if x]>',
    "'",
    '@media ',
    '\\',
    ' ',
    '\n',
    '\0',
    '\ud800',
    '<a href="',
    '<img src="',
  );
  const texts = fc.array(fragments, { maxLength: 40 }).map((parts) => parts.join(''));

  it('is deterministic and ends for random fragments', () => {
    fc.assert(
      fc.property(texts, texts, texts, texts, (body, stylesheet, preheader, headers) => {
        const email: Email = { body, stylesheet, preheader, headers, subject: preheader };
        const sent = composeSent(email, options);
        assert.deepEqual(composeSent(email, options), sent);
        assert.equal(sent.bytes, Buffer.byteLength(sent.html));
        assert.ok(sent.html.includes('<html xmlns=') && sent.html.endsWith('</html>'));
      }),
      { numRuns: 300 },
    );
  });

  it('leaves tags unresolved and encodes them in URLs', () => {
    const body = '<p>{subscriber:name}</p><a href="https://x.example/{subscriber:id}">x</a>';
    const { html, text } = composeSent({ body, subject: '{mail:name}' }, options);
    assert.match(html, /<title>\{mail:name\}<\/title>/);
    assert.match(html, /<p>\{subscriber:name\}<\/p><a href="https:\/\/x\.example\/%7Bsubscriber:id%7D">/);
    assert.equal(text, '{subscriber:name}\nx ( https://x.example/%7Bsubscriber:id%7D )');
  });
});
