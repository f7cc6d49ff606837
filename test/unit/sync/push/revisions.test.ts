import assert from 'node:assert/strict';
import { PushJournal, PushRunningError } from '../../../../src/sync/requests/pushJournal.ts';
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { makeScratch, removeScratch } from '../../../../scripts/lib/scratch.mjs';
import { contentHash } from '../../../../src/sync/fields/fields.ts';
import { RevisionStore } from '../../../../src/sync/push/revisions.ts';
import { StateFiles } from '../../../../src/sync/stateFiles.ts';
import { Disk, toBaseUrl } from '../fixtures.ts';

describe('StateFiles', () => {
  let folder: string;
  beforeEach(() => {
    folder = makeScratch();
  });
  afterEach(() => removeScratch(folder));

  it('reads written files and returns undefined for missing ones', async () => {
    const files = new StateFiles(join(folder, 'made', 'with the first'));
    await files.write('a.json', 'text');
    assert.equal(await files.read('a.json'), 'text');
    assert.equal(await files.read('b.json'), undefined);
  });

  it('explains why a file is not written', async () => {
    writeFileSync(join(folder, 'taken'), '');
    const files = new StateFiles(join(folder, 'taken'));
    await assert.rejects(files.write('a.json', 'text'), /^Error: Couldn't write .+a\.json: .+\. Check the file/u);
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
      const journal = new PushJournal(new StateFiles(state), toBaseUrl);
      await journal.findPending({ connection: 'p', id: 7 }, {});
      await assert.rejects(journal.recordSend({ connection: 'p', id: 7 }, { body: 'x' }), /is a link/u);
      const versions = new StateFiles(join(state, 'versions'));
      await assert.rejects(versions.write('a.json', 'x'), /is a link/u);
      await assert.rejects(versions.delete('lib.1.so'), /is a link/u);
      await assert.rejects(versions.read('lib.1.so'), /is a link/u);
      assert.deepEqual(readdirSync(other), ['lib.1.so']);
    } finally {
      removeScratch(root);
    }
  });
});

describe('PushJournal', () => {
  it('hides its folder from git, and writes .gitignore only if it is missing or different', async () => {
    const folder = makeScratch();
    try {
      const path = join(folder, '.gitignore');
      const journal = new PushJournal(new StateFiles(folder), toBaseUrl);
      await journal.hideFromGit();
      const { ino } = statSync(path);
      await journal.recordSend({ connection: 'p', id: 7 }, { body: 'x' });
      await journal.runExclusively(() => Promise.resolve());
      assert.equal(statSync(path).ino, ino);
      writeFileSync(path, '');
      await journal.hideFromGit();
      assert.equal(statSync(path).size, 2);
    } finally {
      removeScratch(folder);
    }
  });

  it('keeps an unconfirmed push whose confirmation the disk refuses', async () => {
    const ref = { connection: 'p', id: 7 };
    const disk = new Disk();
    const journal = new PushJournal(disk, toBaseUrl);
    await journal.recordSend(ref, { body: 'sent' });
    disk.isFull = true;
    assert.deepEqual(await journal.findPending(ref, { body: 'sent' }), []);
    assert.equal((await journal.getUnconfirmedHashes(ref)).size, 1);
  });

  it('ignores the claim of an earlier process with the same number', async () => {
    const claim = { pid: process.pid, host: hostname(), at: Date.now(), id: 'x' };
    const folder = makeScratch();
    try {
      const journal = new PushJournal(new StateFiles(folder), toBaseUrl);
      const push = (at: number) => {
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

describe('A claim of a push that ended without deleting it', () => {
  const minute = 60_000;
  for (const [title, claim, isRunning] of [
    ['of this computer, whose process number is used again', { pid: process.ppid, at: -31 * minute }, false],
    ['of this computer, which is still running', { pid: process.pid, at: 0 }, true],
    ['of process 0', { pid: 0, at: 0 }, false],
    ['of process -1', { pid: -1, at: 0 }, false],
    ['of another computer', { host: 'other', at: -29 * minute }, true],
    ['of another computer long ago', { host: 'other', at: -31 * minute }, false],
    ['of another computer, whose clock is a bit ahead', { host: 'other', at: minute }, true],
    ['of another computer, dated in the future', { host: 'other', at: 31 * minute }, false],
    ['of this computer, dated in the future', { pid: process.pid, at: 31 * minute }, false],
  ] as const)
    it(`${isRunning ? 'blocks' : 'does not block'} another push: ${title}`, async () => {
      const now = Date.now();
      const written = { pid: process.pid, host: hostname(), id: 'x', ...claim, at: now + claim.at };
      const folder = makeScratch();
      try {
        const files = new StateFiles(folder);
        await files.write('pushing.json', JSON.stringify(written));
        const pushing = new PushJournal(files, toBaseUrl, () => now).push(() => Promise.resolve('pushed'));
        if (isRunning) await assert.rejects(pushing, PushRunningError);
        else assert.equal(await pushing, 'pushed');
      } finally {
        removeScratch(folder);
      }
    });
});

describe('RevisionStore', () => {
  const ref = { connection: 'p', id: 7 };

  it('drops texts that do not match their hash', async () => {
    const disk = new Disk();
    await new RevisionStore(disk, String).add(ref, { body: 'one' });
    await new RevisionStore(disk, String).add(ref, { body: 'two' });
    for (const [name, text] of disk.files) disk.files.set(name, text.replace('"two"', '"forged"'));
    const store = new RevisionStore(disk, String);
    assert.deepEqual(
      (await store.getRevisions(ref)).map(({ texts }) => texts),
      [{ body: 'one' }],
    );
    assert.equal(await store.getText(ref, contentHash('two')), undefined);
    assert.equal(await store.getText(ref, contentHash('one')), 'one');
  });

  it('stores a text of the service after the same local text', async () => {
    const store = new RevisionStore(new Disk(), String);
    await store.add(ref, { body: 'one' }, true);
    await store.add(ref, { body: 'one' });
    assert.ok((await store.getRevisions(ref)).some(({ isLocal }) => isLocal !== true));
  });

  it('keeps one of equal revisions, the last, and that the service had it', async () => {
    const store = new RevisionStore(new Disk(), String);
    await store.add(ref, { body: 'one' });
    await store.add(ref, { body: 'two' }, true);
    await store.add(ref, { body: 'one' }, true);
    assert.deepEqual(
      (await store.getRevisions(ref)).map(({ texts, isLocal = false }) => [texts['body'], isLocal]),
      [
        ['one', false],
        ['two', true],
      ],
    );
  });

  it('keeps the revisions that several windows add at the same time', async () => {
    const folder = makeScratch();
    try {
      const bodies = Array.from({ length: 6 }, (_, at) => `text ${at}`);
      const open = () => new RevisionStore(new StateFiles(folder), String);
      await Promise.all(bodies.map((body) => open().add(ref, { body }, true)));
      const found = (await open().getRevisions(ref)).map(({ texts }) => texts['body']);
      assert.deepEqual(found.toSorted(), bodies);
    } finally {
      removeScratch(folder);
    }
  });

  it('returns also the revisions that are still being added', async () => {
    const folder = makeScratch();
    try {
      const store = new RevisionStore(new StateFiles(folder), String);
      const adding = store.add(ref, { body: 'one' });
      assert.equal((await store.getRevisions(ref)).length, 1);
      await adding;
    } finally {
      removeScratch(folder);
    }
  });

  it('adds none if the earlier ones can’t be read, which would replace them', async () => {
    const disk = new Disk();
    const store = new RevisionStore(disk, String);
    await store.add(ref, { body: 'one' });
    disk.read = () => Promise.reject(new Error('EMFILE'));
    await assert.rejects(store.add(ref, { body: 'two' }), /EMFILE/u);
  });

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

  it('deletes the oldest files above the size limit, but none of the last hour', async () => {
    const folder = makeScratch();
    try {
      const hour = 60 * 60 * 1000;
      const now = Date.now();
      const open = (maxBytes: number, at: number) =>
        new RevisionStore(new StateFiles(folder), String, () => at, maxBytes);
      const store = open(3000, now);
      const ages = [5, 4, 3, 2, 1, 0];
      for (const id of ages) {
        const before = new Set(readdirSync(folder));
        await store.add({ connection: 'p', id }, { body: 'x'.repeat(900) });
        const [name = ''] = readdirSync(folder).filter((each) => !before.has(each));
        const written = new Date(now - hour * id);
        utimesSync(join(folder, name), written, written);
      }
      const count = (id: number) => store.getRevisions({ connection: 'p', id }).then(({ length }) => length);
      assert.deepEqual(await Promise.all(ages.map(count)), [0, 0, 0, 0, 1, 1]);
      await open(100, now - 5 * hour).add({ connection: 'p', id: 6 }, { body: 'x'.repeat(900) });
      assert.equal(readdirSync(folder).length, 3);
    } finally {
      removeScratch(folder);
    }
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
    const open = () => new PushJournal(disk, toBaseUrl, () => now);
    const count = async () => (await open().getUnconfirmedHashes(ref)).get('body')?.size;
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
