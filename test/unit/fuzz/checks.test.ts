import fc from 'fast-check';
import { check, type CheckOptions, type Email } from '../../../src/email/checks/index.ts';
import { applyFix, assertValid } from '../../support/checks/marked.ts';
import { anyFragment, randomlyEdited, EDITS_PER_EMAIL, readRealEmails } from './edits.ts';
import { anyText, TIMEOUT_MS, createRunOptions } from './setup.ts';

const profiles: readonly CheckOptions[] = [{}, { profile: 'acymailing', rules: { 34: 'hint' } }];

/** Checks an email in both profiles and asserts valid ranges, edits and fixed texts. */
function assertChecks(email: Email) {
  for (const options of profiles) {
    const findings = check(email, options);
    assertValid(email, findings);
    const [fix] = findings.flatMap(({ fixes = [] }) => fixes);
    if (fix) check(applyFix(email, fix), options);
  }
}

describe('Checking any text', function () {
  this.timeout(TIMEOUT_MS * 10);

  it('returns valid ranges and never throws', () => {
    const text = fc.array(anyFragment, { maxLength: 40 }).map((some) => some.join(''));
    const email = fc.record({
      body: text,
      stylesheet: text,
      subject: anyText,
      preheader: anyText,
      headers: text,
      fromEmail: anyText,
    });
    fc.assert(
      fc.property(email, (one) => assertChecks(one)),
      createRunOptions(300),
    );
  });

  it('returns valid ranges after random edits of each real email', function () {
    for (const { body } of readRealEmails(this)) {
      fc.assert(
        fc.property(randomlyEdited(body), (text) => assertChecks({ body: text })),
        { ...createRunOptions(1), numRuns: EDITS_PER_EMAIL },
      );
    }
  });
});
