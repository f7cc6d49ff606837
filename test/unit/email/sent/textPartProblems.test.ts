import assert from 'node:assert/strict';
import { composeSent } from '../../../../src/email/sent/index.ts';
import { mapTextOffsets } from '../../../../src/email/sent/offsetMap.ts';
import { findTextPartProblems } from '../../../../src/email/sent/textPart.ts';
import { hasReferences, readReferences, site } from '../../../support/sentComparison.ts';

function marked(body: string) {
  const { html, text } = composeSent({ body }, { profile: 'acymailing', site });
  const marks = findTextPartProblems(html, `${site}/`, text).map(
    ({ kind, start, end }) => `${kind}: ${text.slice(start, end)}`,
  );
  return { text, marks, body };
}

describe('findTextPartProblems', () => {
  const cases: readonly (readonly [title: string, body: string, ...marks: string[]])[] = [
    ['words that join because only a line break separated them', '<p>one two\nthree four</p>', 'joined: twothree'],
    [
      'links that join because only a line break separated them',
      '<p><a href="https://a.example/">Home</a>\n<span>About</span></p>',
      'joined: )About',
    ],
    ['nothing if a space or a tag separates the words', '<p>one \n two</p>\n<p>three</p><!-- a\nb -->'],
    [
      'a link whose text is its URL',
      '<p><a href="https://shop.example/">shop.example</a> <a href="https://a.example/">here</a></p>',
      'twice: shop.example ( https://shop.example/ )',
    ],
    ['each of several problems', '<p>a1\nb1 c1\nd1</p><p>e1\nf1</p>', 'joined: a1b1', 'joined: c1d1', 'joined: e1f1'],
  ];
  for (const [title, body, ...marks] of cases)
    it(`reports ${title}`, () => assert.deepEqual(marked(body).marks, marks));

  it('reports nothing if the text and the HTML belong to different emails', () => {
    assert.deepEqual(findTextPartProblems('<p>one\ntwo</p>', undefined, 'something else'), []);
  });

  it('mapTextOffsets maps to the word in the body', () => {
    const { text, body } = marked(
      '<h1>Big news</h1><p>Read <b>all</b> of it <a href="https://a.example/x">here</a>, friend</p>',
    );
    const offset = mapTextOffsets(body, text);
    for (const word of ['Big', 'all', 'here', 'friend'])
      assert.equal(offset(text.indexOf(word)), body.indexOf(word), word);
  });

  it('returns valid ranges for the sent text parts of the corpus', function () {
    if (!hasReferences) return this.skip();
    let [mapped, all] = [0, 0];
    for (const { body, html, text } of readReferences()) {
      const offset = mapTextOffsets(body, text);
      for (const { 0: word, index } of text.matchAll(/[A-Za-z]{6,}/g)) {
        if (/https?:\S*$/.test(text.slice(Math.max(0, index - 200), index))) continue;
        const at = offset(index);
        all += 1;
        if (at !== undefined && body.slice(at, at + 60).includes(word)) mapped += 1;
      }
      for (const { start, end } of findTextPartProblems(html, `${site}/`, text))
        assert.ok(start < end && end <= text.length);
    }
    assert.ok(all > 1000 && mapped / all >= 0.95, `${mapped} of ${all}`);
  });
});
