import assert from 'node:assert/strict';
import {
  readTagLanguage,
  createRendering,
  renderTags,
  samplePeople,
  tagLanguage,
  findBranchExample,
} from '../../../../src/email/tags/index.ts';

const language = tagLanguage('acymailing');

describe('Sample people', () => {
  it('include a typical person, one without a name, one with a long name and one with a right-to-left name', () => {
    const greet = (id: string) =>
      renderTags(
        '{subscriber:name|default:friend}',
        language,
        createRendering(samplePeople().find((each) => each.id === id)?.person ?? {}),
      ).text;
    assert.equal(greet('nameless'), 'friend');
    assert.ok(greet('long').length > 60);
    assert.match(greet('rightToLeft'), /\p{Script=Arabic}/u);
    assert.match(greet('typical'), /^Ann/u);
  });
});

describe('Conditions', () => {
  const cases: readonly (readonly [condition: string, shown: string | undefined, hidden: string | undefined])[] = [
    ['City=Rome', 'Rome', ''],
    ['City!=Rome', '', 'Rome'],
    ['City=Rome;Paris', 'Rome', ''],
    ['City~om', 'om', ''],
    ['City!~om', '', 'om'],
    ['age>18', '19', '18'],
    ['age<18', '', '18'],
    ['no operator', undefined, undefined],
    ['var.x=y', undefined, undefined],
  ];
  for (const [condition, shown, hidden] of cases) {
    it(`have examples of people with and without their content: ${condition}`, () => {
      assert.equal(findBranchExample(condition, true, language)?.value, shown);
      assert.equal(findBranchExample(condition, false, language)?.value, hidden);
    });
  }

  it('can be overridden, even when nested', () => {
    const text = 'a{if:name=x}b{if:City=Rome}c{/if}d{/if}e';
    const decisions: string[] = [];
    const decide = (answer: boolean) => (condition: string, isMet: boolean) => {
      decisions.push(`${condition}:${isMet}`);
      return answer;
    };
    const to = createRendering(samplePeople()[0]?.person ?? {});
    assert.equal(renderTags(text, language, { ...to, decide: decide(true) }).text, 'abcde');
    assert.equal(renderTags(text, language, { ...to, decide: decide(false) }).text, 'ae');
    assert.deepEqual([...new Set(decisions)], ['City=Rome:false', 'name=x:false']);
  });
});

describe('readTagLanguage', () => {
  it('reads valid settings and falls back to AcyMailing', () => {
    assert.equal(readTagLanguage('none').name, 'none');
    for (const setting of ['acymailing', undefined, null, 7, [], {}, { families: 7 }])
      assert.equal(readTagLanguage(setting).name, 'acymailing');
    const described = readTagLanguage({
      families: { contact: { fields: { first: 'Ann' } }, a: null, b: { fields: 1 }, c: { fields: {}, where: 'x' } },
    });
    assert.deepEqual(
      described.families.map(({ name }) => name),
      ['contact'],
    );
  });
});
