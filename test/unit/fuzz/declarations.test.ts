import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseDeclarations, parseStyleAttribute } from '../../../src/email/checks/css.ts';
import { realEmails } from './edits.ts';
import { anyText, patience, tries } from './setup.ts';

const pieces = [
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

function assertSame(css: string): void {
  assert.deepEqual(parseStyleAttribute(css), parseDeclarations(css), css);
}

describe('Declarations that are read without the parser', function () {
  this.timeout(patience);

  it('are those that the parser reads, whatever the text', () => {
    const piece = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...pieces) }, anyText);
    const css = fc.array(piece, { maxLength: 12 }).map((some) => some.join(''));
    fc.assert(fc.property(css, assertSame), tries(4000));
  });

  it('so in each style of real emails', function () {
    for (const { body } of realEmails(this)) {
      for (const [, css = ''] of body.matchAll(/style="([^"]*)"/gu)) assertSame(css.replaceAll('&quot;', '"'));
    }
  });
});
