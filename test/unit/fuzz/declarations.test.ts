import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseDeclarations, parseStyleAttribute } from '../../../src/email/checks/css.ts';
import { readRealEmails } from './edits.ts';
import { anyText, TIMEOUT_MS, createRunOptions } from './setup.ts';

const fragments = [
  'color:red',
  'margin: 0 0 14px',
  ' font-family:"A B",Arial',
  "font-family:'A;B'",
  'background:rgb(0, 0, 0)',
  'background:url(a.png)',
  'font:16px/20px Arial',
  'MSO-hide:all',
  '-webkit-x:1',
  '--x:1',
  '*zoom:1',
  '_height:1px',
  'width:calc(100% - (1px + 2px))',
  'filter:progid:x',
  'color:',
  ':red',
  ';',
  ';;',
  ':',
  ' ',
  '\n',
  '\t',
  '\r',
  '\f',
  '"',
  "'",
  '(',
  ')',
  '[',
  '{',
  '}',
  '!',
  '!important',
  '/*',
  '*/',
  '/',
  '\\',
  '@',
  '#',
  '%',
  '-',
  '_',
  '.',
  ',',
  '<',
  '&',
  'é',
  '\0',
];

function assertSame(css: string) {
  assert.deepEqual(parseStyleAttribute(css), parseDeclarations(css), css);
}

describe('Declarations parsed without css-tree', function () {
  this.timeout(TIMEOUT_MS);

  it("equal the parser's result for random text", () => {
    const piece = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...fragments) }, anyText);
    const css = fc.array(piece, { maxLength: 12 }).map((some) => some.join(''));
    fc.assert(fc.property(css, assertSame), createRunOptions(4000));
  });

  it("equal the parser's result for each style attribute of real emails", function () {
    for (const { body } of readRealEmails(this)) {
      for (const [, css = ''] of body.matchAll(/style="([^"]*)"/gu)) assertSame(css.replaceAll('&quot;', '"'));
    }
  });
});
