import assert from 'node:assert/strict';
import { cleanHtml } from '../../../../src/email/sent/replacements.ts';
import { composeSent } from '../../../../src/email/sent/index.ts';
import { toStoredFields } from '../../../../src/email/sent/document.ts';
import { stripTags } from '../../../../src/email/html/stripTags.ts';
import { createTextPart } from '../../../../src/email/sent/textPart.ts';

type Cases = readonly (readonly [title: string, text: string, result: string])[];

const composeBody = (body: string) => {
  const { html } = composeSent({ body }, { profile: 'acymailing' });
  return html.slice(html.indexOf('<body>') + '<body>'.length, html.lastIndexOf('</body>'));
};

describe('Unclosed markup', () => {
  const inTree: Cases = [
    ['keeps the element of an unfinished tag', '<p>a<b', '<p>a<b></b></p>'],
    ['keeps the attribute of an unfinished tag', '<p>a<b title="x', '<p>a<b title="x"></b></p>'],
    ['keeps a single < as text', '<p>a<', '<p>a&lt;</p>'],
    ['loses an unfinished comment', '<p>a<!-- b', '<p>a</p>'],
    ['loses an unfinished instruction', '<p>a<?x b', '<p>a</p>'],
    ['closes the element of an unfinished end tag', '<p>a</p', '<p>a</p>'],
    ['ignores the end tag of an element that is not open', '<p>a</u>b</p>c', '<p>ab</p>c'],
    ['ignores an end tag after all elements', '<html><body><p>a</p></body></html></u>', '<p>a</p>'],
    ['keeps what follows an end tag without a name', '<p>a</ >b', '<p>a &gt;b</p>'],
    ['reads an end tag right after the doctype as text', '<!doctype html></p>x', '<p>/p&gt;x</p>'],
  ];
  for (const [title, body, result] of inTree) it(title, () => assert.equal(composeBody(body), result));

  const stripped: Cases = [
    ['is stripped to the end', 'a <b', 'a'],
    ['is stripped to the end inside a quote', 'a <b title="x>y', 'a'],
    ['is stripped with nested tags', 'a <b <i> c> d', 'a  d'],
    ['is stripped up to the end of a comment', 'a <!-- b > c --> d', 'a  d'],
    ['is stripped in an unfinished comment', 'a <!-- b > c', 'a'],
    ['swallows the next > after a comment in a tag', 'a <b <!-- c --> d > e > f', 'a  d  e > f'],
    ['keeps a > that ends no tag', 'a > b', 'a > b'],
    ['keeps a > after a tag', 'a <b>> c', 'a > c'],
    ['keeps a < before a space', 'a < b', 'a < b'],
    ['keeps the content of an unclosed script', 'a <script>b', 'a b'],
  ];
  for (const [title, text, result] of stripped) it(title, () => assert.equal(stripTags(text), result));

  const scripts: Cases = [
    ['keeps an unclosed script element', 'a<script>b', 'a<script>b'],
    ['keeps a script with an unfinished end tag', 'a<script>b</script', 'a<script>b</script'],
    ['removes the last of two scripts before an end', 'a<script>b<script>c</script>d', 'a<script>bd'],
    ['removes both scripts if the second one has attributes', 'a<script>b<script x>c</script>d', 'ad'],
    ['removes a script up to the first end tag without attributes', 'a<script>b</script x>c</script>d', 'ad'],
  ];
  for (const [title, text, result] of scripts) it(title, () => assert.equal(cleanHtml(text, undefined), result));

  it('keeps an unclosed script', () => {
    assert.equal(toStoredFields({ body: 'a<script>b</script>c<script>d' }).body, 'ac<script>d');
  });

  it('keeps the text of an unclosed link, but not its URL', () => {
    const body = 'a <a href="https://x.example">b</a> <a href="https://y.example">c';
    assert.equal(createTextPart(body, undefined), 'a b ( https://x.example ) c');
  });
});
