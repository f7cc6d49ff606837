import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeScratch, removeScratch } from '../../scripts/lib/scratch.mjs';
import { findMissingCounts, type Counts } from './coverage.ts';
import { listSaved, planHistory, readSaved, runHistory, STEPS, TESTED_HISTORIES } from './history.ts';
import { loadCode } from './realm.ts';
import { shrink } from './shrink.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

describe('the simulated world', () => {
  let folder: string;
  const loading = loadCode();

  before(() => {
    folder = makeScratch();
  });
  after(() => removeScratch(folder));

  it('keeps every promise in all histories, which meet each fault in each request', function () {
    this.timeout(900_000);
    const args = ['--max-semi-space-size=64', main, '--histories', String(TESTED_HISTORIES), '--counts', folder];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
    assert.equal(status, 0, stdout.slice(-20_000) + stderr);
    const counts = readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Counts);
    assert.deepEqual(findMissingCounts(counts), []);
  });

  for (const name of listSaved())
    it(`keeps every promise in the history that met ${name}`, async () => {
      const { problem } = await runHistory(readSaved(name), await loading);
      assert.equal(problem, undefined);
    });

  it('repeats a history byte by byte', async function () {
    this.timeout(60_000);
    const code = await loading;
    for (const seed of [3, 14, 159]) {
      const [one, other] = [await runHistory(planHistory(seed), code), await runHistory(planHistory(seed), code)].map(
        ({ world }) => ({
          lines: world.lines,
          files: Object.values(world.machines).map(({ disk }) =>
            [...disk.files].map(([path, { data }]) => [path, String(data)]),
          ),
          mails: world.service.deliveries,
        }),
      );
      assert.deepEqual(one, other);
      assert.ok((one?.lines.length ?? 0) > STEPS / 2);
    }
  });

  it('shrinks a failing history to the steps that it needs', async () => {
    const { steps } = planHistory(1);
    const needed = [steps[7], steps[40]];
    const shortest = await shrink(steps, async (shorter) =>
      needed.every((step) => shorter.some((one) => one.seed === step?.seed)),
    );
    assert.deepEqual(
      shortest.map(({ act, faults }) => [act, faults.length]),
      needed.map((step) => [step?.act, 0]),
    );
  });
});
