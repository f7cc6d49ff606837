// node scripts/mutate.mjs --seed 21 --count 10 src/features/sending src/sync -- <test command>
// Changes one thing at a time in the source files of these folders, at random, and reports which changes the test command doesn't notice.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { filesIn, root } from './lib/paths.mjs';

/** @typedef {{ file: string, start: number, end: number, text: string }} Mutation */

/** Operators that are exchanged. @type {Record<string, string>} */
const OPPOSITES = {
  '===': '!==',
  '!==': '===',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+': '-',
  '-': '+',
};

const separator = process.argv.indexOf('--');
const command = separator < 0 ? [] : process.argv.slice(separator + 1);
const { values, positionals: folders } = parseArgs({
  args: process.argv.slice(2, separator < 0 ? undefined : separator),
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '10' } },
  allowPositionals: true,
});
const [seed, count] = [Number(values.seed), Number(values.count)];
if (folders.length === 0 || command.length === 0) {
  console.error('Usage: node scripts/mutate.mjs [--seed <n>] [--count <n>] <folder or file>... -- <test command>');
  process.exit(2);
}
const next = random(seed);
const files = folders.flatMap((path) => filesIn(path)).filter((file) => /\.tsx?$/u.test(file));
if (execFileSync('git', ['status', '--porcelain', '--', ...files], { cwd: root, encoding: 'utf8' }))
  throw new Error('Commit your changes to these files first.');

const sites = files.flatMap((file) => mutationsOf(file));
let unnoticed = 0;
for (let index = 0; index < count; index += 1) {
  const mutation = /** @type {Mutation} */ (sites[Math.floor(next() * sites.length)]);
  const path = join(root, mutation.file);
  const original = readFileSync(path, 'utf8');
  const line = original.slice(0, mutation.start).split('\n').length;
  const replaced = original.slice(mutation.start, mutation.end).replaceAll(/\s+/gu, ' ').slice(0, 80);
  writeFileSync(path, original.slice(0, mutation.start) + mutation.text + original.slice(mutation.end));
  let output = '';
  let isNoticed = true;
  try {
    const run = spawnSync(command[0] ?? '', command.slice(1), {
      cwd: root,
      encoding: 'utf8',
      timeout: 600_000,
      maxBuffer: 2 ** 28,
    });
    isNoticed = run.status !== 0;
    output = `${run.stdout}${run.stderr}`;
  } finally {
    writeFileSync(path, original);
  }
  if (!isNoticed) unnoticed += 1;
  const [, failed = ''] = /\n\s+1\) ([^]*?)\n\n/u.exec(output.slice(output.search(/\d+ failing/u))) ?? [];
  console.log(
    `${isNoticed ? 'noticed' : 'NOT NOTICED'}: ${mutation.file}:${line}: ${replaced} -> ${mutation.text.replaceAll(/\s+/gu, ' ').slice(0, 80) || '(removed)'}` +
      (isNoticed ? `\n  by ${failed.replaceAll(/\s*\n\s*/gu, ' > ') || output.trim().split('\n').at(-1)}` : ''),
  );
}
console.log(`${count - unnoticed} of ${count} noticed (seed ${seed}).`);

/** @param {string} file @returns {Mutation[]} */
function mutationsOf(file) {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  /** @type {Mutation[]} */
  const found = [];
  const add = (/** @type {ts.Node} */ node, /** @type {string} */ text) =>
    found.push({ file, start: node.getStart(source), end: node.end, text });
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    if (ts.isIfStatement(node)) add(node.expression, `!(${node.expression.getText(source)})`);
    if (ts.isConditionalExpression(node)) add(node.condition, `!(${node.condition.getText(source)})`);
    if (ts.isExpressionStatement(node) && !node.getText(source).startsWith('super')) add(node, ';');
    if (ts.isBinaryExpression(node)) {
      const opposite = OPPOSITES[node.operatorToken.getText(source)];
      if (opposite) add(node, `(${node.left.getText(source)}) ${opposite} (${node.right.getText(source)})`);
    }
    if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'false');
    if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'true');
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Mulberry32. @param {number} seed @returns {() => number} from 0 up to 1 */
function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
