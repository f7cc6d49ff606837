import assert from 'node:assert/strict';
import { composeEmail } from '../../../src/email/compose/compose.ts';
import type { DefaultTreeAdapterTypes } from 'parse5';
import { findAddresses, check } from '../../../src/email/checks/index.ts';
import { findImageAddresses } from '../../../src/email/checks/images.ts';
import {
  getDisplayRefusal,
  getDisplayLength,
  getStyleDisplayLength,
  findTreeLimit,
} from '../../../src/email/html/limits.ts';
import { isNestedTooDeep, getStyleRefusal } from '../../../src/email/html/nesting.ts';
import { parseHtml } from '../../../src/email/html/parseHtml.ts';
import { composeSent } from '../../../src/email/sent/index.ts';
import { heavyEmails } from '../../support/hostile/index.ts';

/** Refusal messages of the heavy emails that aren't shown. */
const refusalMessages: Readonly<Record<string, RegExp>> = {
  'nested-div': /20,002 levels/u,
  'nested-table': /too deep/u,
  'nested-stray-ends': /more than 500 levels/u,
  'nested-blocked-ends': /more than 500 levels/u,
  'nested-paragraph-ends': /too deep/u,
  'nested-inline': /too deep/u,
  'nested-svg': /too deep/u,
  formatting: /formatting tags.*300/u,
  'formatting-stray-ends': /more than 80,000/u,
  attributes: /attributes.*more than 1,000/u,
  'attributes-body': /attributes.*more than 1,000/u,
  'attributes-slash': /attributes.*more than 1,000/u,
  'attributes-quoted': /attributes.*more than 1,000/u,
  'css-conditions': /brackets in a style/u,
  'css-nesting': /brackets in a style/u,
  'css-nesting-svg': /brackets in a style/u,
  'css-nesting-pasted': /brackets in a style/u,
  quotes: /attributes.*more than 1,000/u,
};

describe('heavy emails', () => {
  for (const { id, description, body, stylesheet } of heavyEmails) {
    it(`${refusalMessages[id] ? 'are refused with a message' : 'are shown up to the display limit'}: ${id} (${description})`, () => {
      const [html, css] = [body(), stylesheet?.() ?? ''];
      const shown = composeEmail({
        body: html.slice(0, getDisplayLength(html)),
        stylesheet: css.slice(0, getStyleDisplayLength(css)),
      });
      assert.ok(shown.length < 3 * 1024 * 1024);
      const refusal = getDisplayRefusal(shown);
      if (refusalMessages[id]) assert.match(refusal ?? '', refusalMessages[id]);
      else assert.equal(refusal, undefined);
    });
  }
});

describe('bracket nesting of styles', () => {
  const deep = 'p{'.repeat(200);
  const cases: readonly (readonly [title: string, css: string, tooDeep: boolean])[] = [
    [
      'an ordinary stylesheet',
      '@media screen { @supports (display: grid) { p:not(:is(a, b)) { color: rgb(1 2 3 / calc(1 * (2 + 3))); } } }\n'.repeat(
        100,
      ),
      false,
    ],
    ['nested rules', deep, true],
    ['nested functions', ':is('.repeat(200), true],
    ['alternating kinds of brackets', '([{'.repeat(60), true],
    ['brackets closed in a comment', '{/*}*/'.repeat(200), true],
    ['brackets closed in a string', '{"}"'.repeat(200), true],
    ['brackets closed in a string that a line break ends', '{"}\n'.repeat(200), true],
    ['brackets closed after a line break ends a string', '{"\n}'.repeat(200), false],
    ['brackets after an escaped quote', `{content:"\\"";${deep}`, true],
    ['brackets after a quote in a URL', `p{background:url(a"b)}${deep}`, true],
    ['brackets after a quote in an escaped url()', `p{background:u\\72 l(a"b)}${deep}`, true],
    ['brackets in a string', `p{content:"${deep}"}`, false],
    ['brackets in a comment', `/*${deep}*/`, false],
    ['brackets in a URL', `p{background:url(${deep})}`, false],
    ['escaped brackets', '\\{'.repeat(200), false],
    ['brackets after a comment opener in a string', `a{content:"/*"}${deep}/*"*/`, true],
  ];
  for (const [title, css, tooDeep] of cases)
    it(`${title}: ${tooDeep ? 'refuses' : 'accepts'}`, () => assert.equal(isNestedTooDeep(css), tooDeep));

  it('refuses hundreds of columns, but not wide columns', () => {
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

describe('document tree limits', () => {
  it('measure the parsed tree', () => {
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

  it('accept flat tag soup', () => {
    assert.equal(getDisplayRefusal('<table><tr><td><center>x</b></td></tr></table>'.repeat(400)), undefined);
  });
});

/** Repeats a unit with increasing numbers up to a length. */
function repeatNumberedUnit(unit: (n: number) => string, length: number) {
  const parts: string[] = [];
  for (let total = 0; total < length; total += parts.at(-1)?.length ?? 0) parts.push(unit(parts.length));
  return parts.join('');
}

function countNodes(document: DefaultTreeAdapterTypes.Document) {
  let count = 0;
  const waiting: DefaultTreeAdapterTypes.Node[] = [document];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    count += 1;
    if ('content' in node) waiting.push(node.content);
    if ('childNodes' in node) for (const child of node.childNodes) waiting.push(child);
  }
  return count;
}

describe('parseHtml', () => {
  const length = 100_000;
  const shapes: Readonly<Record<string, { readonly html: string; readonly limit?: 'depth' | 'elements' }>> = {
    'unclosed formatting tags': { html: repeatNumberedUnit((n) => `<b a${n}>`, length), limit: 'depth' },
    'formatting tags that each paragraph reopens': {
      html: repeatNumberedUnit((n) => `<b a${n}><p>`, length),
      limit: 'elements',
    },
    'formatting tags that later paragraphs reopen': {
      html: `<p>${repeatNumberedUnit((n) => `<b a${n}>`, 2000)}` + repeatNumberedUnit(() => '<p>x', length),
      limit: 'elements',
    },
    'unclosed formatting tags in table cells': {
      html: repeatNumberedUnit((n) => `<table><td><i a${n}>`, length),
      limit: 'depth',
    },
    'links in links': { html: repeatNumberedUnit((n) => `<a href=${n}><div>`, length), limit: 'depth' },
    'links in tables': { html: repeatNumberedUnit((n) => `<table><a href=${n}>`, length) },
    'end tags of misnested formatting': { html: repeatNumberedUnit((n) => `<b x${n}><i><p></b>`, length) },
    'deep blocks': { html: repeatNumberedUnit(() => '<div>', length), limit: 'depth' },
    'deep blocks with stray end tags': { html: repeatNumberedUnit(() => '<div></x>', length), limit: 'depth' },
    'text before a table': { html: `<table>${repeatNumberedUnit(() => 'x<tr>', length)}` },
    'elements before a table': { html: `<table>${repeatNumberedUnit(() => '<i>x</i><tr>', length)}` },
    'tables in tables': { html: repeatNumberedUnit(() => '<table><tr>x', length) },
    'attributes of one tag': { html: `<p ${repeatNumberedUnit((n) => `a${n} `, length)}>` },
    'attributes of many <html> tags': { html: repeatNumberedUnit((n) => `<html a${n}>`, length) },
    'SVG ended by HTML': { html: repeatNumberedUnit(() => '<svg><g><p>', length) },
    'MathML with HTML': { html: repeatNumberedUnit(() => '<math><mi><div>', length), limit: 'depth' },
    templates: { html: repeatNumberedUnit(() => '<template><td><tr>', length), limit: 'depth' },
    selects: { html: repeatNumberedUnit(() => '<select><option><optgroup>', length), limit: 'depth' },
    framesets: { html: repeatNumberedUnit(() => '<frameset><frame>', length), limit: 'depth' },
  };
  for (const [title, { html, limit }] of Object.entries(shapes)) {
    it(`${limit === undefined ? 'parses everything' : `stops at the limit of ${limit}`}: ${title}`, () => {
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

  it('parses an ordinary email of almost 1 MB', () => {
    const row =
      '<table width="100%" cellpadding="0"><tr><td style="color:#333"><p>Some <b>text</b> and <a href="https://x.example/">a link</a></p></td></tr></table>\n';
    const html = row.repeat((1024 * 1024) / row.length);
    assert.equal(parseHtml(html).limit, undefined);
    assert.equal(getDisplayRefusal(html), undefined);
  });

  it('parses emails of many small elements, also without end tags', () => {
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
      assert.equal(parseHtml(`<table><tr><td>${repeatNumberedUnit(() => unit, 100_000)}`).limit, undefined, unit);
  });

  it('reports a message when a limit is reached', async () => {
    const html = shapes['formatting tags that later paragraphs reopen']?.html ?? '';
    const stray = html.replaceAll(/<b (\w+)>/gu, '<b $1></i>');
    for (const body of [html, stray]) {
      assert.match(check({ body })[0]?.message ?? '', /too large to check\. .{10,}/u);
      assert.ok(composeSent({ body }, { profile: 'acymailing' }).html.includes('<html'));
      assert.deepEqual(findAddresses(body), { addresses: [], skippedCount: 0 });
    }
  });

  it('accepts SVG with hundreds of self-closing tags', () => {
    const html = `<svg>${'<path d="M0 0h1"/>'.repeat(700)}</svg>`;
    assert.equal(getDisplayRefusal(html), undefined);
    assert.deepEqual(
      check({ body: html }).filter(({ rule }) => rule === 'too-large'),
      [],
    );
  });
});
