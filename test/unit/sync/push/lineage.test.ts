import assert from 'node:assert/strict';
import { contentHash } from '../../../../src/sync/fields/fields.ts';
import { compareOrigin } from '../../../../src/sync/merge/merge.ts';
import { Clone, Service, target } from '../fixtures.ts';

const first = 'one\ntwo\nthree\nfour\nfive';
const second = 'one\nTWO of a colleague\nthree\nfour\nfive';

describe('a lock that belongs to another branch', () => {
  let service: Service;
  let clone: Clone;
  beforeEach(async () => {
    service = new Service();
    clone = new Clone(service);
    await clone.pull();
    service.texts['body'] = second;
    await clone.pull();
  });
  const checkOut = (body: string) => clone.edit('body', () => body);

  it('never lets a push store an earlier text over a change that was pulled on the other branch', async () => {
    checkOut(first);
    assert.deepEqual(await clone.getChanges(), { body: 'pull' });
    assert.deepEqual(await clone.push(), { kind: 'older', fields: ['body'] });
    assert.deepEqual([service.texts['body'], service.stored.length], [second, 0]);
    await clone.pull();
    assert.deepEqual([clone.read('body'), await clone.getChanges()], [second, {}]);
  });

  for (const [title, edit, merged] of [
    ['elsewhere', 'one\ntwo\nthree\nfour\nfive\nmine', `${second}\nmine`],
    ['in the next line', 'one\ntwo\nTHREE of mine\nfour\nfive', undefined],
  ] as const)
    it(`merges an edit of an earlier text ${title} with its own base`, async () => {
      checkOut(edit);
      assert.deepEqual(await clone.getChanges(), { body: 'both' });
      assert.deepEqual(await clone.push(), { kind: 'older', fields: ['body'] });
      await clone.pull();
      assert.deepEqual([service.texts['body'], service.stored.length], [second, 0]);
      if (merged === undefined)
        assert.match(clone.read('body'), /TWO of a colleague[^]*THREE of mine|THREE of mine[^]*TWO of a colleague/u);
      else assert.equal(clone.read('body'), merged);
    });

  for (const [title, body, kind, forgets] of [
    ['the text', second, 'older'],
    ['an edit of the text', second.replace('one', 'ONE of mine'), 'newer'],
    ['an edit with a part of the pushed text', second.replace('four', 'FOUR of mine'), 'newer'],
    ['the text (in a window that has no versions)', second, 'noBase', true],
    ['an edit of the text (in a window that has no versions)', second.replace('one', 'ONE of mine'), 'noBase', true],
  ] as const)
    it(`never stores ${title} of another branch over a push that a crash left unrecorded`, async () => {
      const pushed = second.replace('four', 'FOUR of mine').replace('five', 'FIVE of mine');
      checkOut(pushed);
      const lock = clone.disk.files.get('mailing.lock.json');
      service.loss = 'unread';
      await clone.push();
      clone.disk.files.set('mailing.lock.json', lock ?? '');
      clone.restart();
      for (const path of clone.storage.files.keys())
        if (forgets && /^[^/]+\.json$/u.test(path)) clone.storage.files.delete(path);
      checkOut(body);
      assert.deepEqual(await clone.push(), { kind, fields: ['body'] });
      assert.equal(service.texts['body'], pushed);
      await clone.pull();
      assert.match(clone.read('body'), /FIVE of mine/u);
    });

  it('merges a text that is several versions old with the version that it comes from', async () => {
    service.texts['stylesheet'] = 'a {}';
    await clone.pull();
    service.texts['body'] = second.replace('five', 'FIVE of a colleague');
    await clone.pull();
    checkOut(`mine\n${first}`);
    assert.deepEqual(await clone.push(), { kind: 'older', fields: ['body'] });
    await clone.pull();
    assert.equal(clone.read('body'), 'mine\none\nTWO of a colleague\nthree\nfour\nFIVE of a colleague');
  });

  it('does not hide a change of the service after the switch', async () => {
    service.texts['body'] = second.replace('five', 'later');
    checkOut(first);
    assert.deepEqual(await clone.getChanges(), { body: 'pull' });
    assert.deepEqual(await clone.push(), { kind: 'older', fields: ['body'] });
  });

  it('stores nothing if the branch is switched while the push waits for its confirmation, even when asked again', async () => {
    checkOut(`${second}\nmine`);
    const texts = await clone.getConfirmedTexts();
    assert.deepEqual(Object.keys(texts), ['body']);
    checkOut(first);
    assert.deepEqual(await clone.push({}, texts), { kind: 'changed', fields: ['body'] });
    assert.deepEqual(await clone.push(), { kind: 'older', fields: ['body'] });
    assert.equal(service.stored.length, 0);
  });

  for (const [title, edit] of [
    ['the changed line', second.replace('TWO of a colleague', 'two of mine')],
    ['a line beside it', second.replace('three', 'THREE')],
    ['everything', 'another text'],
  ] as const)
    it(`pushes an edit of the current text: ${title}`, async () => {
      checkOut(edit);
      assert.deepEqual(await clone.getChanges(), { body: 'push' });
      assert.equal((await clone.push()).kind, 'stored');
    });

  it('pushes a text that undoes one of several changes', async () => {
    service.texts['body'] = `${second}\nsix`;
    await clone.pull();
    service.texts['body'] = 'ONE\nTWO of a colleague\nthree\nfour\nfive';
    await clone.pull();
    checkOut('ONE\nTWO of a colleague\nthree\nfour\nfive\nsix');
    assert.deepEqual(await clone.getChanges(), { body: 'push' });
  });

  it('pushes a commit that returns to an earlier text, because its history has the later one', async () => {
    clone.history.push({ body: first }, { body: second }, { body: first });
    checkOut(first);
    assert.deepEqual(await clone.getChanges(), { body: 'push' });
    assert.equal((await clone.push()).kind, 'stored');
  });

  it('pushes an earlier state as it is after the user restored it, and treats it as older again after the next pull', async () => {
    checkOut(first);
    clone.sync.lineage.acceptOlder(target);
    assert.deepEqual(await clone.getChanges(), { body: 'push' });
    assert.equal((await clone.push()).kind, 'stored');
    assert.equal(service.texts['body'], first);
    clone.sync.lineage.acceptOlder(target);
    service.texts['body'] = second;
    await clone.pull();
    checkOut(first);
    assert.deepEqual(await clone.getChanges(), { body: 'pull' });
    assert.deepEqual(await clone.push(), { kind: 'older', fields: ['body'] });
  });

  it('pushes an earlier state that the user restored, once', async () => {
    checkOut(`${first}\nmine`);
    clone.sync.lineage.acceptOlder(target);
    assert.deepEqual(await clone.getChanges(), { body: 'push' });
    assert.equal((await clone.push()).kind, 'stored');
    checkOut(second);
    assert.deepEqual(await clone.getChanges(), { body: 'pull' });
  });

  it('pushes a text that was discarded before and is typed again', async () => {
    checkOut(`${second}\nmine`);
    await clone.discard();
    checkOut(`${second}\nmine`);
    assert.deepEqual(await clone.getChanges(), { body: 'push' });
  });

  it('overwrites the service with an earlier text if the user chose to', async () => {
    checkOut(first);
    const { remote } = await clone.sync.compare(target);
    assert.equal((await clone.push({ body: contentHash(remote['body'] ?? '') })).kind, 'stored');
  });

  describe('in a clone that has no earlier versions,', () => {
    beforeEach(() => {
      clone.storage.files.clear();
      clone.restart();
    });
    const commit = (...texts: readonly string[]) => clone.history.unshift(...texts.map((body) => ({ body })));

    it('pushes a commit that comes from the text of the lock', async () => {
      commit(`${second}\nmine`, second, first);
      checkOut(`${second}\nmine`);
      assert.deepEqual(await clone.getChanges(), { body: 'push' });
    });

    for (const [title, ...commits] of [
      ['does not come from it', `${first}\nmine`, first],
      ['may not come from it, because the history is not there', `${first}\nmine`],
    ] as const)
      it(`refuses a commit that ${title}`, async () => {
        commit(...commits);
        checkOut(`${first}\nmine`);
        assert.deepEqual(await clone.getChanges(), { body: 'both' });
        assert.deepEqual(await clone.push(), { kind: 'noBase', fields: ['body'] });
        assert.equal(service.stored.length, 0);
      });

    it('refuses a commit that does not come from it, even if the disk stores no versions', async () => {
      clone.storage.isFull = true;
      commit(`${first}\nmine`, first);
      checkOut(`${first}\nmine`);
      assert.deepEqual(await clone.getChanges(), { body: 'both' });
    });

    it('pushes a commit after the text of the lock was pushed without a commit', async () => {
      commit(`${second}\nmine`, first);
      checkOut(`${second}\nmine`);
      assert.deepEqual(await clone.getChanges(), { body: 'push' });
    });

    it('pushes an edit of a pulled text before its commit', async () => {
      commit(first);
      checkOut(second.replace('TWO of a colleague', 'two of mine'));
      assert.deepEqual(await clone.getChanges(), { body: 'push' });
    });
  });
});

describe('compareOrigin', () => {
  for (const [title, text, older, newer, expected] of [
    ['the older lines', '1 a b', '1 a', '2 a', 'older'],
    ['the newer lines', '2 a b', '1 a', '2 a', 'newer'],
    ['lines of both', '2 a b c', '1 a b', '2 a x', 'newer'],
    ['newer lines among equal ones', 'a 1 x b x', 'a x', 'a x b x', 'newer'],
    ['neither', '3 a', '1 a', '2 a', undefined],
    ['no added line', '0 1 a', '1 a', '1 a b', 'older'],
    ['another line instead of the added one', '1 a c', '1 a', '1 a b', undefined],
    ['a removed line', '1 a b', '1 a', '1', 'older'],
    ['more of a repeated line', '6 3 3 9 a b p', '3 9 a b p', '3 9 a b 3 3 9 a b p', 'newer'],
    ['equal versions', '1 b', '1', '1', undefined],
  ] as const)
    it(`finds ${title}`, () => {
      const [one, two, three] = [text, older, newer].map((line) => line.replaceAll(' ', '\n')) as [
        string,
        string,
        string,
      ];
      assert.equal(compareOrigin(one, two, three), expected);
    });

  it('compares elements of a single line', () => {
    assert.equal(compareOrigin('<p>1</p><p>c</p>', '<p>1</p><p>b</p>', '<p>2</p><p>b</p>'), 'older');
    assert.equal(compareOrigin('<p>2</p><p>c</p>', '<p>1</p><p>b</p>', '<p>2</p><p>b</p>'), 'newer');
  });

  it('does not take tags for what texts have in common', () => {
    assert.equal(compareOrigin('<p>Pushed</p>', '<p>First</p>', 'Typed'), undefined);
    assert.equal(compareOrigin('<p>First, pushed</p>\n<hr>', '<p>First, pushed</p>\n<br>', 'Typed'), 'older');
  });
});
