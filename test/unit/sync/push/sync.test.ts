import assert from 'node:assert/strict';
import { contentHash } from '../../../../src/sync/fields/fields.ts';
import { Clone, Service, lockName, target } from '../fixtures.ts';

describe('Sync', () => {
  let service: Service;
  let clone: Clone;
  beforeEach(async () => {
    service = new Service();
    clone = new Clone(service);
    await clone.pull();
  });
  const edit = (field: string, change: (text: string) => string) => clone.edit(field, change);

  it('has no differences after the first pull', async () => {
    assert.equal(clone.disk.files.get('emails/welcome/body.html'), service.texts['body']);
    assert.deepEqual(JSON.parse(clone.disk.files.get('emails/welcome/template.json') ?? ''), {
      name: 'Welcome',
      subject: 'Hello',
    });
    assert.deepEqual(await clone.getChanges(), {});
    assert.deepEqual(await clone.push(), { kind: 'same' });
    assert.equal(service.stored.length, 0);
  });

  it('reports changed fields with the side of the change and ignores line ends', async () => {
    edit('body', (text) => `${text.replaceAll('\n', '\r\n')}\r\n\r\n`);
    assert.deepEqual(await clone.getChanges(), {});
    edit('body', (text) => `${text}six`);
    service.texts['subject'] = 'Good morning';
    service.texts['stylesheet'] += '\na {}';
    edit('stylesheet', (text) => `b {}\n${text}`);
    assert.deepEqual(await clone.getChanges(), { body: 'push', subject: 'pull', stylesheet: 'both' });
  });

  it('stores only changed fields', async () => {
    edit('subject', (text) => text.replace('Hello', 'Good evening'));
    assert.deepEqual(await clone.push(), { kind: 'stored', fields: ['subject'], storedDifferently: [] });
    assert.deepEqual(
      service.stored.map(({ fields }) => fields),
      [{ subject: 'Good evening' }],
    );
    assert.deepEqual(await clone.getChanges(), {});
  });

  it('refuses a push until changes of the service are pulled', async () => {
    edit('subject', (text) => text.replace('Hello', 'Good evening'));
    service.texts['body'] = 'one\nnew\nthree\nfour\nfive';
    assert.deepEqual(await clone.push(), { kind: 'newer', fields: ['body'] });
    assert.equal(service.stored.length, 0);
    assert.deepEqual(await clone.pull(), { kind: 'pulled', updated: ['body'], merged: [], conflicts: [], skipped: [] });
    assert.deepEqual(await clone.push(), { kind: 'stored', fields: ['subject'], storedDifferently: [] });
  });

  it('merges changes in different lines', async () => {
    edit('body', (text) => text.replace('one', 'ONE'));
    service.texts['body'] = 'one\ntwo\nthree\nfour\nFIVE';
    const pulled = await clone.pull();
    assert.deepEqual(pulled, { kind: 'pulled', updated: [], merged: ['body'], conflicts: [], skipped: [] });
    assert.equal(clone.read('body'), 'ONE\ntwo\nthree\nfour\nFIVE');
    assert.deepEqual(await clone.getChanges(), { body: 'push' });
    await clone.push();
    assert.equal(service.texts['body'], 'ONE\ntwo\nthree\nfour\nFIVE');
  });

  it('marks conflicting changes and never pushes the markers', async () => {
    edit('body', (text) => text.replace('two', 'mine'));
    service.texts['body'] = service.texts['body']?.replace('two', 'theirs') ?? '';
    edit('subject', (text) => text.replace('Hello', 'Mine'));
    service.texts['subject'] = 'Theirs';
    const pulled = await clone.pull();
    assert.deepEqual(pulled.kind === 'pulled' && [...pulled.conflicts].sort(), ['body', 'subject']);
    assert.match(clone.read('body'), /^one\n<<<<<<< this folder\nmine\n=======\ntheirs\n>>>>>>> Production\nthree/u);
    assert.match(
      clone.read('subject'),
      /<<<<<<< this folder\n {2}"subject": "Mine"\n=======\n {2}"subject": "Theirs"\n>>>>>>> /u,
    );
    const pushed = await clone.push();
    assert.equal(pushed.kind, 'unresolved');
    assert.equal((await clone.pull()).kind, 'unresolved');
    assert.equal(service.stored.length, 0);
    edit('body', (text) => text.replace(/<{7} .*\n(.*)\n={7}\n.*\n>{7} .*/u, '$1'));
    edit('subject', (text) => text.replace(/<{7} .*\n.*\n={7}\n(.*)\n>{7} .*/u, '$1'));
    assert.deepEqual(await clone.push(), { kind: 'stored', fields: ['body'], storedDifferently: [] });
    assert.deepEqual([service.texts['body'], service.texts['subject']], ['one\nmine\nthree\nfour\nfive', 'Theirs']);
  });

  it('reports differences without a base text as conflicts', async () => {
    edit('body', (text) => `${text}\nsix`);
    service.texts['body'] = 'zero\none\ntwo\nthree\nfour\nfive';
    // A colleague's machine has the files and the lock, but no stored versions.
    const other = new Clone(service);
    for (const [path, text] of clone.disk.files) other.disk.files.set(path, text);
    const pulled = await other.pull();
    assert.deepEqual(pulled.kind === 'pulled' && pulled.conflicts, ['body']);
    assert.match(other.read('body'), /zero[\s\S]*six/u);
  });

  it('reports no change if the service normalizes a stored text', async () => {
    service.normalize = (_, text) => text.replaceAll('<br>', '<br />');
    edit('body', (text) => `${text}<br>`);
    assert.deepEqual(await clone.push(), { kind: 'stored', fields: ['body'], storedDifferently: ['body'] });
    assert.deepEqual(await clone.getChanges(), {});
    edit('subject', (text) => text.replace('Hello', 'Bye'));
    assert.deepEqual(await clone.push(), { kind: 'stored', fields: ['subject'], storedDifferently: [] });
    assert.deepEqual(service.stored.at(-1)?.fields, { subject: 'Bye' });
    service.texts['body'] += 'more';
    assert.deepEqual(await clone.getChanges(), { body: 'pull' });
  });

  it('keeps a text that the service did not store as a version when a pull replaces it', async () => {
    service.normalize = (_, text) => text.replace('mine', '');
    edit('body', (text) => `${text}\nmine`);
    await clone.push();
    service.texts['body'] += 'theirs';
    await clone.pull();
    assert.doesNotMatch(clone.read('body'), /mine/u);
    assert.match([...clone.storage.files.values()].join(''), /mine/u);
  });

  it('keeps the file with such a text if the disk refuses the version', async () => {
    service.normalize = (_, text) => text.replace('mine', '');
    edit('body', (text) => `${text}\nmine`);
    await clone.push();
    service.texts['body'] += 'theirs';
    clone.storage.isFull = true;
    await assert.rejects(clone.pull());
    assert.match(clone.read('body'), /mine/u);
  });

  for (const loss of ['lost', 'lostDone', 'lostLate'] as const) {
    it(`recognizes its own text after a lost response: ${loss}`, async () => {
      edit('body', (text) => `${text}\nsix`);
      service.loss = loss;
      await assert.rejects(clone.push());
      edit('body', (text) => `${text}\nseven`);
      clone.restart();
      assert.deepEqual(await clone.getChanges(), { body: 'push' });
      assert.equal((await clone.push()).kind, 'stored');
      // The late store overwrites the newer text.
      service.applyPendingStore();
      assert.deepEqual(await clone.getChanges(), loss === 'lostLate' ? { body: 'push' } : {});
      await clone.push();
      assert.match(service.texts['body'] ?? '', /six\nseven$/u);
    });
  }

  it('pushes a folder that never had the other fields', async () => {
    const other = new Clone(service);
    other.edit('body', () => 'mine');
    assert.deepEqual(await other.getChanges(), { body: 'both', name: 'pull', stylesheet: 'pull', subject: 'pull' });
    assert.deepEqual(await other.push(), { kind: 'noBase', fields: ['body'] });
    assert.deepEqual(await other.push({ body: contentHash(service.texts['body'] ?? '') }), {
      kind: 'stored',
      fields: ['body'],
      storedDifferently: [],
    });
    assert.deepEqual(
      service.stored.map(({ fields }) => fields),
      [{ body: 'mine' }],
    );
    assert.deepEqual(await other.getChanges(), { name: 'pull', stylesheet: 'pull', subject: 'pull' });
  });

  it('records the base of a created template and reports edits made meanwhile', async () => {
    const other = new Clone(new Service());
    other.edit('body', () => 'new<br>');
    other.edit('subject', () => '{ "name": "Fresh", "subject": "Hi" }');
    const sent = { body: 'new<br>', name: 'Fresh', subject: 'Hi' };
    other.service.texts = { name: 'Fresh', subject: 'Hi', body: 'new<br />', stylesheet: '' };
    assert.deepEqual(await other.sync.recordCreated(target, sent), ['body']);
    assert.deepEqual(await other.getChanges(), {});
    other.edit('subject', () => '{ "name": "Fresh", "subject": "Hello" }');
    assert.deepEqual(await other.getChanges(), { subject: 'push' });
    other.service.texts['body'] = 'theirs';
    assert.deepEqual(await other.getChanges(), { subject: 'push', body: 'pull' });
  });

  it('ignores fields that the folder does not have', async () => {
    clone.disk.files.delete(clone.file('stylesheet'));
    assert.deepEqual(await clone.getChanges(), {});
    edit('body', (text) => `${text}\nsix`);
    await clone.push();
    assert.equal(service.texts['stylesheet'], 'p { color: red }');
    service.texts['stylesheet'] = 'p { color: blue }';
    assert.deepEqual(await clone.getChanges(), { stylesheet: 'pull' });
  });

  it('discards changes and stores them as a revision', async () => {
    edit('body', () => 'mine alone');
    edit('subject', (text) => `<<<<<<< a\n${text}\n=======\n>>>>>>> b`);
    assert.deepEqual([...(await clone.discard())].sort(), ['body', 'name', 'subject']);
    assert.deepEqual(await clone.getChanges(), {});
    assert.deepEqual(JSON.parse(clone.read('subject')), {
      name: 'Welcome',
      subject: 'Hello',
    });
    assert.match([...clone.storage.files.values()].join(''), /mine alone/u);
  });

  it('writes one field per line into the lock and reports conflicts without it', async () => {
    const lock = clone.disk.files.get(lockName) ?? '';
    assert.deepEqual(lock.match(/(?<=^ {8}")\w+/gmu), ['body', 'name', 'stylesheet', 'subject']);
    edit('body', (text) => `${text}\nsix`);
    clone.disk.files.set(lockName, 'no lock');
    assert.deepEqual(await clone.getChanges(), { body: 'both' });
  });
});
