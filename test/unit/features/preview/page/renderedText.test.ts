import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { applyChange, findChange } from '../../../../../src/email/html/text.ts';
import { RenderedText } from '../../../../../src/features/preview/page/renderedText.ts';
import { createGeneratedLink } from '../../../../../src/features/preview/page/viewer.ts';
import { createRendering, renderTags, samplePeople, tagLanguage } from '../../../../../src/email/tags/index.ts';
import { randomFrom } from '../../../email/tags/setup.ts';

const to = { ...createRendering(samplePeople()[0]?.person ?? {}), link: createGeneratedLink };
const render = (text: string) => renderTags(text, tagLanguage('acymailing'), to);
describe('RenderedText', () => {
  it('maps offsets between source and rendered text in both directions', () => {
    const source = '<p>Dear {subscriber:name}, welcome</p>';
    const body = new RenderedText(source, render);
    assert.equal(body.text, '<p>Dear Ann Marie O’Neil, welcome</p>');
    assert.equal(body.toSource(body.text.indexOf('welcome')), source.indexOf('welcome'));
    assert.equal(body.toRendered(source.indexOf('welcome')), body.text.indexOf('welcome'));
    assert.equal(body.toSource(body.text.indexOf('Marie')), source.indexOf('{'));
    assert.equal(body.toRendered(source.indexOf('name}')), body.text.indexOf('Ann'));
    assert.equal(body.toSource(body.text.length), source.length);
  });

  it('applies edits between tags without rendering again', () => {
    let renderings = 0;
    const body = new RenderedText('{subscriber:name}: hello {subscriber:email}', (text) => {
      renderings += 1;
      return render(text);
    });
    const change = body.change({ offset: 21, length: 0, text: 'xy' });
    assert.equal(body.text, 'Ann Marie O’Neil: hexyllo ann@example.com');
    assert.deepEqual(change, { offset: 20, length: 0, text: 'xy' });
    assert.equal(renderings, 1);
    assert.equal(body.toSource(body.text.indexOf('ann@')), 27);
    body.change({ offset: 5, length: 0, text: 'x' });
    assert.equal(renderings, 2);
  });

  const starters = ['welcome', 'newsletter'].map((name) =>
    readFileSync(new URL(`../../../../../media/starters/${name}.html`, import.meta.url), 'utf8'),
  );
  const texts = [
    '<p>Hi {subscriber:name|default:friend},</p>{if:name=x}<b>one</b>{/if}<a href="{unsubscribe}{/unsubscribe}">leave</a>',
    '{if:City!=Rome}a{if:name~Ann}b {unsubscribe}go{/unsubscribe} c{/if}d{/if} 100% %7Bsubscriber%3Aname%7D {rand:a;b}',
    'a<span title="{date:Y}">b<em>c</em></span> <img src="{list:name}"> <a class="x">{unsubscribe}y z{/unsubscribe}</a>',
    ...starters,
  ];
  const insertions = [
    'a',
    'word ',
    '{',
    '}',
    '{subscriber:name}',
    '{/if}',
    '{if:name=x}',
    '%7B',
    '7B',
    'B',
    '%',
    ':',
    '|',
    '\n',
    '<b>',
    '>',
    '"',
    ' ',
    '<a ',
    '</em></span>',
    '{unsubscribe}',
    '{/unsubscribe}',
    '0',
  ];

  it('equals a fresh rendering after random edits, and returns the matching changes', () => {
    const random = randomFrom(7);
    const below = (limit: number) => Math.floor(random() * limit);
    for (const text of texts) {
      for (let run = 0; run < 20; run += 1) {
        let source = text;
        const body = new RenderedText(source, render);
        let shown = body.text;
        for (let edit = 0; edit < 40; edit += 1) {
          const offset = below(source.length + 1);
          const change = {
            offset,
            length: below(4) === 0 ? Math.min(below(6), source.length - offset) : 0,
            text: insertions[below(insertions.length)] ?? '',
          };
          source = applyChange(source, change);
          shown = applyChange(shown, body.change(change));
          const fresh = render(source);
          assert.equal(body.text, fresh.text, JSON.stringify({ change, source }));
          assert.equal(shown, body.text);
        }
      }
    }
  });

  it('finds the single changed range between two texts', () => {
    assert.deepEqual(findChange('abc', 'axc'), { offset: 1, length: 1, text: 'x' });
    assert.deepEqual(findChange('aa', 'aaa'), { offset: 2, length: 0, text: 'a' });
  });
});
