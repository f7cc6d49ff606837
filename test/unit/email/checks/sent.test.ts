import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { check, checkRules } from '../../../../src/email/checks/index.ts';
import type { CheckOptions, Email } from '../../../../src/email/checks/index.ts';
import { composeSent } from '../../../../src/email/sent/index.ts';
import { cases, serviceCases } from '../../../support/checks/cases.ts';
import { applied, findingsOf, unmark } from '../../../support/checks/marked.ts';

const corpus = new URL('../../../../../shared/corpus/', import.meta.url);
const site = 'https://site.example';

/** What is sent of an email: nothing is left to a service. */
const sentOf = (email: Email, profile: 'documented' | 'acymailing'): Email => ({
  body: composeSent(email, { profile, site }).html,
});

/** Rules that judge the fields, or what AcyMailing does to them, and so have nothing to find in what is sent. */
const judgesFields = ({ id, profile }: (typeof checkRules)[number]): boolean =>
  profile !== undefined || ['3', '4', '5', '6', '7', '8', '31', '32', '33'].includes(id);
const ofSent = new Set(checkRules.filter((rule) => !judgesFields(rule)).map(({ id }) => id));

describe('A fix', () => {
  for (const { rule, title, email: texts, options = {}, fixed, sent } of [...cases, ...serviceCases]) {
    if (!fixed) continue;
    const { profile, ...others } = options;
    const service = profile === 'acymailing' ? 'acymailing' : 'documented';
    it(`mends what ${service === 'acymailing' ? 'AcyMailing' : 'a service'} sends: rule ${rule}, ${title}`, () => {
      const { email } = unmark(texts);
      const [finding] = findingsOf(rule, email, options);
      assert.ok(finding?.fixes?.length);
      for (const fix of finding.fixes) {
        const mended = applied(email, fix);
        assert.deepEqual(
          findingsOf(rule, mended, options).filter(({ message }) => message === finding.message),
          [],
        );
        const { body } = sentOf(mended, service);
        if (ofSent.has(rule)) assert.deepEqual(findingsOf(rule, { body }, others), []);
        else if (profile) assert.match(body, sent ?? assert.fail('The case says nothing of what is sent.'));
      }
    });
  }
});

/** Findings of these kinds can't be had from what is sent, or only from it. Each has a reason. */
const exceptions: readonly (readonly [rule: string, message: RegExp, why: string])[] = [
  ['1', /no end|was not begun/u, 'a comment at the start is lost (rule 35); one without an end is closed'],
  ['9', /in place of this empty one/u, 'the site is put in'],
  ['9', /could be relative to/u, 'those without double quotes are found by rule 44'],
  ['21', /nothing to say|is empty/u, 'a link around a table or a heading around a paragraph is cut (rule 50)'],
  ['25', /AcyMailing sends no/u, 'what is dropped is not found there'],
  ['27', /AcyMailing removes/u, 'what is removed is not found there'],
];

describe('What is found in an email for AcyMailing', function () {
  this.timeout(60_000);

  const options: CheckOptions = {
    rules: { ...Object.fromEntries([...ofSent].map((id) => [id, 'warning' as const])), 23: 'off', 34: 'off' },
  };
  const kindsOf = (email: Email, profile?: string): readonly string[] => {
    const found = check(email, { ...options, ...(profile && { profile }) }).filter(
      ({ rule, message }) => ofSent.has(rule) && !exceptions.some(([id, text]) => id === rule && text.test(message)),
    );
    return [...new Set(found.map(({ rule }) => rule))].sort();
  };
  /** What rule 35 finds is lost, and text outside of all elements gets a `<p>`. */
  const isChanged = (email: Email): boolean =>
    check(email, { profile: 'acymailing' }).some(({ rule }) => rule === '35') ||
    !email.body.trimStart().startsWith('<');

  /** Rules that are found on one side only. */
  const different = (email: Email): readonly string[] => {
    const [written, sent] = [kindsOf(email, 'acymailing'), kindsOf(sentOf(email, 'acymailing'))];
    return [...written.filter((id) => !sent.includes(id)), ...sent.filter((id) => !written.includes(id))];
  };

  it('is what is found in what it sends: cases', () => {
    const found = [...cases, ...serviceCases].flatMap(({ title, rule, email: texts }) => {
      const {
        email: { body, stylesheet = '' },
      } = unmark(texts);
      const email = { body, stylesheet };
      return isChanged(email) ? [] : different(email).map((id) => `${id} in the case of rule ${rule}: ${title}`);
    });
    assert.deepEqual(found, []);
  });

  it('is what is found in what it sends: real emails', function () {
    if (!existsSync(corpus)) this.skip();
    const names = readdirSync(corpus).filter((file) => file.endsWith('.html'));
    const found = names.flatMap((name) =>
      different({ body: readFileSync(new URL(name, corpus), 'utf8') }).map((id) => `${id} in ${name}`),
    );
    assert.deepEqual(found, []);
  });
});
