// node scripts/rules.mjs: writes the table of rules into README.md, from the table that the checks walk.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnSync } from 'node:child_process';
import { findNode, root } from './lib/paths.mjs';

const begin = '<!-- rules: written by scripts/rules.mjs -->';
const end = '<!-- /rules -->';

/** @typedef {import('../src/checks/rule.ts').Rule} Rule */
/** @typedef {Pick<Rule, 'id' | 'name' | 'title' | 'severity' | 'cost' | 'url' | 'hasFix' | 'profile'>} Row */

/** `<` and `|` as text in a cell. @param {string} text */
const cell = (text) => text.replace(/[<>]/gu, (sign) => (sign === '<' ? '&lt;' : '&gt;')).replace(/\|/gu, '\\|');

/** @param {readonly Row[]} rows */
function table(rows) {
  const lines = rows.map(
    ({ id, name, title, severity, cost, url, hasFix }) =>
      `| ${id} | [\`${name}\`](${url}) | ${cell(title)} | ${cell(cost)} | ${severity} | ${hasFix ? 'yes' : ''} |`,
  );
  return ['| id | name | what is found | what it costs the reader | severity | fix |', '|---:|---|---|---|---|---|', ...lines].join('\n');
}

/**
 * The section of the README between its marks.
 * @param {readonly Row[]} rows
 */
export function rulesSection(rows) {
  const own = rows.filter(({ profile }) => profile !== undefined);
  const common = rows.filter(({ profile }) => profile === undefined);
  return `${begin}\n${table(common)}\n\nWith AcyMailing, what it does to an e-mail on its way out:\n\n${table(own)}\n${end}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const script = 'import { rules } from "./src/checks/index.ts"; process.stdout.write(JSON.stringify(rules));';
  const { status, stdout, stderr } = spawnSync(findNode(), ['--input-type=module', '--eval', script], { cwd: root, encoding: 'utf8' });
  if (status !== 0) {
    console.error(stderr);
    process.exit(1);
  }
  const path = join(root, 'README.md');
  const text = readFileSync(path, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < 0) throw new Error(`README.md has no ${begin} … ${end}.`);
  writeFileSync(path, text.slice(0, from) + rulesSection(JSON.parse(stdout)) + text.slice(to + end.length));
  console.log('README.md: the table of rules is written.');
}
