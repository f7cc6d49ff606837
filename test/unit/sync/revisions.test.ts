import assert from 'node:assert/strict';
import { PushJournal, PushRunningError } from '../../../src/sync/pushJournal.ts';
import { existsSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { makeScratch, removeScratch } from '../../../scripts/lib/scratch.mjs';
import { RevisionFiles, RevisionStore } from '../../../src/sync/revisions.ts';
import { Disk } from './fixtures.ts';

describe('RevisionFiles', () => {
  let folder: string;
  beforeEach(() => {
    folder = makeScratch();
  });
  afterEach(() => removeScratch(folder));

  it('reads written files and returns undefined for missing ones', async () => {
    const files = new RevisionFiles(join(folder, 'made', 'with the first'));
    await files.write('a.json', 'text');
    assert.equal(await files.read('a.json'), 'text');
    assert.equal(await files.read('b.json'), undefined);
  });

  it('deletes the oldest files above the size limit, but none of the last hour', async () => {
    const hour = 60 * 60 * 1000;
    const now = Date.now();
    const files = new RevisionFiles(folder, 1000, () => now);
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const [index, name] of names.entries()) {
      await files.write(name, 'x'.repeat(300));
      const written = new Date(now - hour * (names.length - index));
      utimesSync(join(folder, name), written, written);
    }
    await files.write('f', 'x'.repeat(300));
    assert.deepEqual(readdirSync(folder).sort(), ['d', 'e', 'f']);
    const recent = new RevisionFiles(folder, 100, () => now - 5 * hour);
    await recent.write('g', 'x'.repeat(300));
    assert.equal(readdirSync(folder).length, 4);
  });
});

describe('Links in a state folder', () => {
  it('lead to no other folder, which would lose files', async function () {
    if (process.platform === 'win32') return this.skip();
    const root = makeScratch();
    try {
      const [state, other] = [join(root, '.mailing'), join(root, 'other')];
      for (const path of [state, other]) mkdirSync(path);
      writeFileSync(join(other, 'lib.1.so'), 'x');
      for (const name of ['sent', 'versions']) symlinkSync(other, join(state, name));
      const journal = new PushJournal(new RevisionFiles(state), String);
      await journal.findPending({ connection: 'p', id: 7 }, {});
      await assert.rejects(journal.recordSend({ connection: 'p', id: 7 }, { body: 'x' }), /is a link/u);
      const versions = new RevisionFiles(join(state, 'versions'));
      await versions.write('a.json', 'x');
      await versions.delete('lib.1.so');
      assert.deepEqual([readdirSync(other), await versions.read('lib.1.so')], [['lib.1.so'], undefined]);
    } finally {
      removeScratch(root);
    }
  });
});

describe('PushJournal', () => {
  it('ignores the claim of an earlier process with the same number', async () => {
    const claim = { pid: process.pid, host: hostname(), at: Date.now(), id: 'x' };
    const folder = makeScratch();
    try {
      const journal = new PushJournal(new RevisionFiles(folder), String);
      const push = (at: number): Promise<string> => {
        writeFileSync(join(folder, 'pushing.json'), JSON.stringify({ ...claim, at }));
        return journal.push(() => Promise.resolve('pushed'));
      };
      await assert.rejects(push(Date.now()), PushRunningError);
      assert.equal(await push(performance.timeOrigin - 1000), 'pushed');
      assert.ok(!existsSync(join(folder, 'pushing.json')));
    } finally {
      removeScratch(folder);
    }
  });
});

describe('RevisionStore', () => {
  const ref = { connection: 'p', id: 7 };

  it('keeps the last 20 revisions, newest first, without duplicates', async () => {
    const history = new RevisionStore(new Disk(), String, () => 5);
    for (let number = 0; number < 30; number += 1) {
      await history.add(ref, { body: `text ${number}`, name: 'N' });
      await history.add(ref, { body: `text ${number}`, name: 'N' });
    }
    const states = await history.getRevisions(ref);
    assert.deepEqual(
      states.map(({ texts }) => texts['body']),
      Array.from({ length: 20 }, (_, index) => `text ${29 - index}`),
    );
    assert.ok(states.every(({ at, texts }) => at === 5 && texts['name'] === 'N'));
  });

  it('persists revisions per service and survives a broken file', async () => {
    const disk = new Disk();
    const count = async (service: string, connection = 'p') =>
      (await new RevisionStore(disk, () => service).getRevisions({ connection, id: 7 })).length;
    await new RevisionStore(disk, () => 'https://one').add(ref, { body: 'one' });
    assert.deepEqual([await count('https://one', 'renamed'), await count('https://two')], [1, 0]);
    for (const name of disk.files.keys()) disk.files.set(name, '{ broken');
    assert.equal(await count('https://one'), 0);
  });

  it('returns the hashes of unconfirmed sends for an hour', async () => {
    let now = 0;
    const disk = new Disk();
    const open = (): PushJournal => new PushJournal(disk, String, () => now);
    const count = async () => (await open().getUnconfirmedHashes(ref)).get('body')?.length;
    await open().recordSend(ref, { body: 'sent' });
    assert.equal(await count(), 1);
    now = 3_599_999;
    assert.equal(await count(), 1);
    now = 3_600_000;
    assert.equal(await count(), undefined);
    const answered = await open().recordSend(ref, { body: 'again' });
    await answered();
    assert.equal(await count(), undefined);
  });

  it('limits the total size of the texts', async () => {
    const disk = new Disk();
    const history = new RevisionStore(disk, () => 's');
    for (let number = 0; number < 6; number += 1) await history.add(ref, { body: String(number).repeat(3_000_000) });
    assert.equal((await history.getRevisions(ref)).length, 2);
    assert.ok([...disk.files.values()].join('').length < 8_100_000);
  });
});
