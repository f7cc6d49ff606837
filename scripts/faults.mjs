// npm run faults: writes test/faults.md, the page of what goes wrong and what comes of it, from the tables of the tests.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findNode, root } from './lib/paths.mjs';

const table = pathToFileURL(join(root, 'test', 'support', 'faultsTable.ts')).href;
const script = `import { faultsPage } from ${JSON.stringify(table)}; process.stdout.write(faultsPage());`;
const { status, stdout, stderr } = spawnSync(findNode(), ['--input-type=module', '--eval', script], { encoding: 'utf8' });
if (status !== 0) {
  console.error(stderr);
  process.exit(1);
}
writeFileSync(join(root, 'test', 'faults.md'), stdout);
console.log(`test/faults.md: ${stdout.split('\n').length} lines`);
