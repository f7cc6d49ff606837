import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';
import { replaceFile } from '../../../src/sync/files.ts';

describe('replaceFile', () => {
  let folder: string;
  beforeEach(() => {
    folder = makeScratch();
  });
  afterEach(() => removeScratch(folder));

  it('writes a file that only the user can read, and leaves no temporary file', async () => {
    const path = join(folder, 'note.json');
    await replaceFile(path, 'one');
    await replaceFile(path, 'two');
    assert.equal(readFileSync(path, 'utf8'), 'two');
    if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.deepEqual(readdirSync(folder), ['note.json']);
  });

  it('never shows another window a partial file', async () => {
    // The temporary file of another window.
    const other = join(folder, `note.json.${process.pid + 1}.tmp`);
    writeFileSync(other, 'theirs');
    await replaceFile(join(folder, 'note.json'), 'mine');
    assert.equal(readFileSync(other, 'utf8'), 'theirs');
  });

  it('keeps the old file if the disk refuses the new one', async () => {
    const path = join(folder, 'taken');
    mkdirSync(join(path, 'inner'), { recursive: true });
    await assert.rejects(replaceFile(path, 'text', true), /^Error: Couldn't write .+taken: /u);
    assert.deepEqual(readdirSync(folder), ['taken']);
  });
});
