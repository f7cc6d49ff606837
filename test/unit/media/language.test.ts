import assert from 'node:assert/strict';
import { tagLanguage } from '../../../src/email/tags/index.ts';
import { readJson } from '../../support/manifest.ts';

interface Grammar {
  readonly patterns: readonly { readonly match: string }[];
}

const { patterns } = readJson<Grammar>('media/language/tags.tmLanguage.json');
const expressions = patterns.map(({ match }) => new RegExp(match.replace('(?i)', ''), 'giu'));

/** Returns the tags that the grammar colors. */
const findColored = (text: string): readonly string[] =>
  expressions.flatMap((expression) => [...text.matchAll(expression)].map(([tag]) => tag)).toSorted();

describe('The grammar of merge tags', () => {
  it('colors the tags of AcyMailing', () => {
    const { families, pairs, conditions } = tagLanguage('acymailing');
    const tags = [
      ...families.flatMap(({ name, aliases }) => [name, ...aliases]).map((name) => `{${name}:x|default:y}`),
      ...pairs.flatMap(({ name }) => [`{${name}}`, `{/${name}}`]),
      `{${conditions?.name}:City=Rome}`,
      `{/${conditions?.name}}`,
    ];
    assert.deepEqual(findColored(tags.join(' ')), tags.toSorted());
  });

  it('colors nothing else in the HTML of other projects', () => {
    const others = '{{ list }} {{date}} ${date:1} {name} {list} { if: 1 } {mail} p{color:red} {#if x} {/each} {infos}';
    assert.deepEqual(findColored(others), []);
    assert.deepEqual(findColored('{date:x\n}'), []);
  });
});

describe('The properties of Outlook', () => {
  it('are valid in stylesheets, and in styles of HTML', () => {
    const { contributes } = readJson<{
      readonly contributes: { readonly configurationDefaults: Readonly<Record<string, readonly string[]>> };
    }>('package.json');
    for (const name of ['mso-hide', 'mso-line-height-rule', 'mso-table-lspace', 'mso-table-rspace', 'mso-padding-alt'])
      assert.ok(contributes.configurationDefaults['css.lint.validProperties']?.includes(name), name);
  });
});
