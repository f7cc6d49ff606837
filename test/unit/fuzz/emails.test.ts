import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lensNames, applyLens } from '../../../src/email/lenses/index.ts';
import type { Range } from '../../../src/email/html/text.ts';
import { composeSent, describeComposeError } from '../../../src/email/sent/index.ts';
import { mapTextOffsets } from '../../../src/email/sent/offsetMap.ts';
import { findTextPartProblems } from '../../../src/email/sent/textPart.ts';
import {
  findTagProblems,
  parseTags,
  renderTags,
  tagLanguage,
  type Rendered,
  type Rendering,
  type TagLocation,
} from '../../../src/email/tags/index.ts';
import { randomlyEdited, EDITS_PER_EMAIL, readRealEmails } from './edits.ts';
import { TIMEOUT_MS, createRunOptions } from './setup.ts';

const site = 'https://news.example.org';
const language = tagLanguage('acymailing');
const locations: readonly TagLocation[] = ['body', 'subject', 'preheader', 'headers'];

function assertWithin(text: string, { start, end }: Range) {
  assert.ok(start >= 0 && start <= end && end <= text.length, `${start}–${end} of ${text.length}`);
}

/** Asserts that pieces cover the output without gaps and that copies are unchanged. */
function assertCovered(source: string, { text, pieces }: Rendered) {
  let coveredEnd = 0;
  for (const { start, end, sourceStart, sourceEnd, kind } of pieces) {
    assert.equal(start, coveredEnd);
    assertWithin(source, { start: sourceStart, end: sourceEnd });
    if (kind === 'text') assert.equal(text.slice(start, end), source.slice(sourceStart, sourceEnd));
    coveredEnd = end;
  }
  assert.equal(coveredEnd, text.length);
}

/** `round` counts the bodies, so that slow steps run only in some rounds. */
type Exercise = (body: string, round: number) => void;

const exerciseComposing: Exercise = (body, round) => {
  const email = { body, subject: body.slice(0, 60), preheader: body.slice(-60), headers: body.slice(60, 160) };
  const { html, text, bytes } = composeSent(email, { profile: 'acymailing', site, tracked: true });
  assert.ok(!html.startsWith(describeComposeError('')), html);
  assert.equal(bytes, Buffer.byteLength(html));
  for (const mark of findTextPartProblems(html, site, text)) assertWithin(text, mark);
  if (round % 10 !== 0) return;
  const from = mapTextOffsets(body, text)(text.length >> 1);
  assert.ok(from === undefined || (from >= 0 && from < body.length));
};

const exerciseTags: Exercise = (body, round) => {
  const where = locations[round % locations.length] ?? 'body';
  const person = { id: 1, name: 'Ann', email: 'ann@example.com' };
  const rendering: Rendering = { where, person, now: new Date(0), link: (task) => `${site}/${task}` };
  const tags = parseTags(body, language);
  tags.forEach((tag, index) => {
    for (const at of [tag, tag.nameRange, tag.idRange, ...tag.params]) assertWithin(body, at);
    if (tag.partner !== undefined) assert.equal(tags[tag.partner]?.partner, index);
  });
  assertCovered(body, renderTags(body, language, rendering));
  for (const problem of findTagProblems(body, language, where)) {
    for (const at of [problem, ...problem.fixes.flatMap(({ edits }) => edits)]) assertWithin(body, at);
  }
};

const exerciseLenses: Exercise = (body, round) => {
  const { html } = composeSent({ body }, { profile: round % 4 === 0 ? 'acymailing' : 'documented' });
  const name = lensNames[round % lensNames.length] ?? 'gmail';
  const rendered = applyLens(name, html);
  assertCovered(html, rendered);
  if (round % 10 === 0) assert.deepEqual(applyLens(name, html), rendered);
};

describe('After random edits of each real email', function () {
  this.timeout(TIMEOUT_MS * 10);

  const areas: readonly (readonly [title: string, exercise: Exercise])[] = [
    ['composeSent returns valid ranges', exerciseComposing],
    ['tags are parsed, rendered and checked with valid ranges', exerciseTags],
    ['each lens is deterministic and maps its output to the email', exerciseLenses],
  ];
  for (const [title, exercise] of areas) {
    it(title, function () {
      let round = 0;
      for (const { body } of readRealEmails(this)) {
        fc.assert(
          fc.property(randomlyEdited(body), (text) => exercise(text, (round += 1))),
          { ...createRunOptions(1), numRuns: EDITS_PER_EMAIL },
        );
      }
    });
  }
});
