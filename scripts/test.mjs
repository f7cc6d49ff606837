// npm test [-- <part> …] [-- --grep <title>]: runs the named parts, or all but `desktop`, and prints `N passed, N failed` at the end.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { out, root } from './lib/paths.mjs';
import { Processes, run } from './lib/processes.mjs';
import { parts } from './lib/parts.mjs';

const {
  values: { grep },
  positionals,
} = parseArgs({ options: { grep: { type: 'string', short: 'g' } }, allowPositionals: true });
const unrecognized = positionals.filter((name) => !Object.hasOwn(parts, name));
if (unrecognized.length > 0) {
  console.error(`There is no part "${unrecognized.join('", "')}". Parts: ${Object.keys(parts).join(', ')}.`);
  process.exit(2);
}
const chosen = positionals.length > 0 ? positionals : Object.keys(parts).filter((name) => parts[name]?.always);

mkdirSync(out, { recursive: true });
const processes = new Processes();
processes.endOnSignals();
const say = (/** @type {string} */ line) => console.log(line);

/** @type {Record<string, import('./lib/parts.mjs').Outcome>} */
const outcomes = {};
/** Parts that run beside the others. Each resolves after its output is printed. @type {Promise<void>[]} */
const beside = [];
for (const name of chosen) {
  const part = /** @type {import('./lib/parts.mjs').Part} */ (parts[name]);
  const needed = part.needs.find((other) => (outcomes[other]?.failed ?? 0) > 0);
  if (part.beside && chosen.length > 1 && !needed) {
    beside.push(runBeside(name));
    continue;
  }
  say(`\n── ${name} ──`);
  const started = Date.now();
  try {
    if (needed) throw new Error(`Not run, because ${needed} failed.`);
    outcomes[name] = await part.run({ processes, say, grep, result: join(out, `result-${name}.json`) });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    outcomes[name] = { passed: 0, failed: 1 };
  }
  say(`${name}: ${count(outcomes[name])} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
}
await Promise.all(beside);

const total = { passed: 0, failed: 0 };
say('');
for (const [name, outcome] of Object.entries(outcomes)) {
  say(`${name.padEnd(12)} ${count(outcome)}`);
  total.passed += outcome.passed;
  total.failed += outcome.failed;
}
await processes.end();
process.exitCode = total.failed > 0 ? 1 : 0;
say(`${total.passed} passed, ${total.failed} failed`);

/**
 * Runs a part in its own process in parallel with the others, and prints its output when it is done.
 * @param {string} name
 */
async function runBeside(name) {
  /** @type {string[]} */
  const lines = [];
  const args = [fileURLToPath(import.meta.url), name, ...(grep === undefined ? [] : ['--grep', grep])];
  const code = await run(processes, process.execPath, args, { cwd: root, onLine: (line) => lines.push(line) });
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(lines.at(-1) ?? '') ?? [undefined, 0, 1];
  outcomes[name] = { passed: Number(passed), failed: code !== 0 && Number(failed) === 0 ? 1 : Number(failed) };
  // The totals at the end repeat its own.
  say(lines.slice(0, -3).join('\n'));
}

/** @param {import('./lib/parts.mjs').Outcome} outcome */
function count({ passed, failed }) {
  return `${passed} passed, ${failed} failed`;
}
