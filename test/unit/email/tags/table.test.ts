import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { tagLanguage } from '../../../../src/email/tags/index.ts';
import { tagTable, withTagTable } from '../../../support/tagTable.ts';

describe('The table in docs/tags.md', () => {
  it('is up to date (npm run tags writes it)', () => {
    const page = readFileSync(new URL('../../../../docs/tags.md', import.meta.url), 'utf8');
    assert.ok(withTagTable(page) === page, 'Run `npm run tags`.');
  });

  it('has a row, and a heading that hovers link to, for each family, each pair and the condition', () => {
    const { families, pairs, conditions } = tagLanguage('acymailing');
    const lines = tagTable().split('\n');
    for (const { name, own } of [...families, ...pairs, ...(conditions ? [conditions] : [])]) {
      const heading = own ? 'content-tags' : name;
      assert.ok(lines.includes(own ? '### Content tags' : `### ${name}`), name);
      assert.ok(
        lines.some((line) => line.startsWith(`| [\`${name}\`](#${heading}) | `)),
        name,
      );
    }
  });
});
