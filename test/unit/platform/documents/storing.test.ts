import assert from 'node:assert/strict';
import type { DocumentAddress, Fields } from '../../../../src/platform/documents/model.ts';
import { flushTasks, getAddress, Stage, useFakeTimers, type Letter } from './stage.ts';

const both: Fields = { body: 'mine', style: 'mine' };
const store = async (stage: Stage, fields: Fields | undefined): Promise<Letter | undefined> =>
  (await stage.record.store(() => Promise.resolve({ fields }))).after as Letter | undefined;

describe('OpenRecord.store', () => {
  useFakeTimers();

  it('stores fields once, and only those that differ', async () => {
    const stage = new Stage();
    assert.deepEqual(await store(stage, { body: 'mine', style: 'first' }), { id: 1, body: 'mine', style: 'first' });
    assert.deepEqual(stage.updates, [{ body: 'mine' }]);
    await store(stage, { body: 'mine' });
    await store(stage, undefined);
    assert.equal(stage.updates.length, 1);
  });

  it('rejects a read-only record', async () => {
    const stage = new Stage();
    stage.write({ body: 'sealed' });
    await assert.rejects(store(stage, { style: 'mine' }), { message: 'It is sealed.', reason: 'readOnly' });
    assert.deepEqual([stage.requests, stage.storedRecord?.style], [['read'], 'first']);
  });

  it('succeeds after a lost response only if the record has all fields', async () => {
    const stage = new Stage();
    stage.faults.push({ request: 'update', end: 'lostDone' });
    assert.deepEqual(await store(stage, both), { id: 1, ...both });
    stage.write({ body: 'first', style: 'first' });
    stage.faults.push({ request: 'update', end: 'lost' });
    await assert.rejects(store(stage, both), { outcome: 'unknown' });
    stage.faults.push({ request: 'update', end: 'lostDone' });
    stage.storeFields = ({ body }) => ({ body });
    await assert.rejects(store(stage, both), { outcome: 'unknown' });
    assert.deepEqual(stage.storedRecord, { id: 1, body: 'mine', style: 'first' });
  });

  it('fails if the service refused the fields, whatever the record has', async () => {
    const stage = new Stage();
    stage.faults.push({ request: 'update', end: 'refused' });
    const stored = store(stage, both);
    await flushTasks();
    stage.write({ body: 'mine', style: 'mine' });
    await assert.rejects(stored, { outcome: 'refused' });
    assert.deepEqual(stage.requests, ['read', 'update']);
  });

  it('waits for a save in progress', async () => {
    const stage = new Stage();
    await stage.open();
    stage.type('mine');
    const open = stage.holdUpdates();
    const saving = stage.save();
    await flushTasks();
    stage.requests.length = 0;
    const stored = store(stage, { style: 'mine' });
    await flushTasks();
    assert.deepEqual(stage.requests, []);
    open();
    assert.equal(await saving, true);
    assert.deepEqual(await stored, { id: 1, ...both });
    assert.deepEqual(stage.requests, ['update', 'read', 'read', 'update', 'read']);
  });

  it('delays the next save', async () => {
    const stage = new Stage();
    await stage.open();
    stage.type('mine');
    const open = stage.holdUpdates();
    const stored = store(stage, { style: 'mine' });
    await flushTasks();
    stage.requests.length = 0;
    const saving = stage.save();
    await flushTasks();
    assert.deepEqual(stage.requests, []);
    open();
    assert.deepEqual(await stored, { id: 1, body: 'first', style: 'mine' });
    assert.equal(await saving, true);
    assert.deepEqual(stage.storedRecord, { id: 1, ...both });
  });

  it('does not block the next save when it fails', async () => {
    const stage = new Stage();
    await stage.open();
    stage.type('mine');
    stage.faults.push({ request: 'update', end: 'refused' });
    await assert.rejects(store(stage, { style: 'mine' }), { outcome: 'refused' });
    assert.equal(await stage.save(), true);
  });
});

describe('OpenRecord', () => {
  useFakeTimers();

  it('detects a conflict with a tab under an older name that is saved at the same time', async () => {
    const stage = new Stage();
    await stage.open();
    stage.type('mine');
    const uri = {
      ...getAddress('body').uri,
      toString: () => 'mailing://one/letters/1/Older.html',
    } as DocumentAddress['uri'];
    const older: DocumentAddress = { ...getAddress('body'), uri };
    stage.record.getDocument(older).recordRead('first');
    const [saved, message] = await Promise.all([stage.save(), stage.writeText(older, 'other')]);
    assert.equal(saved, true);
    assert.match(String(message), /changed on the service/u);
    assert.deepEqual([stage.storedRecord?.body, stage.updates.length], ['mine', 1]);
    assert.deepEqual(stage.shownPrompts, [['conflict', 'mine']]);
  });

  it('returns the newest response when responses arrive out of order', async () => {
    const stage = new Stage();
    const open = stage.holdReads();
    const older = stage.record.read({ freshness: 'shared' });
    await flushTasks();
    stage.releaseReads();
    stage.write({ body: 'theirs' });
    await stage.record.read();
    open();
    assert.equal(((await older) as Letter).body, 'theirs');
    assert.equal((stage.record.lastRead as Letter).body, 'theirs');
  });

  it('ignores a response that is older than the last one', async () => {
    const stage = new Stage();
    const open = stage.holdReads();
    const older = stage.record.read();
    await flushTasks();
    stage.releaseReads();
    stage.write({ body: 'theirs' });
    await stage.record.read();
    open();
    await older;
    assert.equal((stage.record.lastRead as Letter).body, 'theirs');
  });
});
