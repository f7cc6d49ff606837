import assert from 'node:assert/strict';
import { check, getCheckRules, type CheckOptions, type Email } from '../../../../src/email/checks/index.ts';
import { composeSent } from '../../../../src/email/sent/index.ts';
import { ruleCases, serviceCases } from '../../../support/checks/cases.ts';
import { applyFix, corpusBodies, findRuleFindings, parseMarkedEmail } from '../../../support/checks/marked.ts';

const site = 'https://site.example';

/** Returns the email as sent, which a service doesn't change further. */
const composeSentEmail = (email: Email, profile: 'documented' | 'acymailing'): Email => ({
  body: composeSent(email, { profile, site }).html,
});

/** Rules that check the email's fields, or how AcyMailing changes them: they find nothing in the sent email. */
const judgesFields = ({ id, profile }: ReturnType<typeof getCheckRules>[number]) =>
  profile !== undefined || ['3', '4', '5', '6', '7', '8', '31', '32', '33'].includes(id);
const comparableRules = new Set(
  getCheckRules()
    .filter((rule) => !judgesFields(rule))
    .map(({ id }) => id),
);

describe('fixes', () => {
  for (const { rule, title, email: texts, options = {}, fixed, sent } of [...ruleCases, ...serviceCases]) {
    if (!fixed) continue;
    const { profile, ...others } = options;
    const service = profile === 'acymailing' ? 'acymailing' : 'documented';
    it(`fix the email that ${service === 'acymailing' ? 'AcyMailing' : 'a service'} sends: rule ${rule}, ${title}`, () => {
      const { email } = parseMarkedEmail(texts);
      const [finding] = findRuleFindings(rule, email, options);
      assert.ok(finding?.fixes?.length);
      for (const [index, fix] of finding.fixes.entries()) {
        const fixedEmail = applyFix(email, fix);
        if (index === 0) assert.match(Object.values(fixedEmail).join('\n'), fixed);
        assert.deepEqual(
          findRuleFindings(rule, fixedEmail, options).filter(({ message }) => message === finding.message),
          [],
        );
        const { body } = composeSentEmail(fixedEmail, service);
        if (comparableRules.has(rule)) assert.deepEqual(findRuleFindings(rule, { body }, others), []);
        else if (profile) assert.match(body, sent ?? assert.fail('The case has no expected sent text.'));
      }
    });
  }
});

/** Findings that only the written or only the sent email has, with the reason. */
const exceptions: readonly (readonly [rule: string, message: RegExp, reason: string])[] = [
  ['1', /^Unclosed|^Stray/u, 'a leading comment is lost (rule 35), and an unclosed one is closed'],
  ['9', /inserts the site's URL/u, 'the service inserts the site URL'],
  ['9', /no base URL/u, 'rule 44 reports URLs without double quotes'],
  [
    '21',
    /^Empty (?:link|heading)/u,
    'the service splits a link around a table and a heading around a paragraph (rule 50)',
  ],
  ['25', /AcyMailing doesn't send/u, 'the service drops this rule'],
  ['27', /AcyMailing removes/u, 'the service removes this element'],
];

describe('findings for AcyMailing', function () {
  const options: CheckOptions = {
    rules: { ...Object.fromEntries([...comparableRules].map((id) => [id, 'warning' as const])), 23: 'off', 34: 'off' },
  };
  const findRuleIds = (email: Email, profile?: string) => {
    const differences = check(email, { ...options, ...(profile && { profile }) }).filter(
      ({ rule, message }) =>
        comparableRules.has(rule) && !exceptions.some(([id, text]) => id === rule && text.test(message)),
    );
    return [...new Set(differences.map(({ rule }) => rule))].sort();
  };
  /** AcyMailing drops what rule 35 reports, and wraps text outside of elements in a `<p>`. */
  const isChanged = (email: Email) =>
    check(email, { profile: 'acymailing' }).some(({ rule }) => rule === '35') ||
    !email.body.trimStart().startsWith('<');

  /** Returns the rules that report only the written or only the sent email. */
  const findDifferences = (email: Email) => {
    const [written, sent] = [findRuleIds(email, 'acymailing'), findRuleIds(composeSentEmail(email, 'acymailing'))];
    return [...written.filter((id) => !sent.includes(id)), ...sent.filter((id) => !written.includes(id))];
  };

  it('match the findings of the sent email: rule cases', () => {
    const differences = [...ruleCases, ...serviceCases].flatMap(({ title, rule, email: texts }) => {
      const {
        email: { body, stylesheet = '' },
      } = parseMarkedEmail(texts);
      const email = { body, stylesheet };
      return isChanged(email) ? [] : findDifferences(email).map((id) => `${id} in the case of rule ${rule}: ${title}`);
    });
    assert.deepEqual(differences, []);
  });

  it('match the findings of the sent email: real emails', function () {
    if (corpusBodies.length === 0) this.skip();
    const differences = corpusBodies.flatMap(([name, body]) =>
      findDifferences({ body }).map((id) => `${id} in ${name}`),
    );
    assert.deepEqual(differences, []);
  });
});
