import assert from 'node:assert/strict';
import { applyEdits } from '../../../../src/email/html/text.ts';
import { extractPart } from '../../../../src/sync/parts/extract.ts';
import { applyParts, readParts } from '../../../../src/sync/parts/index.ts';

/** Makes a part of all places, asserts that it is up to date, and returns the text with short marks. */
function extract(text: string, code: string): string {
  const result = applyEdits(text, extractPart(text, 'a', code));
  assert.deepEqual(applyParts(result, { a: code }), { text: result, problems: [] });
  return result.replaceAll('<!-- part: a -->', '[').replaceAll('<!-- /part -->', ']');
}

/** Asserts that a text has the code, and that it isn't made a part. */
const assertRefused = (text: string, code: string) => {
  assert.ok(text.includes(code));
  assert.deepEqual(extractPart(text, 'a', code), []);
};

describe('Extracting a part', () => {
  it('finds all places, with any white space', () => {
    assert.equal(
      extract('<div><p>a b</p></div>\n<td><p>a\r\n  b</p></td><p>ab</p>', '<p>a b</p>'),
      '<div>[<p>a b</p>]</div>\n<td>[<p>a b</p>]</td><p>ab</p>',
    );
  });

  it('finds no place without code', () => {
    for (const code of ['', '<!-- slot: a --><!-- /slot -->']) assertRefused(`<p>${code}</p>`, code);
  });

  it('finds the place that the user selected, also among equal elements', () => {
    const rows = '<b>x</b>'.repeat(5);
    const edits = extractPart(rows, 'a', '<b>x</b><b>x</b>', 8);
    assert.deepEqual(
      edits.map(({ start, end }) => [start, end]),
      [
        [8, 24],
        [24, 40],
      ],
    );
  });

  it('takes code literally', () => {
    assert.equal(extract('<b>$& (1+1) [x] \\d</b>', '$& (1+1) [x] \\d'), '<b>[$& (1+1) [x] \\d]</b>');
    assert.equal(extract('<b>abc</b>', 'a.c'), '<b>abc</b>');
  });

  it('keeps the content of slots, also without marks', () => {
    const code = '<h1><!-- slot: title -->One<!-- /slot --></h1><p><!-- slot: text -->x<!-- /slot --></p>';
    assert.equal(
      extract(`${code}<h1>Two</h1><p>y <b>z</b></p><h1>3</h1>`, code),
      `[${code}][${code.replace('One', 'Two').replace('>x<', '>y <b>z</b><')}]<h1>3</h1>`,
    );
  });

  it('makes a layout of a whole document', () => {
    const code = '<!doctype html>\n<html><head></head><body><!-- slot: content -->1<!-- /slot --></body></html>';
    const other = code.replace(/<!-- .*?-->/gu, '').replace('1', '<table><tr><td>2</td></tr></table>');
    const expected = `[${code.replace('>1<', '><table><tr><td>2</td></tr></table><')}]\n`;
    assert.equal(extract(`${other}\n`, code), expected);
  });

  it('makes a part of rows, of attributes with tags, and of code for Outlook', () => {
    assert.equal(
      extract('<table><tr><td>1</td></tr></table>', '<tr><td>1</td></tr>'),
      '<table>[<tr><td>1</td></tr>]</table>',
    );
    const code = '<!--[if mso]><td width="6"><![endif]--><!--[if !mso]><!--><a href="{x}">1</a><!--<![endif]-->';
    assert.equal(extract(code, code), `[${code}]`);
  });

  it('splits no element', () => {
    assertRefused('<b>1</b><i>2</i>', '1</b><i>2');
    assertRefused('<b>1</b><i>2</i>', '</b>');
    assertRefused('<p>1<p>2<br>', '1<p>2');
    assertRefused('<p>1</p>', '1<');
    assertRefused('<table><tr><td>1</td><td>2</td></tr></table>', '1</td><td>2');
    assertRefused(
      '<div><h1><!-- slot: a -->1</h1><p>2<!-- /slot --></p></div>',
      '<h1><!-- slot: a -->1</h1><p>2<!-- /slot --></p>',
    );
  });

  it('ignores tags, attributes, styles, scripts and comments', () => {
    for (const text of ['<b title="xx">', '<xx>', '<style>xx</style>', '<script>xx</script>', '<title>xx</title>'])
      assertRefused(text, 'xx');
    assertRefused('<!-- xx -->', 'xx');
    // With a mark in this tag, the next one would be in a text.
    assert.equal(extract('<img alt="a">a', 'a'), '<img alt="a">[a]');
    assertRefused('<!--[if mso]><b>xx</b><![endif]-->', '<b>xx</b>');
    assertRefused('<!--[if !mso]><!--><b>1</b><!--<![endif]-->', '<b>1</b><!--<![endif]-->');
  });

  it('splits no placeholder of the visual editor', () => {
    const placeholder = '<tr data-dynamic="{subscriber:name}" data-x=""><td><b>Ann</b><i>x</i></td></tr>';
    const text = `<table>${placeholder}</table>`;
    assertRefused(text, '<b>Ann</b>');
    assert.equal(extract(text, placeholder), `<table>[${placeholder}]</table>`);
  });

  it('leaves the text of other parts as it is, but not their slots', () => {
    const text = '<!-- part: b --><p>1</p><div><!-- slot: s --><p>1</p><!-- /slot --></div><!-- /part --><p>1</p>';
    const expected = text.replace(/(?<=-->)<p>1<\/p>(?=<!-- \/slot|$)/gu, '<!-- part: a -->$&<!-- /part -->');
    assert.equal(applyEdits(text, extractPart(text, 'a', '<p>1</p>')), expected);
    assert.equal(readParts(expected).length, 2);
    assert.deepEqual(extractPart(text, 'a', '<!-- slot: s --><p>1</p>'), []);
  });
});
