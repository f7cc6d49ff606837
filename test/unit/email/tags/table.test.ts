import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { tagLanguage } from '../../../../src/email/tags/index.ts';
import { tagTable, withTagTable } from '../../../support/tagTable.ts';

describe('The table in docs/tags.md', () => {
  it('is up to date (npm run tags writes it)', () => {
    const page = readFileSync(new URL('../../../../docs/tags.md', import.meta.url), 'utf8');
    assert.ok(withTagTable(page) === page, 'Run `npm run tags`.');
  });

  it('has a row for each family, each pair and the condition', () => {
    const { families, pairs } = tagLanguage('acymailing');
    const rows = tagTable().split('\n');
    assert.equal(rows.length, 2 + families.length + pairs.length + 1);
    for (const row of rows) assert.equal(row.replaceAll('\\|', '').split('|').length, 5, row);
  });
});
