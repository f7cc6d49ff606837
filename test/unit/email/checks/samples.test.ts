import assert from 'node:assert/strict';
import { readBlocks } from '../../../../scripts/lib/blocks.mjs';
import samples from '../../../../src/email/checks/data/samples.json' with { type: 'json' };
import { readDocument } from '../../../../src/email/checks/document.ts';
import { check } from '../../../../src/email/checks/index.ts';
import { expandSnippet } from '../../../../src/email/compose/blocks.ts';
import { findRuleFindings, starterBodies } from '../../../support/checks/marked.ts';
import { readJson } from '../../../support/manifest.ts';

const blocks = readBlocks().map(({ snippet }) => expandSnippet(snippet));
const starters =
  readJson<readonly { readonly subject: string; readonly preheader: string }[]>('media/starters/index.json');

describe('The texts of samples', () => {
  it('are in a starter or a block', () => {
    const texts = [...starterBodies.map(([, body]) => body), ...blocks].flatMap((body) => {
      const { elements, texts: nodes } = readDocument(body);
      return [...nodes.map(({ value }) => value), ...elements.map((element) => element.get('alt') ?? '')];
    });
    const fields = starters.flatMap(({ subject, preheader }) => [subject, preheader]);
    // The text of a condition has its tags around it, until it is edited.
    const all = [...texts, ...fields].map((text) =>
      text.replace(/\{\/?if[^}]*\}|[\s\u200B-\u200D]+/gu, (found) => (found.startsWith('{') ? '' : ' ')).trim(),
    );
    assert.deepEqual(
      samples.filter((sample) => !all.includes(sample)),
      [],
    );
  });

  it('recognize every starter by its text and by its addresses', () => {
    for (const [name, body] of starterBodies) {
      const messages = findRuleFindings('58', { body }).map(({ message }) => message);
      assert.ok(
        messages.some((message) => message.startsWith('Sample text')),
        name,
      );
      if (body.includes('https://'))
        assert.ok(
          messages.some((message) => message.startsWith('Sample URL')),
          name,
        );
    }
  });
});

describe('An email that is about to be sent', () => {
  it('has warnings for what is left of a draft, unless the user chose a severity', () => {
    const email = { body: '<html lang="en"><body><p>Lorem ipsum</p><script>1</script></body></html>' };
    const getSeverities = (options: Parameters<typeof check>[1]) =>
      ['58', '27'].map(
        (rule) => check(email, { profile: 'acymailing', ...options }).find((found) => found.rule === rule)?.severity,
      );
    assert.deepEqual(getSeverities({}), ['info', 'info']);
    assert.deepEqual(getSeverities({ isForSending: true }), ['warning', 'warning']);
    assert.deepEqual(getSeverities({ isForSending: true, rules: { 'sample-content': 'off', 27: 'hint' } }), [
      undefined,
      'hint',
    ]);
  });
});
