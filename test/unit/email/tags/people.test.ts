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

describe('People to look at an email as', () => {
  it('are a typical one, one without a name, one with a long name, and one who reads from right to left', () => {
    const greet = (id: string): string =>
      renderTags(
        '{subscriber:name|default:friend}',
        language,
        createRendering(samplePeople.find((each) => each.id === id)?.person ?? {}),
      ).text;
    assert.equal(greet('nameless'), 'friend');
    assert.ok(greet('long').length > 60);
    assert.match(greet('rightToLeft'), /\p{Script=Arabic}/u);
    assert.match(greet('typical'), /^Ann/u);
  });
});

describe('A condition', () => {
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
    it(`names who sees it and who does not: ${condition}`, () => {
      assert.equal(findBranchExample(condition, true, language)?.value, shown);
      assert.equal(findBranchExample(condition, false, language)?.value, hidden);
    });
  }

  it('is decided otherwise where that is asked for, whoever looks, also within another', () => {
    const text = 'a{if:name=x}b{if:City=Rome}c{/if}d{/if}e';
    const asked: string[] = [];
    const decide =
      (answer: boolean) =>
      (condition: string, own: boolean): boolean => {
        asked.push(`${condition}:${own}`);
        return answer;
      };
    const to = createRendering(samplePeople[0]?.person ?? {});
    assert.equal(renderTags(text, language, { ...to, decide: decide(true) }).text, 'abcde');
    assert.equal(renderTags(text, language, { ...to, decide: decide(false) }).text, 'ae');
    assert.deepEqual([...new Set(asked)], ['City=Rome:false', 'name=x:false']);
  });
});

describe('The language of a setting', () => {
  it('is what it names or describes, whatever is written there', () => {
    assert.equal(readTagLanguage('none').name, 'none');
    for (const odd of ['acymailing', undefined, null, 7, [], {}, { families: 7 }])
      assert.equal(readTagLanguage(odd).name, 'acymailing');
    const described = readTagLanguage({
      families: { contact: { fields: { first: 'Ann' } }, a: null, b: { fields: 1 }, c: { fields: {}, where: 'x' } },
    });
    assert.deepEqual(
      described.families.map(({ name }) => name),
      ['contact'],
    );
  });
});
