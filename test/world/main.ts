import { parseArgs } from 'node:util';
import { availableParallelism } from 'node:os';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeScratch, removeScratch } from '../../scripts/lib/scratch.mjs';
import { formatCounts, type Counts } from './coverage.ts';
import { tryDefects } from './defects.ts';
import { planHistory, readSaved, runHistory, save, STEPS, TESTED_HISTORIES, type Plan } from './history.ts';
import { loadCode, type Code } from './realm.ts';
import { shrink } from './shrink.ts';

/*
 * Runs histories: `npm run world -- --seed 7` repeats one, `--histories 2000` runs the first ones, `--minutes 30` as many as fit from a seed
 * of the day, and `--defects` tries whether old defects are found. `--seed 7 --save NAME` saves the shortest history, `--history NAME` repeats it.
 */

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    history: { type: 'string' },
    save: { type: 'string' },
    from: { type: 'string' },
    histories: { type: 'string' },
    minutes: { type: 'string' },
    jobs: { type: 'string' },
    defects: { type: 'boolean' },
    /** The part of the name of a defect. */
    only: { type: 'string' },
    /** Stops at the first failure, without shrinking it. */
    first: { type: 'boolean' },
    /** A folder for the counts of what occurred. */
    counts: { type: 'string' },
  },
});

// Errors of the world have no readers.
Error.stackTraceLimit = 0;

/** Seeds of different days don't overlap. */
const SEEDS_PER_DAY = 1_000_000;
const DAY_MS = 86_400_000;

const from = Number(
  values.seed ?? values.from ?? (values.minutes ? Math.floor(Date.now() / DAY_MS) * SEEDS_PER_DAY : 1),
);
const jobs = Number(
  values.jobs ??
    ((values.seed ?? values.history) === undefined && !values.first ? Math.min(2, availableParallelism()) : 1),
);

if (values.defects) process.exitCode = tryDefects(values.only, Number(values.histories ?? TESTED_HISTORIES)) ? 0 : 1;
else if (jobs > 1) await runJobs();
else await runHere();

/** Runs histories in several processes, and prints which faults met which operations. */
async function runJobs() {
  const folder = values.counts ?? makeScratch();
  const args = process.argv.slice(2);
  const codes = await Promise.all(
    Array.from({ length: jobs }, async (_, job) => {
      const own = [
        '--jobs',
        '1',
        '--from',
        String(from + job * Math.ceil(Number(values.histories ?? SEEDS_PER_DAY) / jobs)),
        '--counts',
        folder,
      ];
      const count = values.histories && ['--histories', String(Math.ceil(Number(values.histories) / jobs))];
      const child = spawn(
        process.execPath,
        ['--max-semi-space-size=64', fileURLToPath(import.meta.url), ...args, ...own, ...(count || [])],
        { stdio: 'inherit' },
      );
      const [code] = (await once(child, 'exit')) as [number];
      return code;
    }),
  );
  const counts = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Counts);
  console.log(formatCounts(counts));
  if (values.counts === undefined) removeScratch(folder);
  process.exitCode = Math.max(...codes);
}

async function runHere() {
  const code = await loadCode();
  if (values.history !== undefined) return runOne(readSaved(values.history), `History ${values.history}`, code);
  const end = values.minutes === undefined ? Infinity : Date.now() + Number(values.minutes) * 60_000;
  const last =
    values.seed === undefined
      ? from + Number(values.histories ?? (values.minutes ? Infinity : TESTED_HISTORIES)) - 1
      : from;
  const counts = new Map<string, number>();
  let [seed, failures] = [from, 0];
  for (; seed <= last && Date.now() < end; seed += 1) {
    const world = await runOne(planHistory(seed), `Seed ${seed}`, code);
    for (const [key, count] of world.counts) counts.set(key, (counts.get(key) ?? 0) + count);
    if (world.problem === undefined) continue;
    failures += 1;
    console.log(`Repeat it with: npm run world -- --seed ${seed}`);
    if (values.first) break;
  }
  console.log(`${seed - from} histories from seed ${from} of ${STEPS} steps: ${failures} failed.`);
  if (values.counts) writeFileSync(join(values.counts, `${from}.json`), JSON.stringify(Object.fromEntries(counts)));
}

/** Runs a history, and prints the shortest one that fails like it. */
async function runOne(plan: Plan, title: string, code: Code) {
  const { world, problem } = await runHistory(plan, code);
  if (values.seed ?? values.history) console.log(world.lines.join('\n'));
  if (problem === undefined) return { counts: world.counts, problem };
  process.exitCode = 1;
  console.log(`\n${title}: ${problem}`);
  if (values.first) return { counts: world.counts, problem };
  const kind = normalize(problem);
  const steps = await shrink(plan.steps, async (shorter) => {
    const again = await runHistory({ ...plan, steps: shorter }, code);
    return again.problem !== undefined && normalize(again.problem) === kind;
  });
  const short = await runHistory({ ...plan, steps }, code);
  console.log(`The shortest history has ${steps.length} of ${plan.steps.length} steps:`);
  for (const line of short.world.lines) console.log(`  ${line}`);
  console.log(`  ${short.problem}`);
  if (values.save !== undefined) save(values.save, { ...plan, steps });
  return { counts: world.counts, problem };
}

/** Two problems are of the same kind if they differ only in names and numbers. */
function normalize(problem: string) {
  return problem.replace(/\d+|Window [AB]|mailing on the laptop|The colleague/gu, '#');
}
