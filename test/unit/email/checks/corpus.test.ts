import assert from 'node:assert/strict';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { getMinSentBytes } from '../../../../src/email/checks/find/size.ts';
import { check, type CheckOptions, type Finding } from '../../../../src/email/checks/index.ts';
import { GMAIL_CLIP_BYTES } from '../../../../src/email/compose/compose.ts';
import { composeSent } from '../../../../src/email/sent/index.ts';
import { applyFix, assertValid, corpusBodies, starterBodies } from '../../../support/checks/marked.ts';

const profiles: readonly (readonly [title: string, options: CheckOptions])[] = [
  ['any service', {}],
  ['AcyMailing', { profile: 'acymailing' }],
];

/** Returns the visible text of an email, without comments, the head and styles. */
function readText(body: string) {
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

for (const [title, options] of profiles) {
  describe(`checks of real emails with ${title}`, function () {
    const findings = new Map<string, readonly Finding[]>();
    const getFindings = (body: string) => findings.get(body) ?? [];
    before(() => {
      for (const [, body] of [...corpusBodies, ...starterBodies]) findings.set(body, check({ body }, options));
    });

    /** Skips a test if there are no real emails. */
    const needCorpus = (test: Mocha.Context) => {
      if (corpusBodies.length > 0) return;
      console.log('      The corpus of real emails is not available.');
      test.skip();
    };

    it('report no errors and a median of at most three warnings', function () {
      needCorpus(this);
      const counts = corpusBodies
        .map(([name, body]) => {
          const errors = getFindings(body).filter(({ severity }) => severity === 'error');
          assert.deepEqual(
            errors.map(({ rule }) => `${name}: ${rule}`),
            [],
          );
          return getFindings(body).filter(({ severity }) => severity === 'warning').length;
        })
        .sort((one, other) => one - other);
      assert.ok((counts[counts.length >> 1] ?? Infinity) <= 3, counts.join(' '));
    });

    it('do not report a finding again after its fix', function () {
      needCorpus(this);
      for (const [name, body] of corpusBodies) {
        assertValid({ body }, getFindings(body));
        for (const { rule, message, fixes = [] } of getFindings(body)) {
          for (const fix of fixes) {
            const left = check(applyFix({ body }, fix), options).filter(
              (finding) => finding.rule === rule && finding.message === message,
            );
            assert.deepEqual(
              left.map(({ start }) => start),
              [],
              `${name}: rule ${rule} is found again`,
            );
          }
        }
      }
    });

    it('have fixes that keep the visible text', () => {
      for (const [name, body] of [...corpusBodies, ...starterBodies]) {
        const before = readText(body);
        for (const { rule, fixes = [] } of getFindings(body)) {
          if (changesText.has(rule)) continue;
          for (const fix of fixes)
            assert.equal(readText(applyFix({ body }, fix).body), before, `${name}: rule ${rule}, ${fix.title}`);
        }
      }
    });
  });
}

it('The minimum sent size is never overestimated', () => {
  for (const body of [
    ...starterBodies.map(([, text]) => text.repeat(Math.ceil((170 * 1024) / text.length))),
    ...corpusBodies.map(([, text]) => text),
  ]) {
    if (getMinSentBytes(body) > GMAIL_CLIP_BYTES)
      assert.ok(composeSent({ body }, { profile: 'acymailing' }).bytes > GMAIL_CLIP_BYTES);
  }
});
