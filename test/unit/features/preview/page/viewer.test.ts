import assert from 'node:assert/strict';
import {
  isGeneratedLink,
  describeLinkTarget,
  createGeneratedLink,
} from '../../../../../src/features/preview/page/viewer.ts';
import { createRendering, samplePeople, tagLanguage } from '../../../../../src/email/tags/index.ts';

const language = tagLanguage('acymailing');
const to = { ...createRendering(samplePeople()[0]?.person ?? {}), link: createGeneratedLink };

describe('describeLinkTarget', () => {
  it('describes links that the service generates', () => {
    const title = language.pairs.find(({ name }) => name === 'unsubscribe')?.title ?? '?';
    const words = `${title}: the service creates this URL for each recipient`;
    assert.equal(describeLinkTarget('{unsubscribe}{/unsubscribe}', language, to), words);
    assert.equal(describeLinkTarget(createGeneratedLink('unsubscribe'), language, to), words);
    assert.ok(isGeneratedLink(createGeneratedLink('unsubscribe')));
  });

  it('shows the target for the selected person', () => {
    assert.equal(
      describeLinkTarget('https://a.example/?m={subscriber:email}', language, to),
      '→ https://a.example/?m=ann@example.com',
    );
  });

  it('returns undefined for links without supported tags', () => {
    for (const link of ['https://a.example/', '', '{x}', 'mailto:a@b.example'])
      assert.equal(describeLinkTarget(link, language, to), undefined);
  });

  it('accepts any text after the prefix of generated links', () => {
    for (const rest of ['%', '%zz', '%7B', '', 'a b'])
      assert.match(describeLinkTarget(`https://service.invalid/${rest}`, language, to) ?? '', /the service creates/u);
  });
});
