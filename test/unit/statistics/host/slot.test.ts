import assert from 'node:assert/strict';
import { cancelledMessage, Slot } from '../../../../src/statistics/host/slot.ts';
import { readAtText } from '../../../../src/statistics/host/readAt.ts';
import type { Reading } from '../../../../src/statistics/model.ts';

function start() {
  const told: Reading<number>[] = [];
  const slot = new Slot<number>((reading) => told.push(reading));
  const last = (): unknown => {
    const reading = told.at(-1);
    return reading && { kind: reading.kind, value: reading.kind === 'known' ? reading.value : reading.last, ...(reading.kind === 'failed' ? { message: reading.message } : {}) };
  };
  return { slot, told, last };
}

describe('something that is read again and again', () => {
  it('is loading, then known', () => {
    const { slot, told, last } = start();
    slot.replay();
    assert.deepEqual(told, []);
    slot.begin();
    assert.deepEqual(last(), { kind: 'loading', value: undefined });
    slot.settle(1);
    assert.deepEqual(last(), { kind: 'known', value: 1 });
    assert.equal(slot.isKnown, true);
    slot.begin();
    assert.deepEqual(last(), { kind: 'loading', value: 1 });
  });

  it('keeps the last good value with its time through failures', () => {
    const { slot, told, last } = start();
    const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000);
    slot.settle(1, yesterday);
    slot.begin();
    slot.fail('It is broken.');
    assert.deepEqual(last(), { kind: 'failed', value: 1, message: 'It is broken.' });
    assert.equal(told.at(-1)?.at, readAtText(yesterday));
    slot.begin();
    slot.fail('It is still broken.');
    assert.deepEqual(last(), { kind: 'failed', value: 1, message: 'It is still broken.' });
    slot.settle(2);
    assert.deepEqual(last(), { kind: 'known', value: 2 });
    assert.notEqual(told.at(-1)?.at, readAtText(yesterday));
  });

  it('is what it was before, where the reading is given up', () => {
    const { slot, told, last } = start();
    slot.begin();
    slot.giveUp();
    assert.deepEqual(last(), { kind: 'failed', value: undefined, message: cancelledMessage });
    slot.settle(1);
    slot.begin();
    slot.giveUp();
    assert.deepEqual(last(), { kind: 'known', value: 1 });
    slot.fail('It is broken.');
    slot.begin();
    slot.giveUp();
    assert.deepEqual(last(), { kind: 'failed', value: 1, message: 'It is broken.' });
    const { length } = told;
    slot.giveUp();
    assert.equal(told.length, length);
  });

  it('shows a part only where there is no whole, or where it is told to', () => {
    const { slot, last } = start();
    slot.progress(5);
    assert.equal(last(), undefined);
    slot.begin();
    slot.progress(5);
    assert.deepEqual(last(), { kind: 'loading', value: 5 });
    slot.giveUp();
    assert.deepEqual(last(), { kind: 'failed', value: undefined, message: cancelledMessage });
    slot.settle(9);
    slot.begin();
    slot.progress(5);
    assert.deepEqual(last(), { kind: 'loading', value: 9 });
    slot.progress(5, true);
    assert.deepEqual(last(), { kind: 'loading', value: 5 });
    slot.fail('It is broken.');
    assert.deepEqual(last(), { kind: 'failed', value: 9, message: 'It is broken.' });
  });

  it('names the day where that is not today', () => {
    const at = new Date(2026, 10, 20, 8, 24, 55);
    assert.match(readAtText(at, new Date(2026, 10, 20, 23)), /^\D*8:24:55/u);
    assert.match(readAtText(at, new Date(2026, 10, 21, 1)), /2026.*8:24:55/u);
  });
});
