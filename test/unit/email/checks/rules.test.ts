import assert from 'node:assert/strict';
import { getCheckRules } from '../../../../src/email/checks/index.ts';
import { ruleCases, serviceCases, type RuleCase } from '../../../support/checks/cases.ts';
import { assertValid, findRuleFindings, getRanges, parseMarkedEmail } from '../../../support/checks/marked.ts';

function assertFinding({ rule, email: texts, options, severity, clients, message }: RuleCase) {
  const { email, ranges } = parseMarkedEmail(texts);
  const findings = findRuleFindings(rule, email, options);
  assertValid(email, findings);
  const finding = findings.find(({ related = [] }) => related.length + 1 === ranges.length) ?? findings[0];
  const sorted = (list: typeof ranges) =>
    [...list].sort((one, other) => one.part.localeCompare(other.part) || one.start - other.start);
  assert.deepEqual(sorted(finding ? getRanges(finding) : []), sorted(ranges));
  assert.equal(finding?.severity, severity);
  if (clients) assert.deepEqual(finding?.clients, clients);
  if (message) assert.match(finding?.message ?? '', message);
}

for (const rule of getCheckRules()) {
  describe(`rule ${rule.id} (${rule.name})`, () => {
    const ownCases = [...ruleCases, ...serviceCases].filter(({ rule: id }) => id === rule.id);
    for (const ruleCase of ownCases) {
      it(`${ruleCase.severity ? 'reports' : 'accepts'} ${ruleCase.title}`, () => assertFinding(ruleCase));
    }

    it('has test cases with and without findings', () => {
      assert.ok(ownCases.some(({ severity }) => severity) || rule.id === '23');
      assert.ok(ownCases.some(({ severity }) => !severity) || rule.id === '23');
      assert.equal(
        ownCases.some(({ fixed }) => fixed !== undefined),
        rule.fix !== undefined,
      );
    });
  });
}
