import assert from 'node:assert/strict';
import { parse } from 'parse5';
import type { DefaultTreeAdapterTypes } from 'parse5';
import { getMinSentBytes } from '../../../../src/email/checks/find/size.ts';
import { check } from '../../../../src/email/checks/index.ts';
import type { CheckOptions } from '../../../../src/email/checks/index.ts';
import { GMAIL_CLIP_BYTES } from '../../../../src/email/compose/compose.ts';
import { composeSent } from '../../../../src/email/sent/index.ts';
import { applyFix, corpusBodies, starterBodies } from '../../../support/checks/marked.ts';

const profiles: readonly CheckOptions[] = [{}, { profile: 'acymailing' }];

/** Returns the visible text of an email, without comments, the head and styles. */
function readText(body: string): string {
  let text = '';
  const waiting: DefaultTreeAdapterTypes.ChildNode[] = parse(body).childNodes.toReversed();
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if ('value' in node) text += node.value;
    else if ('childNodes' in node && !['head', 'style', 'script', 'title'].includes(node.nodeName))
      waiting.push(...node.childNodes.toReversed());
  }
  return text.replace(/\s+/gu, ' ').trim();
}

/** Rules whose fix may change visible text: it adds a link, corrects a tag, or reveals hidden content. */
const changesText = new Set(['1', '2', '3', '4', '7', '8', '46']);

describe('fixes on real emails', function () {
  this.timeout(120_000);

  it('keep the visible text', () => {
    for (const [name, body] of [...corpusBodies, ...starterBodies]) {
      const before = readText(body);
      for (const options of profiles) {
        for (const { rule, fixes = [] } of check({ body }, options)) {
          if (changesText.has(rule)) continue;
          for (const fix of fixes)
            assert.equal(readText(applyFix({ body }, fix).body), before, `${name}: rule ${rule}, ${fix.title}`);
        }
      }
    }
  });

  it('never overestimate the minimum sent size', () => {
    for (const body of [
      ...starterBodies.map(([, text]) => text.repeat(Math.ceil((170 * 1024) / text.length))),
      ...corpusBodies.map(([, text]) => text),
    ]) {
      if (getMinSentBytes(body) > GMAIL_CLIP_BYTES)
        assert.ok(composeSent({ body }, { profile: 'acymailing' }).bytes > GMAIL_CLIP_BYTES);
    }
  });
});
