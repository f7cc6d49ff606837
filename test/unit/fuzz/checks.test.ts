import fc from 'fast-check';
import { check } from '../../../src/email/checks/index.ts';
import type { CheckOptions, Email } from '../../../src/email/checks/index.ts';
import { applied, assertValid } from '../../support/checks/marked.ts';
import { anyPiece, editedAtRandom, editsOfEach, realEmails } from './edits.ts';
import { anyText, patience, tries } from './setup.ts';

const profiles: readonly CheckOptions[] = [{}, { profile: 'acymailing', rules: { 34: 'hint' } }];

/** Checks an email in both profiles, and that ranges, edits and what comes of the edits hold. */
function tryOut(email: Email): void {
  for (const options of profiles) {
    const findings = check(email, options);
    assertValid(email, findings);
    const [fix] = findings.flatMap(({ fixes = [] }) => fixes);
    if (fix) check(applied(email, fix), options);
  }
}

describe('Checking any text', function () {
  this.timeout(patience * 10);

  it('ends with places in the text, and never throws', () => {
    const text = fc.array(anyPiece, { maxLength: 40 }).map((some) => some.join(''));
    const email = fc.record({
      body: text,
      stylesheet: text,
      subject: anyText,
      preheader: anyText,
      headers: text,
      fromEmail: anyText,
    });
    fc.assert(
      fc.property(email, (one) => tryOut(one)),
      tries(300),
    );
  });

  it('does so after random edits of each real email', function () {
    for (const { body } of realEmails(this)) {
      fc.assert(
        fc.property(editedAtRandom(body), (text) => tryOut({ body: text })),
        { ...tries(1), numRuns: editsOfEach },
      );
    }
  });
});
