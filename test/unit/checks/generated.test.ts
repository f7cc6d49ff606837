import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { rulesSection } from '../../../scripts/rules.mjs';
import { supportData, supportFile } from '../../../scripts/supportData.mjs';
import { rules } from '../../../src/checks/index.ts';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

describe('What is generated', () => {
  it('is current: the table of support (scripts/supportData.mjs)', () => {
    assert.equal(readFileSync(supportFile, 'utf8'), supportData());
  });

  it("is current: the README's table of rules (scripts/rules.mjs)", () => {
    const section = rulesSection(rules);
    assert.ok(readme.includes(section), 'Run `node scripts/rules.mjs`.');
    assert.equal(section.split('\n').filter((line) => /^\| \d/u.test(line)).length, rules.length);
  });
});
