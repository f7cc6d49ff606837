import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from 'parse5';
import type { DefaultTreeAdapterTypes } from 'parse5';
import { getMinSentBytes } from '../../../../src/email/checks/find/size.ts';
import { check, checkRules } from '../../../../src/email/checks/index.ts';
import type { CheckOptions } from '../../../../src/email/checks/index.ts';
import { GMAIL_CLIP_BYTES } from '../../../../src/email/compose/compose.ts';
import { measureSentBytes } from '../../../../src/email/sent/index.ts';
import { applied } from '../../../support/checks/marked.ts';

const corpus = new URL('../../../../../shared/corpus/', import.meta.url);
const starters = new URL('../../../../media/starters/', import.meta.url);
const profiles: readonly CheckOptions[] = [{}, { profile: 'acymailing' }];
const textsIn = (folder: URL): readonly (readonly [name: string, body: string])[] =>
  !existsSync(folder)
    ? []
    : readdirSync(folder)
        .filter((name) => name.endsWith('.html'))
        .map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]);

/** What a reader reads of an email, where all clients show it: its text, without what is in comments, the head and styles. */
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

/** Rules whose fix is meant to change what is read: a link is added, a tag is mended, what markers hid comes to light. */
const changesText = new Set(checkRules.filter((rule) => rule.changesText).map(({ id }) => id));

describe('Findings on real emails', function () {
  this.timeout(120_000);

  it('come with fixes that leave what is read as it is', () => {
    for (const [name, body] of [...textsIn(corpus), ...textsIn(starters)]) {
      const before = readText(body);
      for (const options of profiles) {
        for (const { rule, fixes = [] } of check({ body }, options)) {
          if (changesText.has(rule)) continue;
          for (const fix of fixes)
            assert.equal(readText(applied({ body }, fix).body), before, `${name}: rule ${rule}, ${fix.title}`);
        }
      }
    }
  });

  it('say of no email that it is too large that goes out smaller', () => {
    const all = textsIn(starters).map(([, body]) => body);
    for (const body of [
      ...all.map((text) => text.repeat(Math.ceil((170 * 1024) / text.length))),
      ...textsIn(corpus).map(([, text]) => text),
    ]) {
      if (getMinSentBytes(body) > GMAIL_CLIP_BYTES)
        assert.ok(measureSentBytes({ body }, { profile: 'acymailing' }) > GMAIL_CLIP_BYTES);
    }
  });
});
