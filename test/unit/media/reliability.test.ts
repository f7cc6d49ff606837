import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { countedFolders, reliabilityRows } from '../../support/reliability.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Number of tests in a folder, which are named and not run. */
function testsIn(folder: string): number {
  const told = execFileSync(process.execPath, ['node_modules/mocha/bin/mocha.js', '--dry-run', '--reporter', 'min', `test/unit/${folder}/**/*.test.ts`], { cwd: root, encoding: 'utf8' });
  return Number(/(\d+) passing/u.exec(told)?.[1]);
}

describe('The README', () => {
  it('says of its reliability what the tests are made of', function () {
    this.timeout(60_000);
    const counts = Object.fromEntries(countedFolders.map((folder) => [folder, testsIn(folder)])) as Record<(typeof countedFolders)[number], number>;
    const readme = readFileSync(`${root}README.md`, 'utf8').split('\n');
    const rows = reliabilityRows(counts);
    assert.deepEqual(rows.filter((row) => !readme.includes(row)), []);
  });
});
