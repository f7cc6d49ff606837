import assert from 'node:assert/strict';
import { hasReopenedElement, parseSource, type SourceNode } from '../../../../src/email/html/sourceMap.ts';
import { getDisplayRefusal, getDisplayLength } from '../../../../src/email/html/limits.ts';

const findElement = (root: SourceNode, name: string): SourceNode | undefined =>
  root.name === name ? root : root.children.map((child) => findElement(child, name)).find(Boolean);

describe('parseSource', () => {
  it('returns exact ranges after any line endings', () => {
    const html = '<div>\r\n<p class="a">x</p>\r\n</div>';
    const p = findElement(parseSource(html), 'p');
    assert.equal(html.slice(p?.range?.start, p?.range?.end), '<p class="a">x</p>');
    assert.equal(html.slice(p?.inner?.start, p?.inner?.end), 'x');
    assert.equal(html.slice(p?.attributes?.['class']?.start, p?.attributes?.['class']?.end), 'class="a"');
  });

  it('gives no range to elements that the parser inserted', () => {
    const root = parseSource('<table><tr><td>x</td></tr></table>');
    assert.equal(findElement(root, 'tbody')?.range, undefined);
    assert.ok(findElement(root, 'td')?.range);
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
    ['20,000 nested tags', '<div>'.repeat(20_000), /20,000 levels/],
    ['20,000 nested tables', '<table><tr><td>'.repeat(20_000), /20,000 levels/],
    ['hundreds of open formatting tags', '<font color=red><p>'.repeat(300), /formatting tags.*300/],
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
