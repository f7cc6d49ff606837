import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';
import { withFileLock } from '../../../src/sync/exclusive.ts';

describe('withFileLock', () => {
  let folder: string;
  let lock: string;
  beforeEach(() => {
    folder = makeScratch();
    lock = join(folder, '.lock');
  });
  afterEach(() => removeScratch(folder));

  for (const [when, isAbandoned] of [
    ['is free', false],
    ['was left behind by a window that crashed', true],
  ] as const) {
    it(`runs one task at a time if it ${when}`, async () => {
      if (isAbandoned) await writeFile(lock, '');
      const counter = join(folder, 'counter');
      await writeFile(counter, '0');
      let running = 0;
      let maxRunning = 0;
      const task = async () => {
        running += 1;
        maxRunning = Math.max(maxRunning, running);
        await writeFile(counter, String(Number(await readFile(counter, 'utf8')) + 1));
        running -= 1;
      };
      await Promise.all(Array.from({ length: 30 }, () => withFileLock(lock, task, { abandonedMs: 300 })));
      assert.deepEqual([maxRunning, await readFile(counter, 'utf8'), await readdir(folder)], [1, '30', ['counter']]);
    });
  }

  it('removes the lock if the task fails', async () => {
    await assert.rejects(
      withFileLock(lock, () => Promise.reject(new Error('refused'))),
      /refused/u,
    );
    assert.deepEqual(readdirSync(folder), []);
  });

  it('does not block other locks, and creates its folder', async () => {
    const other = join(folder, 'locks', 'b');
    assert.equal(await withFileLock(lock, () => withFileLock(other, () => Promise.resolve('both'))), 'both');
  });

  it('fails with advice while another window holds the lock', async () => {
    const message = 'Another window is still changing the same file. Wait until it is done and try again.';
    const again = () => withFileLock(lock, () => Promise.resolve(), { maxWaitMs: 0 });
    await withFileLock(lock, () => assert.rejects(again, { message }));
  });

  it('does not remove a lock that another window took over', async () => {
    await withFileLock(lock, async (_hasWaited, isHeld) => {
      assert.equal(await isHeld(), true);
      await rm(lock);
      await writeFile(join(folder, 'filler'), '');
      await writeFile(lock, 'of another window');
      assert.equal(await isHeld(), false);
    });
    assert.equal(await readFile(lock, 'utf8'), 'of another window');
  });
});
