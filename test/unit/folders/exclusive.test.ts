import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exclusively } from '../../../src/folders/exclusive.ts';

describe('Tasks of several windows on one file', () => {
  let folder: string;
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'mailing-exclusive-')), 'locks');
  });
  afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));
  const files = (): string[] => readdirSync(folder).map((name) => join(folder, name));

  it('run one after the other, and leave nothing behind', async () => {
    let running = 0;
    let most = 0;
    await Promise.all(Array.from({ length: 6 }, () => exclusively(folder, 'a', async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
    })));
    assert.equal(most, 1);
    assert.deepEqual(files(), []);
  });

  it('run at once for two subjects, and after one that failed', async () => {
    const inner = await exclusively(folder, 'a', () => exclusively(folder, 'b', () => Promise.resolve('both')));
    assert.equal(inner, 'both');
    await assert.rejects(exclusively(folder, 'a', () => Promise.reject(new Error('No.'))), /No\./u);
    assert.equal(await exclusively(folder, 'a', () => Promise.resolve('again')), 'again');
  });

  it('give up with what to do while another window has the file', async () => {
    await exclusively(folder, 'a', async () => {
      await assert.rejects(exclusively(folder, 'a', () => Promise.resolve(), 0), { message: 'Another window is still changing the same file. Wait until it is done and try again.' });
    });
  });

  it('take over from a window that ended, and leave the file of the window that took over from them', async () => {
    const old = new Date(Date.now() - 60_000);
    await exclusively(folder, 'a', async () => {
      const [file = ''] = files();
      // As if this machine had slept for a minute.
      utimesSync(file, old, old);
      await exclusively(folder, 'a', () => {
        assert.ok(statSync(file).mtimeMs > old.getTime() + 30_000);
        return Promise.resolve();
      });
      assert.deepEqual(files(), [], 'A stale file is gone for good.');
      writeFileSync(file, 'another window');
    });
    assert.equal(files().length, 1);
  });
});
