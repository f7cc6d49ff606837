import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeScratch, removeScratch } from '../../../../scripts/lib/scratch.mjs';
import type { Base } from '../../../../src/features/sourceControl/fields.ts';
import { FileChangedError, type ExpectedFile } from '../../../../src/features/sourceControl/files.ts';
import { Lock } from '../../../../src/features/sourceControl/lock.ts';
import { openLockFile } from '../../../../src/features/sourceControl/lockFile.ts';
import { Disk, lockName } from './fixtures.ts';

const base: Base = { body: { local: 'x'.repeat(43), remote: 'x'.repeat(43) } };
const add =
  (folder: string) =>
  (lock: Lock): Lock =>
    lock.with(folder, 'production', base);
const has = (lock: Lock, folder: string): boolean => 'body' in lock.base(folder, 'production');

/** Delays and counts reads and writes. */
class SlowDisk extends Disk {
  reads = 0;
  writes = 0;
  /** Simulates another program between a read and the next write. */
  meanwhile: (() => void) | undefined;

  override async read(path: string): Promise<string | undefined> {
    this.reads += 1;
    const text = await super.read(path);
    await new Promise(setImmediate);
    return text;
  }

  override async write(path: string, text: string, expected?: ExpectedFile): Promise<void> {
    await new Promise(setImmediate);
    this.meanwhile?.();
    if (expected !== undefined && this.files.get(path) !== expected.text) throw new FileChangedError(path);
    this.writes += 1;
    await super.write(path, text);
  }
}

describe('openLockFile', () => {
  it('keeps all concurrent changes', async () => {
    const disk = new SlowDisk();
    const lock = openLockFile(disk, lockName);
    const folders = Array.from({ length: 8 }, (_, index) => `emails/${index}`);
    await Promise.all(folders.map((folder) => lock.change(add(folder))));
    const read = await lock.read();
    assert.deepEqual(
      folders.filter((folder) => !has(read, folder)),
      [],
    );
    assert.equal(disk.writes, folders.length, 'Each change follows the one before, and is written once.');
  });

  it('continues after a failed change', async () => {
    const disk = new SlowDisk();
    const lock = openLockFile(disk, lockName);
    const failing = lock.change(() => {
      throw new Error('No.');
    });
    await Promise.all([assert.rejects(failing, /No\./u), lock.change(add('emails/a'))]);
    assert.ok(has(await lock.read(), 'emails/a'));
  });

  it('reads the file once per cached reader, and again after a change', async () => {
    const disk = new SlowDisk();
    const lock = openLockFile(disk, lockName);
    const readCached = lock.createCachedReader();
    assert.equal(await readCached(), await readCached());
    assert.equal(disk.reads, 1);
    await lock.change(add('emails/a'));
    const before = disk.reads;
    assert.ok(has(await readCached(), 'emails/a'));
    await readCached();
    assert.equal(disk.reads, before + 1);
    await lock.createCachedReader()();
    assert.equal(disk.reads, before + 2, 'Other looks read it anew.');
  });

  it('writes nothing without a change', async () => {
    const disk = new SlowDisk();
    const lock = openLockFile(disk, lockName);
    await lock.change((same) => same);
    assert.equal(disk.files.size, 0);
  });

  it('keeps a concurrent change by Git', async () => {
    const disk = new SlowDisk();
    disk.meanwhile = () => {
      disk.meanwhile = undefined;
      disk.files.set(lockName, add('emails/git')(Lock.read(undefined)).toString());
    };
    await openLockFile(disk, lockName).change(add('emails/a'));
    const read = await openLockFile(disk, lockName).read();
    assert.ok(has(read, 'emails/git') && has(read, 'emails/a'));
  });

  it('reports an error if the file keeps changing', async () => {
    const disk = new SlowDisk();
    let count = 0;
    disk.meanwhile = () => disk.files.set(lockName, add(`emails/${(count += 1)}`)(Lock.read(undefined)).toString());
    await assert.rejects(openLockFile(disk, lockName).change(add('emails/a')), {
      message: `Couldn't write ${lockName}: it changed in the meantime. Try again.`,
    });
  });

  it('never rewrites a lock of a newer version', async () => {
    const newer = '{"version":2,"templates":{"emails/a":{}},"more":true}';
    const disk = new SlowDisk([[lockName, newer]]);
    await assert.rejects(
      openLockFile(disk, lockName).change(add('emails/a')),
      /it has version 2.*Update Mailing Studio/u,
    );
    assert.equal(disk.files.get(lockName), newer);
  });

  it('keeps the concurrent changes of several processes', async function () {
    this.timeout(60_000);
    const root = makeScratch();
    try {
      const module = (name: string): string =>
        JSON.stringify(new URL(`../../../../src/${name}.ts`, import.meta.url).href);
      writeFileSync(
        join(root, 'window.mjs'),
        `
        import { withFileLock } from ${module('platform/ui/fileLock')};
        import { openLockFile } from ${module('features/sourceControl/lockFile')};
        import { NodeFiles } from ${module('features/sourceControl/nodeFiles')};
        const [, , root, window] = process.argv;
        const lock = openLockFile(new NodeFiles(root), '${lockName}', (task) => withFileLock(root + '/locks/lock', task));
        for (let index = 0; index < 15; index += 1) {
          await lock.change((before) => before.with(window + '/' + index, 'production', ${JSON.stringify(base)}));
        }`,
      );
      const windows = ['one', 'two', 'three'];
      await Promise.all(
        windows.map((window) => promisify(execFile)(process.execPath, [join(root, 'window.mjs'), root, window])),
      );
      const lock = Lock.read(readFileSync(join(root, lockName), 'utf8'));
      const folders = windows.flatMap((window) => Array.from({ length: 15 }, (_, index) => `${window}/${index}`));
      assert.deepEqual(
        folders.filter((folder) => !has(lock, folder)),
        [],
      );
    } finally {
      removeScratch(root);
    }
  });
});
