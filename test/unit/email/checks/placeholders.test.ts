import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { check, runChecks, type Finding } from '../../../../src/email/checks/index.ts';
import { findPlaceholders } from '../../../../src/email/compose/placeholders.ts';

interface Case {
  readonly case: string;
  readonly in: string;
  readonly sent: string;
}

const file = new URL('../../../support/cases/placeholders.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { readonly cases: readonly Case[] };

const wrap = (rows: string) => `<div id="acym__wysid__template"><table><tbody>${rows}</tbody></table></div>`;

const applyFirstFix = (body: string, { fixes = [] }: Finding) =>
  (fixes[0]?.edits ?? []).reduceRight(
    (text, { start, end, text: added }) => text.slice(0, start) + added + text.slice(end),
    body,
  );

const placeholder = (preview: string) => `<tr data-dynamic="{post:1}" class="a"><td>${preview}<i></i></td></tr>`;

describe('Checks of the visual editor', () => {
  for (const { case: title, in: row, sent } of cases) {
    it(`placeholder, ${title}`, () => {
      for (const body of [row, wrap(row)]) {
        const found = check({ body }, { profile: 'acymailing' }).filter(({ message }) =>
          /placeholder|drag-and-drop|visual editor/i.test(message),
        );
        const isDeleted = /Text between|Italic end/.test(row) && !/Text between|Italic end/.test(sent);
        const isWhole = !sent.includes('data-dynamic') && !isDeleted;
        assert.equal(found.length, isWhole ? 0 : 1);
        const [finding] = found;
        if (!finding) continue;
        assert.equal(finding.severity, 'error');
        assert.ok(body.slice(finding.start, finding.end).startsWith('<'));
        assert.match(body.slice(finding.start, finding.end), /data-dynamic/);
        if (isDeleted) assert.match(finding.message, /deletes everything.*"Text between\. /);
        const repaired = applyFirstFix(body, finding);
        assert.deepEqual(
          findPlaceholders(repaired).filter(({ state }) => state !== 'whole'),
          [],
        );
      }
    });
  }

  it('are of AcyMailing only', () => {
    const body = wrap(cases.map((one) => one.in).join(''));
    for (const profile of ['documented', undefined])
      assert.ok(!check({ body }, { ...(profile && { profile }) }).some(({ rule }) => rule === '55' || rule === '56'));
  });

  it('ignore previews, which are replaced, but not those of broken placeholders', () => {
    const image = '<img src="https://x.example/a.png" width="9">';
    const find = (body: string) =>
      check({ body: wrap(body) }, { profile: 'acymailing' }).filter(({ rule }) => rule === '12');
    assert.deepEqual(find(placeholder(image)), []);
    assert.equal(find(placeholder(image).replace('<i></i>', '')).length, 1);
  });

  it('have no fix that changes a placeholder', () => {
    const link = '<a href="http://x.example/">x</a>';
    const body = wrap(`${placeholder(link)}<tr><td>${link}</td></tr>`);
    const fixes = check({ body: body.replace('class="a"', 'style="color:red;color:red"') }, { profile: 'acymailing' });
    const edits = fixes.flatMap((finding) => (finding.fixes ?? []).flatMap((fix) => fix.edits));
    const changed = body.replace('class="a"', 'style="color:red;color:red"');
    const [protectedRange] = findPlaceholders(changed);
    assert.ok(protectedRange && edits.length > 0);
    for (const { part, start, end } of edits)
      assert.ok(part !== 'body' || end <= protectedRange.start || start >= protectedRange.end);
  });

  it("don't report a size without the site's stylesheet", () => {
    const body = wrap('<tr><td>x</td></tr>');
    assert.equal(runChecks({ body }, { profile: 'acymailing' }).bytes, undefined);
    const large = `#acym__wysid__template p:hover{content:"${'x'.repeat(95_000)}"}`;
    const options = { profile: 'acymailing', editorStylesheet: large };
    const { findings, bytes = 0 } = runChecks({ body: wrap('<tr><td><p>x</p></td></tr>'), settings: '' }, options);
    assert.ok(bytes > 95_000);
    assert.ok(findings.some(({ rule }) => rule === '23'));
  });

  it('end for absurd placeholders', () => {
    for (const unit of ['<tr data-dynamic="{post:1}" class="a"><td><p>x</p></td></tr>', placeholder('x')]) {
      const findings = check({ body: wrap(unit.repeat(5000)) }, { profile: 'acymailing' });
      assert.ok(findings.length <= 6000);
    }
  });
});
