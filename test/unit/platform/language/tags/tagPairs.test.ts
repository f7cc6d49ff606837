import assert from 'node:assert/strict';
import { findPairAt, createNameValidator, getPairRanges } from '../../../../../src/platform/language/tags/tagPairs.ts';
import { getTagTexts } from '../../../../../src/platform/language/tags/tagTexts.ts';
import { tagLanguage } from '../../../../../src/email/tags/index.ts';

const language = tagLanguage('acymailing');

describe('Tag pairs', () => {
  it('are found from either tag', () => {
    const text = '<p>{if:City=Rome}{unsubscribe}x{/unsubscribe}{/if}</p>';
    const at = (sign: string): string[] | undefined =>
      findPairAt(getTagTexts('html', text), text.indexOf(sign) + 2, language)?.nameRanges.map(({ start, end }) =>
        text.slice(start, end),
      );
    assert.deepEqual(at('{if'), ['if', 'if']);
    assert.deepEqual(at('{/if'), ['if', 'if']);
    assert.deepEqual(at('{unsub'), ['unsubscribe', 'unsubscribe']);
    assert.deepEqual(at('{/unsub'), ['unsubscribe', 'unsubscribe']);
    assert.equal(at('<p>'), undefined);
  });

  it('require both tags', () => {
    assert.equal(findPairAt(getTagTexts('html', '{unsubscribe}'), 3, language), undefined);
  });

  it('map to document offsets in a JSON string', () => {
    const text = '{"subject": "\\u00e9{if:a=b}c{/if}"}';
    const halves = findPairAt(getTagTexts('json', text), text.indexOf('{/if'), language);
    assert.deepEqual(
      halves?.tagRanges.map(({ start, end }) => text.slice(start, end)),
      ['{if:a=b}', '{/if}'],
    );
  });

  it('fold from the opening to the closing tag', () => {
    const text = 'a\n{if:a=b}\nx\n{/if}\n{unsubscribe}y{/unsubscribe}';
    assert.deepEqual(
      getPairRanges(getTagTexts('html', text), language).map(({ start, end }) => text.slice(start, end)),
      ['{if:a=b}\nx\n', '{unsubscribe}y'],
    );
  });

  it('allow renaming links to other links, but not conditions', () => {
    const allowed = (name: string, wanted: string): boolean =>
      createNameValidator(language, name)(wanted) === undefined;
    assert.ok(
      allowed('unsubscribe', 'confirm') &&
        allowed('UNSUBSCRIBE', 'unsubscribe') &&
        allowed('if', 'IF') &&
        allowed('info', 'info'),
    );
    for (const [name, wanted] of [
      ['unsubscribe', 'if'],
      ['unsubscribe', 'info'],
      ['unsubscribe', 'nothing'],
      ['if', 'unsubscribe'],
      ['info', 'confirm'],
      ['confirm', 'a}b'],
    ] as const)
      assert.ok(!allowed(name, wanted), `${name} → ${wanted}`);
  });
});
