import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { check } from '../../../../src/email/checks/index.ts';
import type { CheckOptions, Email, Finding } from '../../../../src/email/checks/index.ts';
import { applyFix, assertValid } from '../../../support/checks/marked.ts';

const corpus = new URL('../../../../../shared/corpus/', import.meta.url);

interface CheckedEmail {
  readonly name: string;
  readonly email: Email;
  readonly findings: readonly Finding[];
}

/** Returns the real emails with their findings. */
function checkAll(options: CheckOptions): readonly CheckedEmail[] {
  return readdirSync(corpus)
    .filter((name) => name.endsWith('.html'))
    .map((name) => {
      const email = { body: readFileSync(new URL(name, corpus), 'utf8') };
      return { name, email, findings: check(email, options) };
    });
}

const profiles: readonly (readonly [title: string, options: CheckOptions])[] = [
  ['any service', {}],
  ['AcyMailing', { profile: 'acymailing' }],
];

describe('checks of real emails', function () {
  this.timeout(60_000);
  before(function () {
    if (existsSync(corpus)) return;
    console.log('      The corpus of real emails is not available.');
    this.skip();
  });

  for (const [title, options] of profiles) {
    it(`report no errors and a median of at most three warnings with ${title}`, () => {
      const counts = checkAll(options)
        .map(({ name, findings }) => {
          const errors = findings.filter(({ severity }) => severity === 'error');
          assert.deepEqual(
            errors.map(({ rule }) => `${name}: ${rule}`),
            [],
          );
          return findings.filter(({ severity }) => severity === 'warning').length;
        })
        .sort((one, other) => one - other);
      assert.ok((counts[counts.length >> 1] ?? Infinity) <= 3, counts.join(' '));
    });

    it(`do not report a finding again after its fix with ${title}`, () => {
      for (const { name, email, findings } of checkAll(options)) {
        assertValid(email, findings);
        for (const { rule, message, fixes = [] } of findings) {
          for (const fix of fixes) {
            const left = check(applyFix(email, fix), options).filter(
              (finding) => finding.rule === rule && finding.message === message,
            );
            assert.deepEqual(
              left.map(({ start }) => start),
              [],
              `${name}: rule ${rule} is found again`,
            );
          }
        }
      }
    });
  }
});
