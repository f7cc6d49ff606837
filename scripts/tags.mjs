// npm run tags: writes the table of merge tags into docs/tags.md, from the data of the tag language.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findNode, root } from './lib/paths.mjs';

const table = pathToFileURL(join(root, 'test', 'support', 'tagTable.ts')).href;
const page = join(root, 'docs', 'tags.md');
const script = `import { withTagTable } from ${JSON.stringify(table)};
import { readFileSync } from 'node:fs';
process.stdout.write(withTagTable(readFileSync(0, 'utf8')));`;
const { status, stdout, stderr } = spawnSync(findNode(), ['--input-type=module', '--eval', script], {
  encoding: 'utf8',
  input: readFileSync(page, 'utf8'),
});
if (status !== 0) {
  console.error(stderr);
  process.exit(1);
}
writeFileSync(page, stdout);
