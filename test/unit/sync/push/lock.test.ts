import assert from 'node:assert/strict';
import type { Base } from '../../../../src/sync/fields/fields.ts';
import { Lock, LockFile } from '../../../../src/sync/push/lock.ts';
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeScratch, removeScratch } from '../../../../scripts/lib/scratch.mjs';
import { FileChangedError, type ExpectedFile } from '../../../../src/sync/files.ts';
import { Disk, lockName } from '../fixtures.ts';

const hash = (letter: string) => letter.repeat(43);
const base = (letter: string): Base => ({ body: { local: hash(letter), remote: hash(letter) } });

describe('mailing.lock.json', () => {
  it('separates the bases of a folder by connection', () => {
    const lock = Lock.read()
      .with('emails/a', 'production', base('p'))
      .with('emails/a', 'staging', base('s'))
      .with('emails/b', 'staging', base('b'));
    const read = Lock.read(lock.toString());
    assert.deepEqual(read.base('emails/a', 'production'), base('p'));
    assert.deepEqual(read.base('emails/a', 'staging'), base('s'));
    assert.equal(read.toString(), lock.toString());
    const without = read.with('emails/a', 'staging', {});
    assert.deepEqual(without.base('emails/a', 'production'), base('p'));
    assert.deepEqual(without.base('emails/a', 'staging'), {});
    assert.deepEqual(without.base('emails/b', 'staging'), base('b'));
  });

  it('has the same text for the same bases in any order', () => {
    const [one, two] = [{ ...base('a'), name: { local: hash('b'), remote: hash('c') } }, base('d')];
    const lock = Lock.read().with('a', 'p', one).with('b', 'p', two).toString();
    const reversed = Object.fromEntries(Object.entries(one).reverse());
    assert.equal(Lock.read().with('b', 'p', two).with('a', 'p', reversed).toString(), lock);
  });

  it('keeps the entries that both versions of a conflict share, with any marker style and line ends', () => {
    const text = Lock.read()
      .with('emails/a', 'production', { ...base('a'), name: { local: hash('n'), remote: hash('n') } })
      .toString();
    const [ours = ''] = /^.*"body".*$/mu.exec(text) ?? [];
    const common = `||||||| base\n${ours.replaceAll('a', 'c')}\n`;
    for (const section of ['', common]) {
      const conflict = text.replace(
        ours,
        `<<<<<<< HEAD\n${ours}\n${section}=======\n${ours.replaceAll('a', 'b')}\n>>>>>>> theirs`,
      );
      for (const file of [conflict, conflict.replaceAll('\n', '\r\n')]) {
        assert.deepEqual(Object.keys(Lock.read(file).base('emails/a', 'production')), ['name']);
      }
    }
  });

  it('reads many unclosed conflicts as an empty lock', () => {
    for (const line of [
      '<<<<<<< HEAD\n',
      '<<<<<<< HEAD\n||||||| base\n',
      '<<<<<<< HEAD\n=======\n',
      '<<<<<<< \n=======\n||||||| \n',
    ]) {
      assert.deepEqual(Lock.read(line.repeat(20_000)).base('emails/a', 'production'), {});
    }
  });

  it('is refused if it is too large', () =>
    assert.throws(() => Lock.read(' '.repeat(9 * 1024 * 1024)), {
      message: "Couldn't read mailing.lock.json: it's larger than 8 MB. Restore an earlier version.",
    }));

  it('is refused if either version of a conflict has another format version', () => {
    const newer = '{\n  "version": 2,\n  "templates": {}\n}\n';
    const message = `Couldn't read mailing.lock.json: it has version 2, and this version of Mailing Studio reads version 1. Update Mailing Studio and try again.`;
    const conflict = newer.replace(
      /^.*version.*$/mu,
      (line) => `<<<<<<< HEAD\n${line.replace('2', '1')}\n=======\n${line}\n>>>>>>> theirs`,
    );
    for (const text of [newer, conflict, '{"version":2}']) assert.throws(() => Lock.read(text), { message });
    for (const version of ['"1"', 'null', '0', '{}'])
      assert.throws(() => Lock.read(`{"version":${version},"templates":{}}`), /it has version/u);
  });

  it('is empty if it is not a valid lock', () => {
    const invalid = '{"version":1,"templates":{"a":{"p":{"body":5,"name":"short"}}}}';
    for (const text of ['', '[]', '{', '{"templates":5}', '5', 'null', '['.repeat(1_000_000), invalid]) {
      assert.equal(Lock.read(text).toString(), Lock.read().toString());
    }
  });
});

const add = (folder: string) => (lock: Lock) => lock.with(folder, 'production', base('x'));
const has = (lock: Lock, folder: string) => 'body' in lock.base(folder, 'production');

/** Delays and counts reads and writes. */
class SlowDisk extends Disk {
  reads = 0;
  writes = 0;
  /** Simulates another program between a read and the next write. */
  meanwhile: (() => void) | undefined;

  override async read(path: string) {
    this.reads += 1;
    const text = await super.read(path);
    await new Promise(setImmediate);
    return text;
  }

  override async write(path: string, text: string, expected?: ExpectedFile) {
    await new Promise(setImmediate);
    this.meanwhile?.();
    if (expected !== undefined && this.files.get(path) !== expected.text) throw new FileChangedError(path);
    this.writes += 1;
    await super.write(path, text);
  }
}

describe('LockFile', () => {
  let disk: SlowDisk;
  let lock: LockFile;
  beforeEach(() => {
    disk = new SlowDisk();
    lock = new LockFile(disk);
  });

  it('keeps all concurrent changes', async () => {
    const folders = Array.from({ length: 8 }, (_, index) => `emails/${index}`);
    await Promise.all(folders.map((folder) => lock.change(add(folder))));
    const read = await lock.read();
    assert.ok(folders.every((folder) => has(read, folder)));
    assert.equal(disk.writes, folders.length, 'Each change follows the one before, and is written once.');
  });

  it('continues after a failed change', async () => {
    const failing = lock.change(() => {
      throw new Error('No.');
    });
    await Promise.all([assert.rejects(failing, /No\./u), lock.change(add('emails/a'))]);
    assert.ok(has(await lock.read(), 'emails/a'));
  });

  it('reads the file once per cached reader, and again after a change', async () => {
    const readCached = lock.createCachedReader();
    assert.equal(await readCached(), await readCached());
    assert.equal(disk.reads, 1);
    await lock.change(add('emails/a'));
    const before = disk.reads;
    assert.ok(has(await readCached(), 'emails/a'));
    await readCached();
    assert.equal(disk.reads, before + 1);
    await lock.createCachedReader()();
    assert.equal(disk.reads, before + 2, 'Another reader reads it again.');
  });

  it('writes nothing without a change', async () => {
    await lock.change((same) => same);
    assert.equal(disk.files.size, 0);
  });

  it('keeps a concurrent change by Git', async () => {
    disk.meanwhile = () => {
      disk.meanwhile = undefined;
      disk.files.set(lockName, add('emails/git')(Lock.read()).toString());
    };
    await lock.change(add('emails/a'));
    const read = await lock.read();
    assert.ok(has(read, 'emails/git') && has(read, 'emails/a'));
  });

  it('reports an error if the file keeps changing', async () => {
    let count = 0;
    disk.meanwhile = () => disk.files.set(lockName, add(`emails/${(count += 1)}`)(Lock.read()).toString());
    await assert.rejects(lock.change(add('emails/a')), {
      message: `Couldn't write ${lockName}: it changed in the meantime. Try again.`,
    });
  });

  it('never rewrites a lock of a newer version', async () => {
    const newer = '{"version":2,"templates":{"emails/a":{}},"more":true}';
    disk.files.set(lockName, newer);
    await assert.rejects(lock.change(add('emails/a')), /it has version 2.*Update Mailing Studio/u);
    assert.equal(disk.files.get(lockName), newer);
  });

  it('keeps the concurrent changes of several processes', async function () {
    const root = makeScratch();
    try {
      const module = (name: string) => JSON.stringify(new URL(`../../../../src/${name}.ts`, import.meta.url).href);
      writeFileSync(
        join(root, 'window.mjs'),
        `
        import { withFileLock } from ${module('sync/exclusive')};
        import { LockFile } from ${module('sync/push/lock')};
        import { NodeFiles } from ${module('sync/files')};
        const [, , root, window] = process.argv;
        const lock = new LockFile(new NodeFiles(root), (task) => withFileLock(root + '/locks/lock', task));
        for (let index = 0; index < 15; index += 1) {
          await lock.change((before) => before.with(window + '/' + index, 'production', ${JSON.stringify(base('x'))}));
        }`,
      );
      const windows = ['one', 'two', 'three'];
      await Promise.all(
        windows.map((window) => promisify(execFile)(process.execPath, [join(root, 'window.mjs'), root, window])),
      );
      const read = Lock.read(readFileSync(join(root, lockName), 'utf8'));
      for (const window of windows)
        for (let index = 0; index < 15; index += 1) assert.ok(has(read, `${window}/${index}`), `${window}/${index}`);
    } finally {
      removeScratch(root);
    }
  });
});
