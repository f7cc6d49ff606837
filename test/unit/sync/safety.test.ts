import assert from 'node:assert/strict';
import { contentHash, type FieldTexts } from '../../../src/sync/fields/fields.ts';
import { FileChangedError } from '../../../src/sync/files.ts';
import { FolderChangedError } from '../../../src/sync/mapping/folder.ts';
import type { Target } from '../../../src/sync/mapping/mapping.ts';
import { hasMarks } from '../../../src/sync/merge/merge.ts';
import { Clone, Service, names, target } from './fixtures.ts';

describe('syncing a mapped folder never', () => {
  let service: Service;
  let clone: Clone;
  beforeEach(async () => {
    service = new Service();
    clone = new Clone(service);
    await clone.pull();
  });
  const read = (field: string) => clone.read(field);
  const edit = (field: string, change: (text: string) => string) => clone.edit(field, change);

  describe('stores anything that the confirmation did not show:', () => {
    for (const [title, field, change] of [
      ['another text', 'body', () => 'checked out'],
      ['a line end more', 'body', (text: string) => `${text}\n`],
      ['the previous text', 'body', () => 'one\ntwo\nthree\nfour\nfive'],
      ['another field', 'subject', (text: string) => text.replace('Hello', 'Good evening')],
    ] as const) {
      it(title, async () => {
        edit('body', (text) => `${text}\nsix`);
        const texts = await clone.getConfirmedTexts();
        assert.deepEqual(Object.keys(texts), ['body']);
        edit(field, change);
        assert.deepEqual(await clone.push({}, texts), { kind: 'changed', fields: [field] });
        assert.deepEqual([service.stored, clone.storage.files.size > 1], [[], false]);
      });
    }

    it('another text over a version that the user chose to overwrite', async () => {
      edit('body', () => 'mine');
      service.texts['body'] = 'theirs';
      const overwrite = { body: contentHash('theirs') };
      const texts = await clone.getConfirmedTexts(overwrite);
      edit('body', () => 'mine, later');
      assert.deepEqual(await clone.push(overwrite, texts), { kind: 'changed', fields: ['body'] });
      assert.equal((await clone.push(overwrite)).kind, 'stored');
      assert.equal(service.texts['body'], 'mine, later');
    });
  });

  it('overwrites a version that the user has not read, or a field that the folder does not have', async () => {
    edit('body', () => 'mine');
    service.texts['body'] = 'theirs';
    const texts = await clone.getConfirmedTexts({ body: contentHash('theirs') });
    const others: readonly FieldTexts[] = [{}, { body: contentHash('other') }, { subject: contentHash('theirs') }];
    for (const overwrite of others)
      assert.deepEqual(await clone.push(overwrite, texts), { kind: 'newer', fields: ['body'] });
    edit('body', () => 'one\ntwo\nthree\nfour\nfive');
    service.texts['stylesheet'] = 'theirs';
    clone.disk.files.delete(clone.file('stylesheet'));
    const overwrite = { body: contentHash('theirs'), stylesheet: contentHash('theirs') };
    assert.deepEqual(await clone.push(overwrite), { kind: 'newer', fields: ['stylesheet'] });
    assert.equal(service.stored.length, 0);
  });

  it('pushes or discards anything that the disk refuses to record', async () => {
    edit('body', () => 'mine');
    service.texts['subject'] = 'theirs';
    clone.storage.isFull = true;
    await assert.rejects(clone.push(), /^Error: Couldn't record the request, so nothing was sent\. .+disk is full/u);
    await assert.rejects(clone.discard(), /disk is full/u);
    assert.deepEqual([service.stored.length, read('body')], [0, 'mine']);
    assert.equal((await clone.pull()).kind, 'pulled');
    clone.storage.isFull = false;
    assert.equal((await clone.push()).kind, 'stored');
    assert.equal(service.texts['body'], 'mine');
  });

  it('discards changes that the confirmation did not show', async () => {
    edit('body', () => 'mine');
    const shown = await clone.sync.compare(target);
    edit('stylesheet', () => 'p { margin: 0 }');
    assert.deepEqual(await clone.sync.discard(target, shown), ['body']);
    assert.equal(read('stylesheet'), 'p { margin: 0 }');
    const shownAgain = await clone.sync.compare(target);
    edit('stylesheet', () => 'p { margin: 1px }');
    await assert.rejects(clone.sync.discard(target, shownAgain), FolderChangedError);
    assert.equal(read('stylesheet'), 'p { margin: 1px }');
  });

  const remains = {
    'the last marker': 'one\n>>>>>>> Production\ntwo',
    'the last two markers': 'one\n=======\ntwo\n>>>>>>> Production',
    'the middle marker': 'one\n=======\ntwo',
    'the middle marker with Windows line ends': 'one\r\n=======\r\ntwo',
    'the first marker': '<<<<<<< this folder\none',
    'the base marker': 'one\n||||||| 4f2a1c\ntwo',
    'a marker without a name': 'one\n>>>>>>>',
    'indented markers': '<div>\n  <<<<<<< this folder\n\tmine\n  =======\n  >>>>>>> Production\n</div>',
  };
  for (const [title, marked] of Object.entries(remains)) {
    it(`pushes or pulls over conflict markers: ${title}`, async () => {
      edit('body', () => marked);
      assert.deepEqual(await clone.push(), { kind: 'unresolved', fields: ['body'] });
      service.texts['body'] = 'theirs';
      assert.deepEqual(await clone.pull(), { kind: 'unresolved', fields: ['body'] });
      assert.deepEqual([service.stored.length, read('body')], [0, marked]);
    });
  }

  it('treats other lines, or lines of the service, as conflict markers', async () => {
    for (const line of ['<<<<<<<<', '========', '=======a', '<p>=======</p>', '<<<<<< six', 'a >>>>>>> b']) {
      assert.equal(hasMarks(`one\n${line}\ntwo`), false, line);
    }
    service.texts['body'] = 'Heading\n=======\ntext';
    assert.equal((await clone.pull()).kind, 'pulled');
    edit('body', (text) => `${text}\nmore`);
    assert.equal((await clone.push()).kind, 'stored');
    edit('body', (text) => `${text}\n>>>>>>> Production`);
    assert.equal((await clone.push()).kind, 'unresolved');
  });

  it('pulls our own unconfirmed text over a newer one, in any window', async () => {
    const other = new Clone(service, clone);
    assert.deepEqual(await other.getChanges(), {});
    edit('body', (text) => `${text}\nsix`);
    service.loss = 'lostLate';
    await assert.rejects(clone.push());
    edit('body', (text) => `${text}\nseven`);
    assert.equal((await clone.push()).kind, 'stored');
    service.applyPendingStore();
    assert.match(service.texts['body'] ?? '', /six$/u);
    for (const window of [other, clone]) {
      assert.deepEqual(await window.getChanges(), { body: 'push' });
      assert.deepEqual(await window.pull(), { kind: 'pulled', updated: [], merged: [], conflicts: [], skipped: [] });
    }
    assert.match(read('body'), /six\nseven$/u);
  });

  it('forgets an unconfirmed push because the same text was pushed again', async () => {
    edit('body', () => 'first');
    service.loss = 'lostLate';
    await assert.rejects(clone.push());
    assert.equal((await clone.push()).kind, 'stored');
    edit('body', () => 'second');
    assert.equal((await clone.push()).kind, 'stored');
    service.applyPendingStore();
    assert.deepEqual([service.texts['body'], await clone.getChanges()], ['first', { body: 'push' }]);
  });

  it('reports a push as failed that was stored, but could not be read back', async () => {
    edit('body', () => 'mine<br>');
    service.loss = 'unread';
    const { readBackError, ...pushed } = (await clone.push()) as { readonly readBackError?: Error };
    assert.deepEqual(pushed, { kind: 'stored', fields: ['body'], storedDifferently: [] });
    assert.match(String(readBackError), /Reading failed/u);
    const now = clone.now;
    // The record of the send expires after an hour.
    for (const later of [now, now + 3_600_000]) {
      clone.now = later;
      clone.restart();
      edit('body', () => 'mine<br>');
      assert.deepEqual(await clone.getChanges(), {});
      edit('body', () => 'mine, later');
      assert.deepEqual(await clone.getChanges(), { body: 'push' });
    }
  });

  it('treats a text as a remote change that may derive from an unconfirmed push', async () => {
    edit('body', () => 'mine<br>');
    service.loss = 'unread';
    await clone.push();
    service.texts['body'] = 'mine<br />';
    assert.deepEqual(await clone.getChanges(), { body: 'both' });
  });

  it('writes into a built file', async () => {
    const built: Target = { ...target, template: { ...target.template, output: 'dist/welcome.html' } };
    clone.disk.files.set('dist/welcome.html', 'built');
    service.texts = { ...service.texts, body: 'theirs', subject: 'Theirs' };
    assert.deepEqual(await clone.sync.pull(built, names), {
      kind: 'pulled',
      updated: ['subject'],
      merged: [],
      conflicts: [],
      skipped: ['body'],
    });
    assert.equal(clone.disk.files.get('dist/welcome.html'), 'built');
    service.texts['subject'] = 'Theirs, later';
    assert.deepEqual(await clone.sync.discard(built, await clone.sync.compare(built)), ['subject']);
    assert.equal(clone.disk.files.get('dist/welcome.html'), 'built');
    assert.equal(read('body'), 'one\ntwo\nthree\nfour\nfive');
  });

  it('stores or writes anything after it was canceled', async () => {
    edit('body', () => 'mine');
    const texts = await clone.getConfirmedTexts();
    await assert.rejects(clone.sync.push(target, { texts }, AbortSignal.abort()), { name: 'AbortError' });
    assert.deepEqual([service.stored, await clone.storage.list('sent')], [[], []]);
    service.texts['subject'] = 'Theirs';
    await assert.rejects(clone.sync.pull(target, names, AbortSignal.abort()), { name: 'AbortError' });
    assert.match(read('subject'), /Hello/u);
  });

  it('writes a merge result after it was canceled', async () => {
    edit('body', (text) => `mine\n${text}`);
    service.texts['body'] += '\ntheirs';
    const controller = new AbortController();
    clone.merge = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(new DOMException('Canceled.', 'AbortError')));
        controller.abort();
      });
    const before = read('body');
    await assert.rejects(clone.sync.pull(target, names, controller.signal), { name: 'AbortError' });
    assert.equal(read('body'), before);
  });

  for (const [title, field, before, after] of [
    ['a merged text', 'body', 'mine\none', 'typed meanwhile'],
    ['an added line', 'body', 'one\ntwo\nthree\nfour\nfive', 'one\ntwo\nthree\nfour\nfive\nsix'],
    ['a file created meanwhile', 'stylesheet', undefined, ''],
    [
      'a field that both sides changed',
      'subject',
      '{ "name": "Welcome", "subject": "Mine" }',
      '{ "name": "Welcome", "subject": "typed meanwhile" }',
    ],
  ] as const) {
    it(`writes over ${title} while it pulls`, async () => {
      const path = clone.file(field);
      if (before === undefined) clone.disk.files.delete(path);
      else clone.disk.files.set(path, before);
      service.texts[field] = 'theirs';
      const readFile = clone.disk.read.bind(clone.disk);
      let reads = 0;
      clone.disk.read = (file) => {
        if (file === path && (reads += 1) === 2) clone.disk.files.set(path, after);
        return readFile(file);
      };
      await assert.rejects(clone.pull(), FolderChangedError);
      assert.equal(clone.disk.files.get(path), after);
    });
  }

  it('writes over a file that is saved right before it is replaced', async () => {
    edit('body', () => 'mine\none');
    service.texts['body'] += '\ntheirs';
    const path = clone.file('body');
    const write = clone.disk.write.bind(clone.disk);
    clone.disk.write = (name, ...args) => {
      if (name === path) clone.disk.files.set(path, 'typed meanwhile');
      return write(name, ...args);
    };
    await assert.rejects(clone.pull(), FileChangedError);
    assert.equal(read('body'), 'typed meanwhile');
  });

  it('writes over a file that is saved right before any of the reads of a pull', async () => {
    const path = clone.file('body');
    const readFile = clone.disk.read.bind(clone.disk);
    /** Returns the number of reads. */
    const pullWithSave = async (savedBefore: number) => {
      let reads = 0;
      edit('body', () => 'mine\none');
      service.texts['body'] += '\ntheirs';
      clone.disk.read = (name) => {
        if (name === path && (reads += 1) === savedBefore) edit('body', () => 'typed meanwhile');
        return readFile(name);
      };
      const pulling = clone.pull();
      if (savedBefore > 0) await assert.rejects(pulling, Error, String(savedBefore));
      await pulling.catch(() => undefined);
      return reads;
    };
    const count = await pullWithSave(0);
    // The first read is the one that the pull compares.
    assert.ok(count >= 3, String(count));
    for (let save = 2; save <= count; save += 1) {
      await pullWithSave(save);
      assert.equal(read('body'), 'typed meanwhile', String(save));
    }
  });

  it('loses a text that it merges', async () => {
    edit('body', () => 'mine alone');
    service.texts['body'] = 'theirs';
    await clone.pull();
    assert.match([...clone.storage.files.values()].join(''), /mine alone/u);
    // It was never on the service, so it isn't an older text.
    edit('body', () => 'mine alone');
    assert.deepEqual(await clone.getChanges(), { body: 'push' });
  });

  it('keeps the record of a push that was read back', async () => {
    edit('body', () => 'mine');
    assert.equal((await clone.push()).kind, 'stored');
    assert.deepEqual(await clone.storage.list('sent'), []);
    service.texts['body'] = 'theirs';
    assert.deepEqual(await clone.getChanges(), { body: 'pull' });
  });

  for (const loss of [undefined, 'unread'] as const)
    it(`reports a push as failed that was stored, but not recorded in the lock${loss ? ' or read back' : ''}`, async () => {
      edit('body', () => 'mine');
      service.loss = loss;
      const texts = await clone.getConfirmedTexts();
      clone.disk.isFull = true;
      const { lockError, ...pushed } = (await clone.push({}, texts)) as { readonly lockError?: Error };
      assert.match(String(lockError), /disk is full/u);
      assert.equal('kind' in pushed && pushed.kind, 'stored');
      assert.equal(service.texts['body'], 'mine');
      clone.disk.isFull = false;
      clone.restart();
      edit('body', () => 'mine, later');
      assert.deepEqual(await clone.getChanges(), { body: 'push' });
      edit('body', () => 'mine');
      await clone.pull();
      clone.now += 3_600_000;
      edit('body', () => 'mine, later');
      assert.deepEqual(await clone.getChanges(), { body: 'push' });
    });

  it('hides that a text was too large to merge line by line', async () => {
    clone.merge = () => Promise.resolve({ text: 'both', hasConflict: true, isTooLarge: true });
    edit('body', () => 'mine');
    service.texts['body'] = 'theirs';
    assert.deepEqual(await clone.pull(), {
      kind: 'pulled',
      updated: [],
      merged: [],
      conflicts: ['body'],
      skipped: [],
      tooLarge: ['body'],
    });
    assert.equal(read('body'), 'both');
  });
});
