import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { anyText, isSoak } from './setup.ts';

const corpus = new URL('../../../../shared/corpus/', import.meta.url);

/** Random edits of each real email; the soak makes more of them. */
export const editsOfEach = isSoak ? 1000 : 1;

/** What people type, paste and leave half done. */
const pieces = [
  '<',
  '>',
  '"',
  "'",
  '&',
  '&amp;',
  '{',
  '}',
  '/*',
  '*/',
  '<!--',
  '-->',
  '<![endif]-->',
  '<!--[if mso]>',
  '<!--[if !mso]><!-->',
  '<!--<![endif]-->',
  '<![if !mso]>',
  '<style>',
  '</style>',
  '@media screen {',
  '@import url(',
  'style="',
  'style="color:&quot;',
  '<table><tr><td>',
  '</td>',
  '<img src=',
  '<a href="',
  '<script>',
  '<svg><style>',
  '<b><p>',
  '\r\n',
  '\0',
  '\uD83D',
  '😀',
  'é',
  '!important',
  ';',
  ':',
  '(((',
  '<html lang',
  '<section>',
  '{if:x=y}',
  '<!-- mailing-ignore 12 -->',
];

export const anyPiece = fc.oneof(fc.constantFrom(...pieces), anyText);

export interface RealEmail {
  readonly name: string;
  readonly body: string;
}

/** Emails of other makers; says so and skips the test where they are not here. */
export function realEmails(test: Mocha.Context): readonly RealEmail[] {
  if (!existsSync(corpus)) {
    console.log('      The corpus of real emails is not here.');
    test.skip();
  }
  const names = readdirSync(corpus).filter((file) => file.endsWith('.html'));
  return names.map((name) => ({ name, body: readFileSync(new URL(name, corpus), 'utf8') }));
}

/** A text with one to four places cut and written over. */
export function editedAtRandom(original: string): fc.Arbitrary<string> {
  const edit = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), cut: fc.nat({ max: 60 }), piece: anyPiece });
  return fc.array(edit, { minLength: 1, maxLength: 4 }).map((list) =>
    list.reduce((text, { at, cut, piece }) => {
      const offset = Math.floor(at * text.length);
      return text.slice(0, offset) + piece + text.slice(offset + cut);
    }, original),
  );
}
