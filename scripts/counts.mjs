// npm run counts: updates the test counts in docs/reliability.md and in test/faults.md.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findNode, root } from './lib/paths.mjs';

/** Folders of test/unit whose tests mocha counts. */
const folders = ['networks', 'secrets', 'fuzz'];

const node = (/** @type {string[]} */ args) => execFileSync(findNode(), args, { cwd: root, encoding: 'utf8' });

/** @param {string} folder @returns {[string, number]} its tests are named, not run */
function countTests(folder) {
  const output = node([
    'node_modules/mocha/bin/mocha.js',
    '--dry-run',
    '--reporter',
    'min',
    `test/unit/${folder}/**/*.test.ts`,
  ]);
  return [folder, Number(/(\d+) passing/u.exec(output)?.[1])];
}

/** Evaluates an expression on a test module and returns the result. @param {string} module @param {string} expression */
function read(module, expression) {
  const url = pathToFileURL(join(root, 'test', 'support', module)).href;
  return JSON.parse(
    node([
      '--input-type=module',
      '--eval',
      `import * as of from '${url}'; console.log(JSON.stringify(${expression}));`,
    ]),
  );
}

const rows = read(
  'reliability.ts',
  `of.reliabilityRows(${JSON.stringify(Object.fromEntries(folders.map(countTests)))})`,
);
const page = join(root, 'docs', 'reliability.md');
const before = readFileSync(page, 'utf8');
const after = before.replace(
  /(?<=^\| subject \| tests \| soak \| guarantee \|\n\|[-:|]+\|\n)(?:\|.*\n)+/mu,
  () => `${rows.join('\n')}\n`,
);
if (!after.includes(`${rows.join('\n')}\n`))
  throw new Error('docs/reliability.md has no table "subject | tests | soak | guarantee".');
writeFileSync(page, after);
writeFileSync(join(root, 'test', 'faults.md'), read('faultsTable.ts', 'of.renderFaultsPage()'));
console.log(rows.join('\n'));
