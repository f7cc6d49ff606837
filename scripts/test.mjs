// npm test [-- <part> …] [-- --grep <title>]: runs the named parts, or all but `desktop`, and prints `N passed, N failed` at the end.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { provideChromium } from './lib/chromium.mjs';
import { out } from './lib/paths.mjs';
import { findSlowest } from './lib/outcome.mjs';
import { Processes } from './lib/processes.mjs';
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

if (chosen.some((name) => parts[name]?.browser)) {
  try {
    await provideChromium(processes, say);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    say('0 passed, 1 failed');
    process.exit(1);
  }
}

/** @type {Record<string, import('./lib/outcome.mjs').Outcome>} */
const outcomes = {};
/** @type {Record<string, number>} */
const seconds = {};
for (const name of chosen) {
  const part = /** @type {import('./lib/parts.mjs').Part} */ (parts[name]);
  const needed = part.needs.find((other) => (outcomes[other]?.failed ?? 0) > 0);
  say(`\n── ${name} ──`);
  const started = Date.now();
  try {
    if (needed) throw new Error(`Not run, because ${needed} failed.`);
    outcomes[name] = await part.run({ processes, say, grep, result: join(out, `result-${name}.json`) });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    outcomes[name] = { passed: 0, failed: 1 };
  }
  seconds[name] = (Date.now() - started) / 1000;
  say(`${name}: ${count(outcomes[name])} (${seconds[name].toFixed(1)} s)`);
}

// Again at the end, because whoever stores a log may keep only its last lines.
for (const [name, { failures = [] }] of Object.entries(outcomes)) {
  for (const { title, message } of failures)
    say(`\nFailed in ${name}: ${title}\n  ${message.replaceAll('\n', '\n  ')}`);
}

const slowest = Object.entries(outcomes).flatMap(([name, { slowest: tests = [] }]) =>
  tests.map(({ title, ms }) => ({ title: `${name}: ${title}`, ms })),
);
if (slowest.length > 0) say('\nThe slowest tests:');
for (const { title, ms } of findSlowest(slowest)) say(`${(ms / 1000).toFixed(1).padStart(8)} s  ${title}`);

const total = { passed: 0, failed: 0 };
say('\nAll parts:');
for (const [name, outcome] of Object.entries(outcomes)) {
  say(`${seconds[name]?.toFixed(1).padStart(8)} s  ${name.padEnd(12)} ${count(outcome)}`);
  total.passed += outcome.passed;
  total.failed += outcome.failed;
}
await processes.end();
process.exitCode = total.failed > 0 ? 1 : 0;
say(`${total.passed} passed, ${total.failed} failed`);

/** @param {import('./lib/outcome.mjs').Outcome} outcome */
function count({ passed, failed }) {
  return `${passed} passed, ${failed} failed`;
}
