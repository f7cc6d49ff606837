import assert from 'node:assert/strict';
import { mapSentOffsets } from '../../../../src/email/sent/offsetMap.ts';
import { composeSent } from '../../../../src/email/sent/index.ts';
import { hasReferences, readReferences, site } from '../../../support/sentComparison.ts';

const composeHtml = (body: string) =>
  composeSent({ body, stylesheet: 'p { color: red }' }, { profile: 'acymailing', site }).html;

describe('mapSentOffsets', () => {
  const body = `<html><head><style>td { padding: 4px }</style></head><body>
<table><tr><td><p>First &amp; foremost</p></td><td><a href="/shop">To the shop</a></td></tr></table>
<p>Last</p></body></html>`;

  it('maps to the same character if the text is unchanged', () => {
    const sent = composeHtml(body);
    const { toBody, toSent } = mapSentOffsets(body, sent);
    for (const text of ['To the shop', 'Last']) {
      const [inBody, inSent] = [body.indexOf(text) + 3, sent.lastIndexOf(text) + 3];
      assert.equal(toBody(inSent), inBody, text);
      assert.equal(toSent(inBody), inSent, text);
    }
  });

  it('maps to the start of a changed text', () => {
    const sent = composeHtml(body);
    assert.equal(mapSentOffsets(body, sent).toBody(sent.indexOf('foremost')), body.indexOf('First'));
  });

  it('maps an offset in a tag to the start of the element', () => {
    const sent = composeHtml(body);
    assert.equal(mapSentOffsets(body, sent).toBody(sent.indexOf('<a ') + 5), body.indexOf('<a '));
  });

  it('maps offsets after elements that only one side has', () => {
    const more = body.replace('<table>', '<section><p>Only here</p><p>and here</p></section><table>');
    const sent = composeHtml(body);
    const { toBody, toSent } = mapSentOffsets(more, sent);
    assert.equal(toBody(sent.lastIndexOf('Last')), more.indexOf('Last'));
    assert.equal(toSent(more.indexOf('Last')), sent.lastIndexOf('Last'));
  });

  it('returns undefined for elements that the service adds', () => {
    assert.equal(mapSentOffsets('', '<p>added</p>').toBody(4), undefined);
    assert.equal(mapSentOffsets('<p>only</p>', '').toSent(4), undefined);
  });

  it('maps each sent link of the corpus to the same link in the body', function () {
    if (!hasReferences) return this.skip();
    let [right, all] = [0, 0];
    for (const { body: source, html } of readReferences()) {
      const { toBody } = mapSentOffsets(source, html);
      for (const { index } of html.slice(0, html.lastIndexOf('</body>')).matchAll(/<(?:a|img) [^>]*>/g)) {
        const name = /^<\w+/.exec(html.slice(index, index + 5))?.[0] ?? '';
        const offset = toBody(index + 1);
        all += 1;
        if (offset !== undefined && source.slice(offset, offset + name.length).toLowerCase() === name) right += 1;
      }
    }
    assert.ok(all > 300 && right / all >= 0.98, `${right} of ${all}`);
  });
});
