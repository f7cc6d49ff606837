import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  createPlaceholderGuard,
  findLostPlaceholder,
  findPlaceholderAt,
  findPlaceholders,
} from '../../../../src/email/compose/placeholders.ts';
import { applyEdits } from '../../../../src/email/html/text.ts';

interface Case {
  readonly case: string;
  readonly in: string;
  readonly sent: string;
}

const file = new URL('../../../support/cases/placeholders.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { readonly cases: readonly Case[] };

/** Returns the states of the placeholders. */
const read = (html: string) => findPlaceholders(html).map(({ state }) => state);

const row = (tag: string, end = '<i></i></td></tr>') => `<tr ${tag}><td><p>x</p>${end}`;
const tagged = 'data-dynamic="{post:1}" class="a"';

describe('Placeholders of the visual editor', () => {
  for (const { case: title, in: html, sent } of cases) {
    it(title, () => {
      const [first, ...others] = findPlaceholders(`<table>${html}</table>`);
      const isReplaced = !/data-dynamic=/.test(sent);
      // If the service found the end too late, it replaced the placeholder and deleted text.
      const isDeleted = /Text between|Italic end/.test(html) && !/Text between|Italic end/.test(sent);
      assert.equal(first?.state, isDeleted ? 'late' : isReplaced ? 'whole' : 'unreplaced');
      assert.ok(others.every(({ state }) => state === 'whole'));
      const repaired = applyEdits(`<table>${html}</table>`, first.repair);
      assert.ok(
        read(repaired).every((state) => state === 'whole'),
        repaired,
      );
      assert.equal(first.repair.length > 0, first.state !== 'whole');
    });
  }

  it('reports where the tag, the start tag and the element end', () => {
    const html = `<table>${row(tagged)}<tr><td>y</td></tr></table>`;
    const [{ start = 0, end = 0, openEnd = 0, tag = { start: 0, end: 0 }, kind } = {}] = findPlaceholders(html);
    assert.equal(html.slice(start, end), row(tagged));
    assert.equal(html.slice(start, openEnd), `<tr ${tagged}>`);
    assert.equal(html.slice(tag.start, tag.end), '{post:1}');
    assert.equal(kind, 'row');
  });

  it('finds the innermost placeholder around an offset', () => {
    const html = `<table>${row(tagged, '<span data-dynamic="{date:0}">D<em></em></span><i></i></td></tr>')}</table>`;
    const placeholders = findPlaceholders(html);
    const find = (text: string) => findPlaceholderAt(placeholders, html.indexOf(text))?.kind;
    assert.deepEqual(['<tr', 'x', '<span', 'D<em', '<i>', '</table'].map(find), [
      ...['row', 'row', 'span', 'span', 'row', undefined],
    ]);
  });

  it('needs double quotes, a cell, and plain attributes in rows', () => {
    for (const html of [
      row(tagged),
      row('data-dynamic="%7Bpost:1%7D" class="a"'),
      `<table>\n<tr ${tagged}>\n<td>x<i>y</i>\n</td>\n</tr>\n</table>`,
    ])
      assert.deepEqual(read(html), ['whole'], html);
    for (const html of [
      row("data-dynamic='{post:1}' class='a'"),
      row('data-dynamic={post:1} class=a'),
      row('data-dynamic = "{post:1}" class="a"'),
      row(`title="a>b" ${tagged}`),
      `<tr ${tagged}><th>x<i></i></td></tr>`,
      `<tr ${tagged}><!-- x --><td>x<i></i></td></tr>`,
    ])
      assert.deepEqual(read(html), ['unreplaced'], html);
    assert.deepEqual(read('<tr data-dynamic="" class="a"><td></td></tr><p data-dynamic="{post:1}">x</p>'), []);
    assert.deepEqual(read("<span data-dynamic='{subscriber:name}'>x<em></em></span>"), ['whole']);
  });

  it('restores quotes', () => {
    const html = row("data-dynamic='{post:1}'", '</td></tr>');
    const [placeholder] = findPlaceholders(html);
    assert.deepEqual(read(applyEdits(html, placeholder?.repair ?? [])), ['whole']);
    assert.deepEqual(findPlaceholders(row(`data-dynamic='{post:1|wrap:"x"}' class='a'`))[0]?.repair, []);
  });

  it('ends with its own element, and early in nested content', () => {
    assert.deepEqual(read(`<table>${row(tagged, '')}${row(tagged)}</table>`), ['late', 'whole']);
    const inner = '<table><tr><td><i>x</i></td></tr></table>';
    assert.deepEqual(read(`<table><tr ${tagged}><td>${inner}<i></i></td></tr></table>`), ['early']);
    assert.deepEqual(read('<span data-dynamic="{date:1}">a<span>b<em></em></span>c<em></em></span>'), ['early']);
    assert.deepEqual(read('<p><span data-dynamic="{date:1}">a</p><p><span>b<em></em></span></p>'), ['late']);
  });

  it('guards every byte, and finds what a text has lost', () => {
    const html = `<table>${row(tagged)}${row(tagged)}</table>`;
    const touches = createPlaceholderGuard(findPlaceholders(html));
    const [first, second] = findPlaceholders(html);
    assert.ok(first && second);
    for (const at of [0, first.start, second.start, second.end])
      assert.ok(!touches({ start: at, end: at }), String(at));
    for (const at of [first.start + 1, first.end - 1, second.start + 9]) assert.ok(touches({ start: at, end: at }));
    assert.ok(touches({ start: 0, end: html.length }));
    assert.equal(findLostPlaceholder(html, html.replaceAll('<table>', '<table >')), undefined);
    assert.equal(findLostPlaceholder(html, html.replace('<p>x</p>', '<p>y</p>')), row(tagged));
    assert.equal(findLostPlaceholder(html, row(tagged)), row(tagged));
  });

  it('ends for absurd texts', () => {
    for (const html of [
      row(tagged).repeat(10_000),
      row(tagged, '').repeat(10_000),
      '<table><tr data-dynamic="{post:1}" class="a"><td>'.repeat(10_000),
      '<span data-dynamic="{date:1}">'.repeat(20_000),
      `${'<span>'.repeat(20_000)}${'<tr></tr></p></td>'.repeat(20_000)} data-dynamic`,
      `${'</i></td>'.repeat(50_000)}<tr data-dynamic="{`,
    ]) {
      const placeholders = findPlaceholders(html);
      assert.ok(
        placeholders.every(
          ({ start, end, openEnd, replacedEnd }) => start < openEnd && openEnd <= end && replacedEnd >= openEnd,
        ),
      );
    }
  });
});
