import assert from 'node:assert/strict';
import { tagLanguage } from '../../../src/email/tags/index.ts';
import { readJson } from '../../support/manifest.ts';

interface Grammar {
  readonly patterns: readonly { readonly match: string }[];
}

const { patterns } = readJson<Grammar>('media/language/tags.tmLanguage.json');
const expressions = patterns.map(({ match }) => new RegExp(match.replace('(?i)', ''), 'giu'));

/** Returns the tags that the grammar colors. */
const findColored = (text: string) =>
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

describe('The grammar of conditional comments', () => {
  interface OutlookGrammar {
    readonly patterns: readonly { readonly match?: string; readonly begin?: string; readonly end?: string }[];
  }
  const grammar = readJson<OutlookGrammar>('media/language/outlook.json');
  /** Returns the matches of the first pattern that matches at the start of a text, and of its end. */
  const findMarkers = (text: string) => {
    for (const { match, begin, end } of grammar.patterns) {
      const compile = (source = '') => new RegExp(source.replace('(?i)', ''), 'iu');
      const [opener, { 0: found, index } = { 0: '', index: -1 }] = [
        match ?? begin,
        compile(match ?? begin).exec(text) ?? undefined,
      ];
      if (opener !== undefined && index === 0)
        return end === undefined ? [found] : [found, compile(end).exec(text.slice(found.length))?.[0] ?? ''];
    }
    return [];
  };

  it('colors what hides code and what reveals it', () => {
    for (const [text, ...markers] of [
      ['<!--[if mso]><b>a</b><![endif]-->', '<!--[if mso]>', '<![endif]-->'],
      ['<!--[IF (gte mso 9)|(IE)]>a<![endif] -->', '<!--[IF (gte mso 9)|(IE)]>', '<![endif] -->'],
      ['<!--[if mso]>a-->b<![endif]-->', '<!--[if mso]>', '-->'],
      ['<!--[if !mso]><!-->a', '<!--[if !mso]><!-->'],
      ['<!--[if !mso]><!-- -->a', '<!--[if !mso]><!-- -->'],
      ['<!--[if !mso]>-->a', '<!--[if !mso]>-->'],
      ['<!--<![endif]-->', '<!--<![endif]-->'],
      ['<![if !mso]>a', '<![if !mso]>'],
      ['<![endif]>', '<![endif]>'],
      ['<!-- if mso -->'],
      ['<!doctype html>'],
    ])
      assert.deepEqual(findMarkers(text ?? ''), markers, text);
  });
});

describe('The data of VML', () => {
  it('describes each element, and the values of attributes', () => {
    const { tags } = readJson<{
      readonly tags: readonly { readonly name: string; readonly description: string }[];
    }>('media/language/outlook.json');
    assert.deepEqual(
      tags.filter(({ name, description }) => !/^[vow]:\w+$/u.test(name) || !description.endsWith('.')),
      [],
    );
    assert.equal(new Set(tags.map(({ name }) => name)).size, tags.length);
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
