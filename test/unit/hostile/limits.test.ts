import assert from 'node:assert/strict';
import { composeEmail } from '../../../src/email/compose/compose.ts';
import type { DefaultTreeAdapterTypes } from 'parse5';
import { findAddresses, check } from '../../../src/email/checks/index.ts';
import { findImageAddresses } from '../../../src/email/checks/images.ts';
import { getDisplayRefusal, getDisplayLength, getStyleDisplayLength } from '../../../src/email/html/limits.ts';
import { isNestedTooDeep, getStyleRefusal } from '../../../src/email/html/nesting.ts';
import { getLimitMessage, parseHtml } from '../../../src/email/html/parseHtml.ts';
import { findTreeLimit } from '../../../src/email/html/treeLimit.ts';
import { composeSent } from '../../../src/email/sent/index.ts';
import { toPlainText } from '../../../src/service/sandbox/plainText.ts';
import { heavy } from '../../support/hostile/index.ts';

/** What is said of each big email that isn't shown. */
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

describe('A big email', () => {
  for (const { id, why, body, stylesheet } of heavy) {
    it(`${refused[id] ? 'is refused in a sentence' : 'is measured, and shown as far as it goes'}: ${id} (${why})`, () => {
      const [html, css] = [body(), stylesheet?.() ?? ''];
      const shown = composeEmail({
        body: html.slice(0, getDisplayLength(html)),
        stylesheet: css.slice(0, getStyleDisplayLength(css)),
      });
      assert.ok(shown.length < 3 * 1024 * 1024);
      const refusal = getDisplayRefusal(shown);
      if (refused[id]) assert.match(refusal ?? '', refused[id]);
      else assert.equal(refusal, undefined);
    });
  }
});

describe('Brackets of a style', () => {
  const deep = 'p{'.repeat(200);
  const cases: readonly (readonly [title: string, css: string, tooDeep: boolean])[] = [
    [
      'of an ordinary stylesheet',
      '@media screen { @supports (display: grid) { p:not(:is(a, b)) { color: rgb(1 2 3 / calc(1 * (2 + 3))); } } }\n'.repeat(
        100,
      ),
      false,
    ],
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
  for (const [title, css, tooDeep] of cases)
    it(`${title}: ${tooDeep ? 'too deep' : 'fine'}`, () => assert.equal(isNestedTooDeep(css), tooDeep));

  it('in hundreds of columns are refused, wide ones are not', () => {
    for (const css of ['p{columns:1000}', 'column-count : 999999', 'p{columns: auto 5000 }'])
      assert.match(getStyleRefusal(css) ?? '', /columns/u);
    for (const css of [
      'p{columns:3 200px}',
      'p{column-width:400px}',
      'p{columns:200px}',
      'p{column-count:12}',
      'p{columns:3;width:900}',
    ])
      assert.equal(getStyleRefusal(css), undefined, css);
  });
});

describe('The tree of a document', () => {
  it('is measured as the parser makes it', () => {
    const limits = { depth: 50, elements: 500 };
    assert.equal(findTreeLimit('<p>x</p>'.repeat(100), limits), undefined);
    assert.equal(findTreeLimit('<div>'.repeat(60), limits), 'depth');
    assert.equal(findTreeLimit('<x-y><div></x-y></div>'.repeat(60), limits), 'depth');
    assert.equal(findTreeLimit('<hr>'.repeat(600), limits), 'elements');
    assert.equal(
      findTreeLimit(`${Array.from({ length: 40 }, (_, n) => `<b id=${n}></i><p>`).join('')}`, limits),
      'elements',
    );
    assert.equal(findTreeLimit(`<style>${'p{'.repeat(200)}</style>`, limits), 'nesting');
  });

  it('of tag soup that stays flat is shown', () => {
    assert.equal(getDisplayRefusal('<table><tr><td><center>x</b></td></tr></table>'.repeat(400)), undefined);
  });
});

/** Returns a unit with rising numbers, repeated up to a number of characters. */
function repeated(unit: (n: number) => string, length: number): string {
  const parts: string[] = [];
  for (let total = 0; total < length; total += parts.at(-1)?.length ?? 0) parts.push(unit(parts.length));
  return parts.join('');
}

function countNodes(document: DefaultTreeAdapterTypes.Document): number {
  let count = 0;
  const waiting: DefaultTreeAdapterTypes.Node[] = [document];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    count += 1;
    if ('content' in node) waiting.push(node.content);
    if ('childNodes' in node) for (const child of node.childNodes) waiting.push(child);
  }
  return count;
}

describe('The parser', () => {
  const length = 100_000;
  const shapes: Readonly<Record<string, { readonly html: string; readonly limit?: 'depth' | 'elements' }>> = {
    'formatting tags that are never closed': { html: repeated((n) => `<b a${n}>`, length), limit: 'depth' },
    'formatting tags that each paragraph reopens': { html: repeated((n) => `<b a${n}><p>`, length), limit: 'elements' },
    'formatting tags that later paragraphs reopen': {
      html: `<p>${repeated((n) => `<b a${n}>`, 2000)}` + repeated(() => '<p>x', length),
      limit: 'elements',
    },
    'formatting tags that a cell holds back': { html: repeated((n) => `<table><td><i a${n}>`, length), limit: 'depth' },
    'links in links': { html: repeated((n) => `<a href=${n}><div>`, length), limit: 'depth' },
    'links in tables': { html: repeated((n) => `<table><a href=${n}>`, length) },
    'end tags of moved formatting': { html: repeated((n) => `<b x${n}><i><p></b>`, length) },
    'deep blocks': { html: repeated(() => '<div>', length), limit: 'depth' },
    'deep blocks with stray end tags': { html: repeated(() => '<div></x>', length), limit: 'depth' },
    'text before a table': { html: `<table>${repeated(() => 'x<tr>', length)}` },
    'elements before a table': { html: `<table>${repeated(() => '<i>x</i><tr>', length)}` },
    'tables in tables': { html: repeated(() => '<table><tr>x', length) },
    'attributes of one tag': { html: `<p ${repeated((n) => `a${n} `, length)}>` },
    'attributes of many <html> tags': { html: repeated((n) => `<html a${n}>`, length) },
    'drawings that HTML ends': { html: repeated(() => '<svg><g><p>', length) },
    'formulas with HTML': { html: repeated(() => '<math><mi><div>', length), limit: 'depth' },
    templates: { html: repeated(() => '<template><td><tr>', length), limit: 'depth' },
    selects: { html: repeated(() => '<select><option><optgroup>', length), limit: 'depth' },
    framesets: { html: repeated(() => '<frameset><frame>', length), limit: 'depth' },
  };
  for (const [title, { html, limit }] of Object.entries(shapes)) {
    it(`${limit === undefined ? 'reads all' : `stops at the limit of ${limit}`}: ${title}`, () => {
      const parsed = parseHtml(html);
      assert.equal(parsed.limit, limit);
      assert.ok(countNodes(parsed.document) < length);
      assert.doesNotThrow(() => findImageAddresses(html, 'html'));
      assert.deepEqual(
        findAddresses(html).addresses.filter(({ url }) => url === ''),
        [],
      );
    });
  }

  it('reads an ordinary email of almost 1 MB', () => {
    const row =
      '<table width="100%" cellpadding="0"><tr><td style="color:#333"><p>Some <b>text</b> and <a href="https://x.example/">a link</a></p></td></tr></table>\n';
    const html = row.repeat((1024 * 1024) / row.length);
    assert.equal(parseHtml(html).limit, undefined);
    assert.equal(getDisplayRefusal(html), undefined);
  });

  it('reads emails of nothing but small elements, also where end tags are left out', () => {
    const units = [
      '<p>x</p>',
      '<br>',
      '<p>x',
      '<td>x',
      '<li>x',
      '<table><td>x</table>',
      '<font color=red>x<p>',
      '<p><o:p/>x</o:p></p>',
      '</p>',
    ];
    for (const unit of units)
      assert.equal(parseHtml(`<table><tr><td>${repeated(() => unit, 100_000)}`).limit, undefined, unit);
  });

  it('answers in words where a limit is reached', async () => {
    const html = shapes['formatting tags that later paragraphs reopen']?.html ?? '';
    const stray = html.replaceAll(/<b (\w+)>/gu, '<b $1></i>');
    for (const body of [html, stray]) {
      assert.match(check({ body })[0]?.message ?? '', /too large to check: .{10,}/u);
      assert.ok(composeSent({ body }, { profile: 'acymailing' }).html.includes('<html'));
      assert.deepEqual(findAddresses(body), { addresses: [], skippedCount: 0 });
      assert.ok((await toPlainText(body)).endsWith(`${getLimitMessage('elements')}\n`));
    }
  });

  it('lets drawings have hundreds of tags that close themselves', () => {
    const html = `<svg>${'<path d="M0 0h1"/>'.repeat(700)}</svg>`;
    assert.equal(getDisplayRefusal(html), undefined);
    assert.deepEqual(
      check({ body: html }).filter(({ rule }) => rule === 'too-large'),
      [],
    );
  });
});
