import assert from 'node:assert/strict';
import { check } from '../../../../src/email/checks/index.ts';
import type { CheckOptions } from '../../../../src/email/checks/index.ts';
import { applyFix, assertValid, corpusBodies } from '../../../support/checks/marked.ts';

/** Returns the real emails with their findings. */
const checkAll = (options: CheckOptions) =>
  corpusBodies.map(([name, body]) => ({ name, email: { body }, findings: check({ body }, options) }));

const profiles: readonly (readonly [title: string, options: CheckOptions])[] = [
  ['any service', {}],
  ['AcyMailing', { profile: 'acymailing' }],
];

describe('checks of real emails', function () {
  this.timeout(60_000);
  before(function () {
    if (corpusBodies.length > 0) return;
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
