import assert from 'node:assert/strict';
import { findElementPath, hasReopenedElement, parseSource } from '../../../../src/email/html/sourceMap.ts';
import { getDisplayRefusal, getDisplayLength } from '../../../../src/email/html/limits.ts';

const getPath = (html: string, mark: string): string => {
  const offset = html.indexOf(mark);
  assert.ok(offset >= 0, mark);
  return findElementPath(parseSource(html), offset)
    .map((node) => node.name)
    .join('>');
};

describe('findElementPath', () => {
  const cases: readonly (readonly [title: string, html: string, mark: string, path: string])[] = [
    ['in text', '<html><body><div><p>one</p><p>two</p></div></body></html>', 'two', 'html>body>div>p'],
    ['in a tag', '<div><img alt="here"></div>', 'here', 'div>img'],
    ['in an end tag', '<div><p>x</p></div>', '</p>', 'div>p'],
    ['in a cell whose table body the parser inserted', '<table><tr><td>x</td></tr></table>', 'x', 'table>tr>td'],
    ['in a paragraph without an end tag', '<p>one<p>two', 'two', 'p'],
    ['in text that the parser moved out of a table', '<table>lost<tr><td>x</table>', 'x', 'table>tr>td'],
    ['in a comment', '<div><!-- note --></div>', 'note', 'div'],
    ['in an attribute with a tag in it', '<a title="<b>bold</b>">x</a>', 'bold', 'a'],
  ];
  for (const [title, html, mark, path] of cases) it(title, () => assert.equal(getPath(html, mark), path));

  it('returns exact ranges after any line endings', () => {
    const html = '<div>\r\n<p class="a">x</p>\r\n</div>';
    const p = findElementPath(parseSource(html), html.indexOf('x')).at(-1);
    assert.equal(html.slice(p?.range?.start, p?.range?.end), '<p class="a">x</p>');
    assert.equal(html.slice(p?.inner?.start, p?.inner?.end), 'x');
    assert.equal(html.slice(p?.attributes?.['class']?.start, p?.attributes?.['class']?.end), 'class="a"');
  });

  it('detects reopened formatting elements', () => {
    assert.equal(hasReopenedElement(parseSource('<b><p>x</b>y</p>')), true);
    assert.equal(hasReopenedElement(parseSource('<p><b>x</b>y</p>')), false);
  });
});

describe('display limits', () => {
  it('allow ordinary emails', () => {
    const row = '<tr><td><table><tr><td>x<td>y<tr><td><b>z</b></table>';
    const html = `<table>${row.repeat(900)}</table>`;
    assert.equal(getDisplayRefusal(html), undefined);
    assert.equal(getDisplayLength(html), html.length);
  });

  const refused: readonly (readonly [title: string, html: string, said: RegExp])[] = [
    ['20,000 nested tags', '<div>'.repeat(20_000), /20000 deep/],
    ['20,000 nested tables', '<table><tr><td>'.repeat(20_000), /20000 deep/],
    ['hundreds of open formatting tags', '<font color=red><p>'.repeat(300), /300 formatting tags/],
  ];
  for (const [title, html, said] of refused)
    it(`refuse ${title}`, () => assert.match(getDisplayRefusal(html) ?? '', said));

  it('truncate bodies of 10 MB', () => {
    assert.equal(getDisplayLength('x'.repeat(10_000_000)), 1024 * 1024);
    const body = '<p>some text</p>\n'.repeat(600_000);
    const length = getDisplayLength(body);
    assert.equal(body.slice(0, length), '<p>some text</p>\n'.repeat(20_000));
  });
});
