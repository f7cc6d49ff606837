import assert from 'node:assert/strict';
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { makeScratch, removeScratch } from '../../../../scripts/lib/scratch.mjs';
import { openRevisionFiles } from '../../../../src/features/sourceControl/revisionFiles.ts';

describe('openRevisionFiles', () => {
  let folder: string;
  beforeEach(() => {
    folder = makeScratch();
  });
  afterEach(() => removeScratch(folder));

  it('reads written files and returns undefined for missing ones', async () => {
    const files = openRevisionFiles(join(folder, 'made', 'with the first'));
    await files.write('a.json', 'text');
    assert.equal(await files.read('a.json'), 'text');
    assert.equal(await files.read('b.json'), undefined);
  });

  it('deletes the oldest files above the size limit, but none of the last hour', async () => {
    const hour = 60 * 60 * 1000;
    const now = Date.now();
    const files = openRevisionFiles(folder, 1000, () => now);
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const [index, name] of names.entries()) {
      await files.write(name, 'x'.repeat(300));
      const written = new Date(now - hour * (names.length - index));
      utimesSync(join(folder, name), written, written);
    }
    await files.write('f', 'x'.repeat(300));
    assert.deepEqual(readdirSync(folder).sort(), ['d', 'e', 'f']);
    const recent = openRevisionFiles(folder, 100, () => now - 5 * hour);
    await recent.write('g', 'x'.repeat(300));
    assert.equal(readdirSync(folder).length, 4);
  });
});
