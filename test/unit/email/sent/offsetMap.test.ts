import assert from 'node:assert/strict';
import { mapSentOffsets } from '../../../../src/email/sent/offsetMap.ts';
import { composeSent } from '../../../../src/email/sent/index.ts';
import { hasReferences, readReferences, site } from '../../../support/sentComparison.ts';

const sentOf = (body: string): string =>
  composeSent({ body, stylesheet: 'p { color: red }' }, { profile: 'acymailing', site }).html;

describe('Places of what is sent', () => {
  const body = `<html><head><style>td { padding: 4px }</style></head><body>
<table><tr><td><p>First &amp; foremost</p></td><td><a href="/shop">To the shop</a></td></tr></table>
<p>Last</p></body></html>`;

  it('lead to the letter of the body, where both have the same text', () => {
    const sent = sentOf(body);
    const { toBody, toSent } = mapSentOffsets(body, sent);
    for (const text of ['To the shop', 'Last']) {
      const [inBody, inSent] = [body.indexOf(text) + 3, sent.lastIndexOf(text) + 3];
      assert.equal(toBody(inSent), inBody, text);
      assert.equal(toSent(inBody), inSent, text);
    }
  });

  it('lead to the beginning of a text that was changed', () => {
    const sent = sentOf(body);
    assert.equal(mapSentOffsets(body, sent).toBody(sent.indexOf('foremost')), body.indexOf('First'));
  });

  it('lead to the element for a place in its tag', () => {
    const sent = sentOf(body);
    assert.equal(mapSentOffsets(body, sent).toBody(sent.indexOf('<a ') + 5), body.indexOf('<a '));
  });

  it('are found behind what only one of them has', () => {
    const more = body.replace('<table>', '<section><p>Only here</p><p>and here</p></section><table>');
    const sent = sentOf(body);
    const { toBody, toSent } = mapSentOffsets(more, sent);
    assert.equal(toBody(sent.lastIndexOf('Last')), more.indexOf('Last'));
    assert.equal(toSent(more.indexOf('Last')), sent.lastIndexOf('Last'));
  });

  it('are unknown in what the service adds', () => {
    assert.equal(mapSentOffsets('', '<p>added</p>').toBody(4), undefined);
    assert.equal(mapSentOffsets('<p>only</p>', '').toSent(4), undefined);
  });

  it('of the corpus lead from each link that was sent to the same link', function () {
    if (!hasReferences) return this.skip();
    let [right, all] = [0, 0];
    for (const { body: written, html } of readReferences()) {
      const { toBody } = mapSentOffsets(written, html);
      for (const { index } of html.slice(0, html.lastIndexOf('</body>')).matchAll(/<(?:a|img) [^>]*>/g)) {
        const name = /^<\w+/.exec(html.slice(index, index + 5))?.[0] ?? '';
        const place = toBody(index + 1);
        all += 1;
        if (place !== undefined && written.slice(place, place + name.length).toLowerCase() === name) right += 1;
      }
    }
    assert.ok(all > 300 && right / all >= 0.98, `${right} of ${all}`);
  });
});
