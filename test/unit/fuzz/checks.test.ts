import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { check } from '../../../src/checks/index.ts';
import type { CheckOptions, Email } from '../../../src/checks/index.ts';
import { applied, assertValid } from '../../support/checks/marked.ts';
import { anyText, patience, tries } from './setup.ts';

const corpus = new URL('../../../../shared/corpus/', import.meta.url);
/** Random edits of each e-mail of the corpus. */
const edits = Number(process.env['MAILING_STUDIO_FUZZ_RUNS'] ?? 1) > 1 ? 1000 : 2;

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
const profiles: readonly CheckOptions[] = [{}, { profile: 'acymailing', rules: { 34: 'hint' } }];

/** Checks an e-mail in both profiles, and that ranges, edits and what comes of the edits hold. */
function tryOut(email: Email): void {
  for (const options of profiles) {
    const findings = check(email, options);
    assertValid(email, findings);
    const [fix] = findings.flatMap(({ fixes = [] }) => fixes);
    if (fix) check(applied(email, fix), options);
  }
}

const anyPiece = fc.oneof(fc.constantFrom(...pieces), anyText);

describe('Checking any text', function () {
  this.timeout(patience * 10);

  it('ends with places in the text, and never throws', () => {
    const text = fc.array(anyPiece, { maxLength: 40 }).map((some) => some.join(''));
    const email = fc.record({ body: text, stylesheet: text, subject: anyText, preheader: anyText, headers: text, fromEmail: anyText });
    fc.assert(
      fc.property(email, (one) => tryOut(one)),
      tries(300),
    );
  });

  it('does so after random edits of each real e-mail', function () {
    if (!existsSync(corpus)) {
      console.log('      The corpus of real e-mails is not here.');
      this.skip();
    }
    for (const name of readdirSync(corpus).filter((file) => file.endsWith('.html'))) {
      const original = readFileSync(new URL(name, corpus), 'utf8');
      const edit = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), cut: fc.nat({ max: 60 }), piece: anyPiece });
      const body = fc.array(edit, { minLength: 1, maxLength: 4 }).map((list) =>
        list.reduce((text, { at, cut, piece }) => {
          const offset = Math.floor(at * text.length);
          return text.slice(0, offset) + piece + text.slice(offset + cut);
        }, original),
      );
      fc.assert(
        fc.property(body, (text) => tryOut({ body: text })),
        { ...tries(1), numRuns: edits },
      );
    }
  });
});
