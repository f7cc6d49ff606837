import assert from 'node:assert/strict';
import { checkParts, findUpdatedParts, withLineEnds } from '../../../../src/sync/parts/check.ts';

const wrap = (name: string, content: string) => `<!-- part: ${name} -->${content}<!-- /part -->`;
const fill = (name: string, content: string) => `<!-- slot: ${name} -->${content}<!-- /slot -->`;
const parts = { layout: `<p>${fill('content', '')}</p>`, button: '<b>new</b>' };
const getUses = (text: string) =>
  checkParts(text, parts).uses.map(({ name, isOutdated }) => `${name}${isOutdated ? ' is outdated' : ''}`);
const getRules = (text: string, own: Readonly<Record<string, string>> = parts) =>
  checkParts(text, own).findings.map(({ rule }) => rule);

describe('Checking linked parts', () => {
  it('reports the part that is out of date, and not the parts around it', () => {
    const inLayout = (start: string, button: string) =>
      wrap('layout', `${start}${fill('content', wrap('button', button))}</p>`);
    assert.deepEqual(getUses(inLayout('<p>', '<b>new</b>')), ['layout', 'button']);
    assert.deepEqual(getUses(inLayout('<p>', 'old')), ['layout', 'button is outdated']);
    assert.deepEqual(getUses(inLayout('<i>', '<b>new</b>')), ['layout is outdated', 'button']);
    assert.deepEqual(getUses(inLayout('<i>', 'old')), ['layout is outdated', 'button is outdated']);
  });

  it('reports a part that contains itself, and one that makes the text too long, without changes', () => {
    assert.deepEqual(getRules(wrap('a', 'x'), { a: wrap('b', ''), b: wrap('a', '') }), ['part-broken']);
    const uses = wrap('a', '').repeat(1000);
    const { findings } = checkParts(uses, { a: 'x'.repeat(1024 * 1024) });
    assert.deepEqual(
      findings.map(({ rule, message }) => `${rule} ${message.slice(0, 20)}`),
      ['part-broken Nothing was changed:'],
    );
  });

  it('takes the line ends of the email, unless it has both kinds', () => {
    const email = wrap('f', '<b>\r\n</b>');
    for (const text of ['<b>\n</b>', '<b>\r\n</b>'])
      assert.deepEqual(getRules(email, withLineEnds({ f: text }, email)), []);
    assert.deepEqual(withLineEnds({ f: 'a\r\nb' }, 'x\ny'), { f: 'a\nb' });
    for (const text of ['x\r\ny\nz', 'x']) assert.deepEqual(withLineEnds({ f: 'a\r\nb\nc' }, text), { f: 'a\r\nb\nc' });
  });

  it('finds the parts whose update is all that changed', () => {
    const [before, after] = [`a\r\n${wrap('button', 'old')}`, `a\r\n${wrap('button', '<b>new</b>')}`];
    const find = (one: string, other: string) => findUpdatedParts(one, other, parts);
    assert.deepEqual(find(before + before, after + after), ['button']);
    assert.deepEqual(
      find(wrap('layout', fill('content', before)), wrap('layout', `<p>${fill('content', after)}</p>`)),
      [...['button', 'layout']],
    );
    for (const other of [`b${after}`, before, after + before]) assert.deepEqual(find(before, other), []);
    assert.deepEqual(find(after, after), []);
  });

  it('bounds its work for thousands of nested and open marks', () => {
    const texts = [
      '<!-- part: button -->'.repeat(20_000),
      `${'<!-- part: layout --><!-- slot: content -->'.repeat(90)}x${'<!-- /slot --><!-- /part -->'.repeat(90)}`.repeat(
        50,
      ),
      wrap('layout', fill('content', wrap('button', 'old'))).repeat(5000),
    ];
    for (const text of texts) assert.ok(checkParts(text, parts).findings.length > 0);
  });
});
