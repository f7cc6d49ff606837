import assert from 'node:assert/strict';
import { toServiceRef } from '../../../../src/platform/connections/model.ts';
import type { Fields } from '../../../../src/platform/documents/model.ts';
import { flushTasks, Stage, useFakeTimers, type Letter } from './stage.ts';

const both: Fields = { body: 'mine', style: 'mine' };
const store = async (stage: Stage, fields: Fields | undefined) => {
  const result = await stage.record.store(toServiceRef(stage.connection), () => Promise.resolve(fields));
  return 'after' in result ? (result.after as Letter) : undefined;
};

describe('OpenRecord.store', () => {
  useFakeTimers();
  let stage: Stage;
  beforeEach(() => {
    stage = new Stage();
  });

  it('stores fields once, and only those that differ', async () => {
    assert.deepEqual(await store(stage, { body: 'mine', style: 'first' }), { id: 1, body: 'mine', style: 'first' });
    assert.deepEqual(stage.updates, [{ body: 'mine' }]);
    await store(stage, { body: 'mine' });
    await store(stage, undefined);
    assert.equal(stage.updates.length, 1);
  });

  it('rejects a read-only record', async () => {
    stage.write({ body: 'sealed' });
    await assert.rejects(store(stage, { style: 'mine' }), { message: 'It is sealed.', details: { kind: 'forbidden' } });
    assert.deepEqual([stage.requests, stage.storedRecord?.style], [['read'], 'first']);
  });

  it('succeeds after a lost response only if the record has all fields', async () => {
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
    stage.faults.push({ request: 'update', end: 'refused' });
    const stored = store(stage, both);
    await flushTasks();
    stage.write({ body: 'mine', style: 'mine' });
    await assert.rejects(stored, { outcome: 'refused' });
    assert.deepEqual(stage.requests, ['read', 'update']);
  });

  it('stores nothing if the record was read from another address than the confirmed one', async () => {
    const service = { connection: 'one', baseUrl: 'https://confirmed.example' };
    await assert.rejects(
      stage.record.store(service, () => Promise.resolve({ fields: both })),
      /another URL now/u,
    );
    assert.deepEqual([stage.requests, stage.updates], [[], []]);
  });

  it('waits for a save in progress', async () => {
    stage = await Stage.openEdited();
    const open = stage.hold('update');
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
    stage = await Stage.openEdited();
    const open = stage.hold('update');
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
    stage = await Stage.openEdited();
    stage.faults.push({ request: 'update', end: 'refused' });
    await assert.rejects(store(stage, { style: 'mine' }), { outcome: 'refused' });
    assert.equal(await stage.save(), true);
  });
});
