import assert from 'node:assert/strict';
import { checkRules } from '../../../../src/email/checks/index.ts';
import { cases, serviceCases } from '../../../support/checks/cases.ts';
import type { Case } from '../../../support/checks/cases.ts';
import { applied, assertValid, findingsOf, placesOf, unmark } from '../../../support/checks/marked.ts';

function finds({ rule, email: texts, options, severity, clients }: Case): void {
  const { email, places } = unmark(texts);
  const findings = findingsOf(rule, email, options);
  assertValid(email, findings);
  const shown = findings.find(({ related = [] }) => related.length + 1 === places.length) ?? findings[0];
  const sorted = (list: typeof places): typeof places =>
    [...list].sort((one, other) => one.part.localeCompare(other.part) || one.start - other.start);
  assert.deepEqual(sorted(shown ? placesOf(shown) : []), sorted(places));
  assert.equal(shown?.severity, severity);
  if (clients) assert.deepEqual(shown?.clients, clients);
}

/** Applies every fix of the rule's findings, one after the other, to the email. */
function mends({ rule, email: texts, options, fixed }: Case): void {
  const { email } = unmark(texts);
  const [finding] = findingsOf(rule, email, options);
  const [fix] = finding?.fixes ?? [];
  assert.ok(finding && fix, 'There is no fix.');
  const mended = applied(email, fix);
  assert.match(Object.values(mended).join('\n'), fixed ?? /./u);
  const left = findingsOf(rule, mended, options).filter(
    ({ message, start, part }) => message === finding.message && start === finding.start && part === finding.part,
  );
  assert.deepEqual(left, []);
}

for (const rule of checkRules) {
  describe(`Rule ${rule.id} (${rule.name})`, () => {
    const own = [...cases, ...serviceCases].filter(({ rule: id }) => id === rule.id);
    for (const one of own) {
      it(`${one.severity ? 'finds' : 'leaves alone'} ${one.title}`, () => finds(one));
      if (one.fixed) it(`mends ${one.title}`, () => mends(one));
    }

    it('has cases that are found and that are not', () => {
      assert.ok(own.some(({ severity }) => severity) || rule.id === '23');
      assert.ok(own.some(({ severity }) => !severity) || rule.id === '23');
      assert.equal(
        own.some(({ fixed }) => fixed !== undefined),
        rule.hasFix === true,
      );
    });
  });
}
