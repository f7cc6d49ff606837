import assert from 'node:assert/strict';
import { compose } from '../../../src/email/compose.ts';
import { refusalOf, shownLength, shownStyleLength } from '../../../src/email/limits.ts';
import { nestsTooDeep, styleRefusalOf } from '../../../src/email/nesting.ts';
import { treeLimit } from '../../../src/email/treeLimit.ts';
import { heavy } from '../../support/hostile/index.ts';

/** What is said of each big e-mail that isn't shown. */
const refused: Readonly<Record<string, RegExp>> = {
  'nested-div': /20002 deep/u,
  'nested-table': /deep/u,
  'nested-stray-ends': /more than 500 deep/u,
  'nested-blocked-ends': /more than 500 deep/u,
  'nested-paragraph-ends': /deep/u,
  'nested-inline': /deep/u,
  'nested-svg': /deep/u,
  formatting: /300 formatting tags/u,
  'formatting-stray-ends': /more than 80000 elements/u,
  attributes: /more than 1000 attributes/u,
  'attributes-body': /more than 1000 attributes/u,
  'attributes-slash': /more than 1000 attributes/u,
  'attributes-quoted': /more than 1000 attributes/u,
  'css-conditions': /brackets of a style/u,
  'css-nesting': /brackets of a style/u,
  'css-nesting-svg': /brackets of a style/u,
  'css-nesting-pasted': /brackets of a style/u,
  quotes: /more than 1000 attributes/u,
};

describe('A big e-mail', () => {
  for (const { id, why, body, stylesheet } of heavy) {
    it(`${refused[id] ? 'is refused in a sentence' : 'is measured, and shown as far as it goes'}: ${id} (${why})`, () => {
      const [html, css] = [body(), stylesheet?.() ?? ''];
      const shown = compose({ body: html.slice(0, shownLength(html)), stylesheet: css.slice(0, shownStyleLength(css)) });
      assert.ok(shown.length < 3 * 1024 * 1024);
      const refusal = refusalOf(shown);
      if (refused[id]) assert.match(refusal ?? '', refused[id]);
      else assert.equal(refusal, undefined);
    });
  }
});

describe('Brackets of a style', () => {
  const deep = 'p{'.repeat(200);
  const cases: readonly (readonly [title: string, css: string, tooDeep: boolean])[] = [
    ['of an ordinary stylesheet', '@media screen { @supports (display: grid) { p:not(:is(a, b)) { color: rgb(1 2 3 / calc(1 * (2 + 3))); } } }\n'.repeat(100), false],
    ['that nest', deep, true],
    ['of functions', ':is('.repeat(200), true],
    ['of each kind in turn', '([{'.repeat(60), true],
    ['closed in a comment', '{/*}*/'.repeat(200), true],
    ['closed in a string', '{"}"'.repeat(200), true],
    ['closed in a string that a line end ends', '{"}\n'.repeat(200), true],
    ['closed after such a string', '{"\n}'.repeat(200), false],
    ['behind an escaped quote', `{content:"\\"";${deep}`, true],
    ['behind a quote in an address', `p{background:url(a"b)}${deep}`, true],
    ['behind a quote in an address written with escapes', `p{background:u\\72 l(a"b)}${deep}`, true],
    ['within a string', `p{content:"${deep}"}`, false],
    ['within a comment', `/*${deep}*/`, false],
    ['within an address', `p{background:url(${deep})}`, false],
    ['that are escaped', '\\{'.repeat(200), false],
    ['behind a comment sign in a string', `a{content:"/*"}${deep}/*"*/`, true],
  ];
  for (const [title, css, tooDeep] of cases) it(`${title}: ${tooDeep ? 'too deep' : 'fine'}`, () => assert.equal(nestsTooDeep(css), tooDeep));

  it('in hundreds of columns are refused, wide ones are not', () => {
    for (const css of ['p{columns:1000}', 'column-count : 999999', 'p{columns: auto 5000 }']) assert.match(styleRefusalOf(css) ?? '', /columns/u);
    for (const css of ['p{columns:3 200px}', 'p{column-width:400px}', 'p{columns:200px}', 'p{column-count:12}', 'p{columns:3;width:900}']) assert.equal(styleRefusalOf(css), undefined, css);
  });
});

describe('The tree of a document', () => {
  it('is measured as the parser makes it', () => {
    const limits = { depth: 50, elements: 500 };
    assert.equal(treeLimit('<p>x</p>'.repeat(100), limits), undefined);
    assert.equal(treeLimit('<div>'.repeat(60), limits), 'depth');
    assert.equal(treeLimit('<x-y><div></x-y></div>'.repeat(60), limits), 'depth');
    assert.equal(treeLimit('<hr>'.repeat(600), limits), 'elements');
    assert.equal(treeLimit(`${Array.from({ length: 40 }, (_, n) => `<b id=${n}></i><p>`).join('')}`, limits), 'elements');
    assert.equal(treeLimit(`<style>${'p{'.repeat(200)}</style>`, limits), 'nesting');
  });

  it('of tag soup that stays flat is shown', () => {
    assert.equal(refusalOf('<table><tr><td><center>x</b></td></tr></table>'.repeat(400)), undefined);
  });
});
