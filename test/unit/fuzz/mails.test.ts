import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lensNames, applyLens } from '../../../src/email/lenses/index.ts';
import { composeSent, COMPOSE_ERROR_PREFIX } from '../../../src/email/sent/index.ts';
import { findTextPartProblems, mapTextOffsets } from '../../../src/email/sent/textPartProblems.ts';
import { findTagProblems, parseTags, renderTags, tagLanguage } from '../../../src/email/tags/index.ts';
import type { Rendered, Rendering, TextRange, TagLocation } from '../../../src/email/tags/index.ts';
import { editedAtRandom, editsOfEach, realEmails } from './edits.ts';
import { patience, tries } from './setup.ts';

const site = 'https://news.example.org';
const language = tagLanguage('acymailing');
const places: readonly TagLocation[] = ['body', 'subject', 'preheader', 'headers'];

function assertIn(text: string, { start, end }: TextRange): void {
  assert.ok(start >= 0 && start <= end && end <= text.length, `${start}–${end} of ${text.length}`);
}

/** Pieces cover what came out without gaps; what is said to be copied is what stands in the source. */
function assertCovered(source: string, { text, pieces }: Rendered): void {
  let reached = 0;
  for (const { start, end, sourceStart, sourceEnd, kind } of pieces) {
    assert.equal(start, reached);
    assertIn(source, { start: sourceStart, end: sourceEnd });
    if (kind === 'text') assert.equal(text.slice(start, end), source.slice(sourceStart, sourceEnd));
    reached = end;
  }
  assert.equal(reached, text.length);
}

/** What each room makes of a body; `turn` counts the bodies, so that what takes long takes turns. */
type TryOut = (body: string, turn: number) => void;

const tryComposing: TryOut = (body, turn) => {
  const email = { body, subject: body.slice(0, 60), preheader: body.slice(-60), headers: body.slice(60, 160) };
  const { html, text, bytes, dropped } = composeSent(email, { profile: 'acymailing', site, tracked: true });
  assert.ok(!html.startsWith(COMPOSE_ERROR_PREFIX), html);
  assert.equal(bytes, Buffer.byteLength(html));
  for (const { part, ...at } of dropped) assertIn(part === 'stylesheet' ? '' : email[part], at);
  for (const mark of findTextPartProblems(html, site, text)) assertIn(text, mark);
  if (turn % 10 !== 0) return;
  const from = mapTextOffsets(body, text)(text.length >> 1);
  assert.ok(from === undefined || (from >= 0 && from < body.length));
};

const tryTags: TryOut = (body, turn) => {
  const where = places[turn % places.length] ?? 'body';
  const person = { id: 1, name: 'Ann', email: 'ann@example.com' };
  const rendering: Rendering = { where, person, now: new Date(0), link: (task) => `${site}/${task}` };
  const tags = parseTags(body, language);
  tags.forEach((tag, index) => {
    for (const at of [tag, tag.nameRange, tag.idRange, ...tag.params]) assertIn(body, at);
    if (tag.partner !== undefined) assert.equal(tags[tag.partner]?.partner, index);
  });
  assertCovered(body, renderTags(body, language, rendering));
  for (const problem of findTagProblems(body, language, where)) {
    for (const at of [problem, ...problem.fixes.flatMap(({ edits }) => edits)]) assertIn(body, at);
  }
};

const tryLenses: TryOut = (body, turn) => {
  const { html } = composeSent({ body }, { profile: turn % 4 === 0 ? 'acymailing' : 'documented' });
  const name = lensNames[turn % lensNames.length] ?? 'gmail';
  const seen = applyLens(name, html);
  assertCovered(html, seen);
  if (turn % 10 === 0) assert.deepEqual(applyLens(name, html), seen);
};

describe('After random edits of each real email', function () {
  this.timeout(patience * 10);

  const rooms: readonly (readonly [title: string, tryOut: TryOut])[] = [
    ['what is sent is composed, and tells places that are there', tryComposing],
    ['tags are read, rendered and judged at places that are there', tryTags],
    ['each lens gives what comes from the email, the same each time', tryLenses],
  ];
  for (const [title, tryOut] of rooms) {
    it(title, function () {
      let turn = 0;
      for (const { body } of realEmails(this)) {
        fc.assert(
          fc.property(editedAtRandom(body), (text) => tryOut(text, (turn += 1))),
          { ...tries(1), numRuns: editsOfEach },
        );
      }
    });
  }
});
