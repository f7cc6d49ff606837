import { Session, type Profiler } from 'node:inspector';
import { setFlagsFromString } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { root } from '../../../scripts/lib/paths.mjs';
import { measureBuiltIns, takeWork } from './builtIns.ts';
import type { MeasuredFunction } from './functions.ts';

// This module runs in a worker: V8 counts only code that it compiles after counting started, so the code must not be loaded before.

/** For twice the text, the code of a function may be executed this many times as often: twice, and a little more for sorting. */
const MAX_FACTOR = 2.3;
/** Lengths in characters. Where code has a limit or takes another path, the factor is exceeded between two of them only. */
const LENGTHS = [8, 16, 32, 64].map((size) => size * 1024);

/** How often the blocks of a function were executed, by its place; for built-in functions, how much they did. */
type Counts = ReadonlyMap<string, number>;

const BUILT_INS = 'built-in functions';
const folders = ['src/', 'node_modules/'].map((name) => `${root.replaceAll('\\', '/')}${name}`);
measureBuiltIns();
const session = new Session();
session.connect();
// V8 may otherwise discard the code of functions with their counts, and omits calls that it inlines.
for (const flag of ['--no-flush-bytecode', '--no-opt', '--no-maglev']) setFlagsFromString(flag);
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
const { asyncFunctions, functions } = await import('./functions.ts');
const allFunctions = [...functions, ...asyncFunctions];
const { shapes } = await import('./shapes.ts');

/** Counts executions in the product and its libraries since the last call. */
function takeCounts() {
  const counts = new Map<string, number>();
  const add = ({ result }: Profiler.TakePreciseCoverageReturnType) => {
    for (const { url, functions: covered } of result) {
      const at = Math.max(...folders.map((folder) => url.indexOf(folder)));
      if (at < 0) continue;
      for (const { functionName, ranges } of covered) {
        const key = `${functionName || 'function'} at ${ranges[0]?.startOffset} of ${url.slice(at + root.length)}`;
        const sum = ranges.reduce((total, { count }) => total + count, 0);
        counts.set(key, (counts.get(key) ?? 0) + sum);
      }
    }
  };
  // Within one thread, the session calls back before `post` returns.
  session.post('Profiler.takePreciseCoverage', (error, result) => {
    if (error) throw error;
    add(result);
  });
  return counts;
}

async function count(run: MeasuredFunction['run'], text: string): Promise<Counts> {
  takeWork();
  await run(text);
  return takeCounts().set(BUILT_INS, takeWork());
}

/** Returns the functions within a measured one that are executed more often than the factor allows, with their counts by length. */
async function findExcess({ name, run }: MeasuredFunction, make: (length: number) => string) {
  const allCounts: Counts[] = [];
  let keys: readonly string[] = [];
  let shortLength = 0;
  for (const text of LENGTHS.map(make)) {
    const long = await count(run, text);
    const short = allCounts.at(-1);
    allCounts.push(long);
    const limit = MAX_FACTOR * (text.length / shortLength / 2);
    shortLength = text.length;
    if (!short) keys = [...long.keys()];
    else
      keys = [...long.keys()].filter((key) => {
        const now = long.get(key) ?? 0;
        // Less than once for each character is no trouble.
        return (
          (allCounts.length === 2 || keys.includes(key)) && now > text.length && now > limit * (short.get(key) ?? 0)
        );
      });
    if (keys.length === 0) return [];
  }
  return keys.map((key) => `${name}: ${key}: ${allCounts.map((counts) => counts.get(key) ?? 0).join(' → ')}`);
}

parentPort?.on('message', async (id: string) => {
  const make = shapes.find((shape) => shape.id === id)?.make;
  if (!make) throw new Error(`There is no shape "${id}".`);
  // Fills tables that functions make once.
  for (const { run } of allFunctions) await run(make(200));
  takeCounts();
  const excess: string[] = [];
  for (const measured of allFunctions) excess.push(...(await findExcess(measured, make)));
  parentPort?.postMessage(excess);
});
