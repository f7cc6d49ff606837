import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { checkSettings, ruleTitles, rulesSection } from '../../../../scripts/rules.mjs';
import { supportData, supportFile } from '../../../../scripts/supportData.mjs';
import { check, clientFamilies, getCheckRules } from '../../../../src/email/checks/index.ts';
import type { Row } from '../../../../src/service/client/shapes.ts';

const read = (name: string) => readFileSync(new URL(`../../../../${name}`, import.meta.url), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  readonly contributes: { readonly configuration: readonly { readonly properties: Row }[] };
};
const page = read('docs/checks.md');

describe('generated files', () => {
  it('include the current support table (scripts/supportData.mjs)', () => {
    // Not assert.equal: the difference of two such long lines takes minutes and gigabytes to write.
    assert.ok(readFileSync(supportFile, 'utf8') === supportData(), 'Run `node scripts/supportData.mjs`.');
  });

  it('include the current settings for rules and clients (scripts/rules.mjs)', () => {
    const properties = Object.assign({}, ...manifest.contributes.configuration.map((group) => group.properties)) as Row;
    const expected = JSON.parse(JSON.stringify(checkSettings(getCheckRules(), clientFamilies))) as Record<
      string,
      { readonly propertyNames?: { readonly enum: readonly string[] } }
    >;
    for (const [name, setting] of Object.entries(expected))
      assert.deepEqual(properties[name], setting, 'Run `node scripts/rules.mjs`.');
    const texts = JSON.parse(read('package.nls.json')) as Row;
    for (const [key, title] of Object.entries(ruleTitles(getCheckRules()))) assert.equal(texts[key], title);
    const names = expected['mailing.checks.rules']?.propertyNames?.enum ?? [];
    assert.deepEqual(names, [...getCheckRules().map(({ name }) => name), ...getCheckRules().map(({ id }) => id)]);
    // The checks accept ids.
    const email = { body: '<p>Hello</p><img src="https://example.com/a.png">' };
    assert.ok(check(email).some(({ rule }) => rule === '12'));
    assert.ok(names.includes('12') && !check(email, { rules: { 12: 'off' } }).some(({ rule }) => rule === '12'));
  });

  it('include the current table of rules in docs/checks.md (scripts/rules.mjs)', () => {
    const section = rulesSection(getCheckRules());
    assert.ok(page.includes(section), 'Run `node scripts/rules.mjs`.');
    const lines = section.split('\n');
    assert.equal(lines.filter((line) => /^\| \d/u.test(line)).length, getCheckRules().length);
    // Hovers link to the headings.
    for (const { name } of getCheckRules()) assert.ok(lines.includes(`### ${name}`), name);
  });
});
