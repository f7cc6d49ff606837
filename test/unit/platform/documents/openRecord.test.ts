import assert from 'node:assert/strict';
import { CHECK_DELAYS_MS } from '../../../../src/platform/documents/uncertainWrites.ts';
import { flushTasks, getAddress, Stage, useFakeTimers } from './stage.ts';

const HOUR_MS = 60 * 60_000;

describe('OpenRecord', () => {
  useFakeTimers();
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.openEdited();
  });

  it('keeps text typed during a save as unsaved', async () => {
    const release = stage.hold('update');
    const saving = stage.save();
    await flushTasks();
    assert.equal(stage.state, 'saving');
    stage.edit('mine and on', 'saving');
    release();
    assert.equal(await saving, true);
    assert.equal(stage.state, 'dirty');
    await stage.saveBody('clean');
    stage.end('mine and on', 2);
  });

  it('stores an edit, and one that restores the earlier text', async () => {
    await stage.saveBody('clean');
    stage.edit('first');
    await stage.saveBody('clean');
    stage.end('first', 2);
  });

  it('stays dirty when the service refuses the update', async () => {
    stage.faults.push({ request: 'update', end: 'refused' });
    await stage.failToSave('dirty');
    await stage.saveBody('clean');
    stage.end('mine', 1);
  });

  it('sends nothing over the text of another user until the user agrees', async () => {
    stage.write({ body: 'theirs' });
    await stage.failToSave('inConflict');
    await stage.failToSave('inConflict');
    stage.overwrite();
    await stage.saveBody('clean');
    stage.end('mine', 1, ['conflict', 'theirs']);
  });

  it('limits the agreement to overwrite to one text and one save', async () => {
    stage.write({ body: 'theirs' });
    await stage.failToSave('inConflict');
    stage.write({ body: 'theirs again' });
    stage.overwrite();
    await stage.failToSave('inConflict');
    stage.overwrite();
    await stage.saveBody('clean');
    stage.edit('mine and on');
    stage.write({ body: 'theirs again' });
    await stage.failToSave('inConflict');
    const again = ['conflict', 'theirs again'] as const;
    stage.end('theirs again', 1, ['conflict', 'theirs'], again, again);
  });

  it('bases new edits on the text of another user after Revert', async () => {
    stage.write({ body: 'theirs' });
    await stage.failToSave('inConflict');
    await stage.reload();
    assert.equal(stage.state, 'clean');
    stage.edit('mine');
    await stage.saveBody('clean');
    stage.end('mine', 1, ['conflict', 'theirs']);
  });

  it('sends nothing if another user wrote the same text', async () => {
    stage.write({ body: 'mine' });
    await stage.saveBody('clean');
    stage.end('mine', 0);
  });

  it('stores the edit when a deleted record is restored', async () => {
    stage.storedRecord = undefined;
    await stage.failToSave('deleted');
    stage.write({ body: 'first', style: 'first' });
    assert.equal(stage.state, 'deleted');
    await stage.record.read();
    assert.equal(stage.state, 'dirty');
    await stage.saveBody('clean');
    stage.end('mine', 1);
  });

  it('sends nothing to a record that became read-only', async () => {
    stage.write({ body: 'sealed' });
    await stage.failToSave('dirty');
    stage.end('sealed', 0);
  });

  it('stays dirty when the service ignores the update, and shows the stored text when it changes it', async () => {
    stage.storeFields = () => ({});
    await stage.failToSave('dirty');
    stage.storeFields = () => ({ body: 'mine, tidied' });
    await stage.saveBody('clean');
    assert.equal(stage.editor('body').text, 'mine, tidied');
    stage.end('mine, tidied', 2, ['differently', 'mine, tidied']);
  });

  it('stores an edit after a restart of the window, and detects a conflict', async () => {
    stage.restart();
    assert.equal(stage.state, 'dirty');
    stage.write({ body: 'theirs' });
    await stage.failToSave('inConflict');
    stage.write({ body: 'first' });
    await stage.saveBody('clean');
    stage.end('mine', 1, ['conflict', 'theirs']);
  });

  it('opens all documents with one request', async () => {
    stage = new Stage();
    await Promise.all([stage.open('body'), stage.record.read({ freshness: 'recent' })]);
    await stage.open('style');
    await stage.record.read({ freshness: 'any' });
    await stage.record.read({ freshness: 'recent' });
    assert.deepEqual(stage.requests, ['read']);
    stage.write({ style: 'theirs' });
    await stage.open('style');
    assert.equal(stage.editor('style').text, 'theirs', 'a document that is opened again is read again');
    await stage.wait(5000);
    await stage.record.read({ freshness: 'recent', purpose: 'something else' });
    assert.deepEqual(stage.requests, ['read', 'read', 'read']);
  });

  it('saves any number of documents with three requests', async () => {
    stage = await Stage.open('body', 'style');
    stage.type('mine');
    stage.type('mine', 'style');
    stage.requests.length = 0;
    assert.deepEqual(await Promise.all([stage.save('body'), stage.save('style')]), [true, true]);
    assert.deepEqual(stage.requests, ['read', 'update', 'read']);
    assert.deepEqual(stage.updates, [{ body: 'mine', style: 'mine' }]);
    assert.deepEqual(stage.changed, [], 'the editors already show the stored text');
  });

  it('waits for a save that has begun, with a time limit', async () => {
    stage = await Stage.open('body', 'style');
    stage.type('mine');
    stage.record.beginSave(getAddress('style'));
    const saving = stage.save('body');
    await flushTasks();
    assert.deepEqual(stage.updates, []);
    await stage.wait(1000);
    assert.equal(await saving, true);
    assert.deepEqual(stage.updates, [{ body: 'mine' }]);
  });

  it('does not overlap saves', async () => {
    stage = await Stage.open('body', 'style');
    stage.type('mine');
    const release = stage.hold('update');
    const saving = stage.save();
    await flushTasks();
    stage.type('mine', 'style');
    stage.requests.length = 0;
    const other = stage.save('style');
    await flushTasks();
    assert.deepEqual(stage.requests, [], 'it waits');
    release();
    assert.deepEqual([await saving, await other], [true, true]);
    assert.deepEqual(stage.requests, ['update', 'read', 'read', 'update', 'read']);
  });

  it('stays deleted if the response to an earlier read comes late', async () => {
    stage = await Stage.open('body');
    const release = stage.hold('read');
    const older = stage.record.read();
    await flushTasks();
    stage.storedRecord = undefined;
    stage.record.markDeleted();
    release();
    await older;
    assert.equal(stage.state, 'deleted');
  });

  it('reports changes by another user only to editors that show another text', async () => {
    stage = await Stage.open('body', 'style');
    stage.write({ body: 'theirs' });
    await stage.record.read();
    assert.deepEqual(stage.changed, [getAddress('body').uri.toString()]);
  });

  it('detects a conflict with a tab under an older name that is saved at the same time', async () => {
    const older = getAddress('body', 'Older');
    stage.record.getDocument(older).recordRead('first');
    const [saved, message] = await Promise.all([stage.save(), stage.writeText(older, 'other')]);
    assert.equal(saved, true);
    assert.match(String(message), /changed on the service/u);
    stage.end('mine', 1, ['conflict', 'mine']);
  });

  it('ignores a response that is older than the last one', async () => {
    for (const freshness of ['shared', 'new'] as const) {
      stage = new Stage();
      assert.deepEqual(
        [await stage.readLate(freshness), stage.record.lastRead],
        [stage.storedRecord, stage.storedRecord],
      );
    }
  });

  it('does not store a text that can not be parsed', async () => {
    stage = await Stage.open('body');
    stage.type('unreadable');
    assert.match(String(await stage.save()), /can not be read/u);
    assert.deepEqual([stage.state, stage.updates.length], ['dirty', 0]);
  });
});

describe('OpenRecord after a lost response', () => {
  useFakeTimers();

  /** Loses an update that the service has not stored yet. */
  async function openUncertain() {
    const stage = await Stage.openEdited();
    stage.faults.push({ request: 'update', end: 'lost' });
    const message = await stage.failToSave('unconfirmed');
    assert.match(message, /Your changes may have been saved\. Your text is still in this tab\. Save again/u);
    stage.requests.length = 0;
    return stage;
  }

  /** Loses an update, and saves a newer text. */
  async function openNewer() {
    const stage = await openUncertain();
    stage.edit('mine and on', 'unconfirmed');
    await stage.saveBody('unconfirmed');
    return stage;
  }

  /** Stores an update whose result can't be read back. */
  async function openNotReadBack() {
    const stage = await Stage.openEdited();
    stage.storeFields = (fields) => {
      stage.storeFields = (same) => same;
      stage.faults.push({ request: 'read', end: 'lost' });
      return fields;
    };
    assert.match(
      await stage.failToSave('dirty'),
      /Your changes were saved, but couldn't be read back: The connection was lost/u,
    );
    return stage;
  }

  it('confirms an update by reading when only the response is lost', async () => {
    const stage = await Stage.openEdited();
    stage.faults.push({ request: 'update', end: 'lostDone' });
    await stage.saveBody('clean');
    stage.end('mine', 1);
  });

  it('stays unconfirmed until all checks have run', async () => {
    const stage = await openUncertain();
    await stage.saveBody('unconfirmed');
    await stage.wait(HOUR_MS);
    assert.equal(stage.state, 'unconfirmed');
    await stage.recheck();
    assert.equal(stage.state, 'clean');
    stage.end('mine', 1);
  });

  it('reports a lost save that is stored late over a newer one', async () => {
    const stage = await openNewer();
    stage.write({ body: 'mine' });
    await stage.wait(HOUR_MS);
    assert.equal(stage.state, 'unconfirmed');
    stage.end('mine', 1, ['late', 'mine and on']);
  });

  it('reports no conflict if a lost save is stored before the next one', async () => {
    const stage = await openUncertain();
    stage.write({ body: 'mine' });
    stage.edit('mine and on', 'unconfirmed');
    await stage.saveBody('unconfirmed');
    stage.end('mine and on', 1);
  });

  it('reports a conflict if another user writes while a save is unconfirmed', async () => {
    const stage = await openUncertain();
    stage.write({ body: 'theirs' });
    await stage.failToSave('inConflict');
    stage.end('theirs', 0, ['conflict', 'theirs']);
  });

  it('sends nothing in the next save if a stored text could not be read back', async () => {
    const stage = await openNotReadBack();
    await stage.saveBody('clean');
    stage.end('mine', 1);
  });

  it('reports no conflict with a save whose result could not be read back', async () => {
    const stage = await openNotReadBack();
    stage.edit('mine and on');
    await stage.saveBody('clean');
    stage.end('mine and on', 2);
  });

  it('reports no conflict with a lost save that is stored after all checks', async () => {
    const stage = await openUncertain();
    await stage.wait(HOUR_MS);
    assert.equal(stage.state, 'unconfirmed');
    await stage.recheck();
    assert.equal(stage.state, 'dirty');
    stage.write({ body: 'mine' });
    stage.edit('mine and on');
    await stage.saveBody('clean');
    stage.end('mine and on', 1);
  });

  it('does not report a late save that the next save replaces', async () => {
    const stage = await openNewer();
    stage.write({ body: 'mine' });
    stage.edit('first', 'unconfirmed');
    await stage.saveBody('unconfirmed');
    stage.end('first', 2);
  });

  it('does not report a text of another user as a late save', async () => {
    const stage = await openNewer();
    stage.write({ body: 'theirs' });
    await stage.wait(HOUR_MS);
    assert.equal(stage.state, 'unconfirmed');
    stage.end('theirs', 1);
  });

  it('checks at least three times within a minute, then less often, and once more when the user returns', async () => {
    const stage = await openUncertain();
    await stage.wait(60_000);
    assert.ok(stage.requests.length >= 3, String(stage.requests.length));
    await stage.wait(HOUR_MS);
    assert.equal(stage.requests.length, CHECK_DELAYS_MS.length);
    assert.deepEqual(
      CHECK_DELAYS_MS,
      CHECK_DELAYS_MS.toSorted((one, other) => one - other),
    );
    await stage.recheck();
    assert.equal(stage.requests.length, CHECK_DELAYS_MS.length + 1);
    await stage.recheck();
    assert.equal(stage.requests.length, CHECK_DELAYS_MS.length + 1, 'there are no further checks');
  });

  it('stays unconfirmed if another save is lost during the last check', async () => {
    const stage = await openUncertain();
    await stage.wait(HOUR_MS);
    const release = stage.hold('read');
    const checking = stage.record.uncertainWrites.check();
    await flushTasks();
    delete stage.gates.read;
    stage.faults.push({ request: 'update', end: 'lost' });
    stage.edit('mine and on', 'unconfirmed');
    await stage.failToSave('unconfirmed');
    release();
    await checking;
    assert.equal(stage.state, 'unconfirmed');
    stage.end('first', 0);
  });

  it('checks when a document gains focus, and continues its schedule', async () => {
    const stage = await openUncertain();
    await stage.recheck();
    assert.equal(stage.requests.length, 1);
    await stage.wait(60_000);
    assert.ok(stage.requests.length >= 3);
  });

  it('stays unconfirmed if the last check fails', async () => {
    const stage = await openUncertain();
    await stage.wait(HOUR_MS);
    stage.faults.push({ request: 'read', end: 'lost' });
    await stage.recheck();
    assert.equal(stage.state, 'unconfirmed');
  });

  it('reports another document that the lost update has reset', async () => {
    const stage = await openUncertain();
    await stage.open('style');
    stage.type('newer', 'style');
    assert.equal(await stage.save('style'), true);
    stage.write({ body: 'mine', style: 'first' });
    await stage.wait(60_000);
    assert.deepEqual(stage.shownPrompts, [['late', 'newer']]);
  });

  it('reports a conflict with the text of another user, even if it equals the one before the lost update', async () => {
    const stage = await openUncertain();
    await stage.open('style');
    stage.write({ style: 'theirs' });
    await stage.reload('style');
    stage.type('mine', 'style');
    stage.write({ style: 'first' });
    assert.match(String(await stage.save('style')), /changed on the service/u);
  });

  describe('after its connection was edited', () => {
    const move = (stage: Stage) => {
      stage.connection = { ...stage.connection, baseUrl: 'https://other.example' };
    };

    it('saves nothing to the new address, even if the text there is the base of the edit', async () => {
      const stage = await Stage.openEdited();
      move(stage);
      assert.match(await stage.failToSave('dirty'), /"One" has another URL now: https:\/\/other\.example/u);
      assert.deepEqual(stage.updates, []);
    });

    it('is replaced once no text is unsaved, because the new address has another record', async () => {
      const stage = await Stage.open('body');
      assert.equal(stage.record.isReplaceable, false);
      move(stage);
      assert.equal(stage.record.isReplaceable, true);
      stage.edit('mine');
      assert.equal(stage.record.isReplaceable, false);
    });
  });
});
