import assert from 'node:assert/strict';
import type { DocumentAddress, Fields } from '../../../../src/platform/documents/model.ts';
import { addressOf, Stage, type Letter } from './stage.ts';

/** A promise, and what resolves it. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
const both: Fields = { body: 'mine', style: 'mine' };
const store = (stage: Stage, fields: Fields | undefined): Promise<Letter> =>
  stage.record.store(() => Promise.resolve(fields)) as Promise<Letter>;

describe('fields that no editor shows', () => {
  it('are stored once, and only those that differ', async () => {
    const stage = new Stage();
    assert.deepEqual(await store(stage, { body: 'mine', style: 'first' }), { id: 1, body: 'mine', style: 'first' });
    assert.deepEqual(stage.updates, [{ body: 'mine' }]);
    await store(stage, { body: 'mine' });
    await store(stage, undefined);
    assert.equal(stage.updates.length, 1);
  });

  it('are not stored in a read-only record', async () => {
    const stage = new Stage();
    stage.write({ body: 'sealed' });
    await assert.rejects(store(stage, { style: 'mine' }), { message: 'It is sealed.', reason: 'readOnly' });
    assert.deepEqual([stage.requests, stage.held?.style], [['read'], 'first']);
  });

  it('count as stored after a lost response only if the record has all of them', async () => {
    const stage = new Stage();
    stage.faults.push({ request: 'update', end: 'lostDone' });
    assert.deepEqual(await store(stage, both), { id: 1, ...both });
    stage.write({ body: 'first', style: 'first' });
    stage.faults.push({ request: 'update', end: 'lost' });
    await assert.rejects(store(stage, both), { outcome: 'unknown' });
    stage.faults.push({ request: 'update', end: 'lostDone' });
    stage.keeps = ({ body }) => ({ body });
    await assert.rejects(store(stage, both), { outcome: 'unknown' });
    assert.deepEqual(stage.held, { id: 1, body: 'mine', style: 'first' });
  });

  it('count as refused if the service refused them, whatever the record has', async () => {
    const stage = new Stage();
    stage.faults.push({ request: 'update', end: 'refused' });
    const stored = store(stage, both);
    await turns();
    stage.write({ body: 'mine', style: 'mine' });
    await assert.rejects(stored, { outcome: 'refused' });
    assert.deepEqual(stage.requests, ['read', 'update']);
  });

  it('wait for the save that is under way', async () => {
    const stage = new Stage();
    await stage.open();
    stage.type('mine');
    const { opened, open } = gate();
    stage.gate = opened;
    const saving = stage.save();
    await turns();
    stage.requests.length = 0;
    const stored = store(stage, { style: 'mine' });
    await turns();
    assert.deepEqual(stage.requests, []);
    open();
    assert.equal(await saving, true);
    assert.deepEqual(await stored, { id: 1, ...both });
    assert.deepEqual(stage.requests, ['update', 'read', 'read', 'update', 'read']);
  });

  it('hold up the next save', async () => {
    const stage = new Stage();
    await stage.open();
    stage.type('mine');
    const { opened, open } = gate();
    stage.gate = opened;
    const stored = store(stage, { style: 'mine' });
    await turns();
    stage.requests.length = 0;
    const saving = stage.save();
    await turns();
    assert.deepEqual(stage.requests, []);
    open();
    assert.deepEqual(await stored, { id: 1, body: 'first', style: 'mine' });
    assert.equal(await saving, true);
    assert.deepEqual(stage.held, { id: 1, ...both });
  });

  it('do not hold up the next save for ever if they are refused', async () => {
    const stage = new Stage();
    await stage.open();
    stage.type('mine');
    stage.faults.push({ request: 'update', end: 'refused' });
    await assert.rejects(store(stage, { style: 'mine' }), { outcome: 'refused' });
    assert.equal(await stage.save(), true);
  });
});

describe('a record', () => {
  it('does not overwrite a document by its tab under an older name, saved at the same time', async () => {
    const stage = new Stage();
    await stage.open();
    stage.type('mine');
    const uri = {
      ...addressOf('body').uri,
      toString: () => 'mailing://one/letters/1/Older.html',
    } as DocumentAddress['uri'];
    const older: DocumentAddress = { ...addressOf('body'), uri };
    stage.record.getDocument(older).recordRead('first');
    const results = await Promise.allSettled([stage.save(), stage.record.save(older, 'other')]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected'],
    );
    assert.deepEqual([stage.held?.body, stage.updates.length], ['mine', 1]);
    assert.deepEqual(stage.told, [['conflict', 'mine']]);
  });

  it('is known by the newest response, whatever order responses come in', async () => {
    const stage = new Stage();
    const { opened, open } = gate();
    stage.lateReads = opened;
    const older = stage.record.read();
    await turns();
    stage.lateReads = undefined;
    stage.write({ body: 'theirs' });
    await stage.record.readFresh();
    open();
    assert.equal(((await older) as Letter).body, 'theirs');
    assert.equal((stage.record.lastRead as Letter).body, 'theirs');
  });

  it('keeps the newest response if an older one comes after it', async () => {
    const stage = new Stage();
    const { opened, open } = gate();
    stage.lateReads = opened;
    const older = stage.record.readFresh();
    await turns();
    stage.lateReads = undefined;
    stage.write({ body: 'theirs' });
    await stage.record.readFresh();
    open();
    await older;
    assert.equal((stage.record.lastRead as Letter).body, 'theirs');
  });
});
