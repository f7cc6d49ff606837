import assert from 'node:assert/strict';
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { makeScratch, removeScratch } from '../../../../scripts/lib/scratch.mjs';
import { openRevisionFiles } from '../../../../src/features/sourceControl/revisionFiles.ts';

describe('The files of the history', () => {
  let folder: string;
  beforeEach(() => {
    folder = makeScratch();
  });
  afterEach(() => removeScratch(folder));

  it('are read as they were written; what is not there is nothing', async () => {
    const storage = openRevisionFiles(join(folder, 'made', 'with the first'));
    await storage.write('a.json', 'text');
    assert.equal(await storage.read('a.json'), 'text');
    assert.equal(await storage.read('b.json'), undefined);
  });

  it('are so many that they take no more than they may: the oldest go, never one of the last hour', async () => {
    const hour = 60 * 60 * 1000;
    const now = Date.now();
    const storage = openRevisionFiles(folder, 1000, () => now);
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const [index, name] of names.entries()) {
      await storage.write(name, 'x'.repeat(300));
      const written = new Date(now - hour * (names.length - index));
      utimesSync(join(folder, name), written, written);
    }
    await storage.write('f', 'x'.repeat(300));
    assert.deepEqual(readdirSync(folder).sort(), ['d', 'e', 'f']);
    const young = openRevisionFiles(folder, 100, () => now - 5 * hour);
    await young.write('g', 'x'.repeat(300));
    assert.equal(readdirSync(folder).length, 4);
  });
});
