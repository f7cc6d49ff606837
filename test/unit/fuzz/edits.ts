import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { anyText, isSoak } from './setup.ts';

const corpus = new URL('../../../../shared/corpus/', import.meta.url);

/** Random edits of each real email. A soak run makes more. */
export const EDITS_PER_EMAIL = isSoak ? 1000 : 1;

/** What people type, paste and leave unfinished. */
const fragments = [
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

export const anyFragment = fc.oneof(fc.constantFrom(...fragments), anyText);

export interface RealEmail {
  readonly name: string;
  readonly body: string;
}

/** Returns real emails, or skips the test if they are not available. */
export function readRealEmails(test: Mocha.Context): readonly RealEmail[] {
  if (!existsSync(corpus)) {
    console.log('      The corpus of real emails is not here.');
    test.skip();
  }
  const names = readdirSync(corpus).filter((file) => file.endsWith('.html'));
  return names.map((name) => ({ name, body: readFileSync(new URL(name, corpus), 'utf8') }));
}

/** Replaces one to four random ranges of a text. */
export function randomlyEdited(original: string): fc.Arbitrary<string> {
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    cut: fc.nat({ max: 60 }),
    piece: anyFragment,
  });
  return fc.array(edit, { minLength: 1, maxLength: 4 }).map((list) =>
    list.reduce((text, { at, cut, piece }) => {
      const offset = Math.floor(at * text.length);
      return text.slice(0, offset) + piece + text.slice(offset + cut);
    }, original),
  );
}
