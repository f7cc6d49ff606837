import assert from 'node:assert/strict';
import {
  cancelledMessage,
  ReadingState,
  readAtText,
} from '../../../../../src/features/statistics/host/readingState.ts';
import type { Reading } from '../../../../../src/features/statistics/model.ts';

function start() {
  const told: Reading<number>[] = [];
  const state = new ReadingState<number>((reading) => told.push(reading));
  const last = (): unknown => {
    const reading = told.at(-1);
    return (
      reading && {
        kind: reading.kind,
        value: reading.kind === 'known' ? reading.value : reading.last,
        ...(reading.kind === 'failed' ? { message: reading.message } : {}),
      }
    );
  };
  return { state, told, last };
}

describe('something that is read again and again', () => {
  it('is loading, then known', () => {
    const { state, told, last } = start();
    state.replay();
    assert.deepEqual(told, []);
    state.start();
    assert.deepEqual(last(), { kind: 'loading', value: undefined });
    state.settle(1);
    assert.deepEqual(last(), { kind: 'known', value: 1 });
    assert.equal(state.isKnown, true);
    state.start();
    assert.deepEqual(last(), { kind: 'loading', value: 1 });
  });

  it('keeps the last good value with its time through failures', () => {
    const { state, told, last } = start();
    const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000);
    state.settle(1, yesterday);
    state.start();
    state.fail('It is broken.');
    assert.deepEqual(last(), { kind: 'failed', value: 1, message: 'It is broken.' });
    assert.equal(told.at(-1)?.at, readAtText(yesterday));
    state.start();
    state.fail('It is still broken.');
    assert.deepEqual(last(), { kind: 'failed', value: 1, message: 'It is still broken.' });
    state.settle(2);
    assert.deepEqual(last(), { kind: 'known', value: 2 });
    assert.notEqual(told.at(-1)?.at, readAtText(yesterday));
  });

  it('is what it was before, where the reading is given up', () => {
    const { state, told, last } = start();
    state.start();
    state.giveUp();
    assert.deepEqual(last(), { kind: 'failed', value: undefined, message: cancelledMessage });
    state.settle(1);
    state.start();
    state.giveUp();
    assert.deepEqual(last(), { kind: 'known', value: 1 });
    state.fail('It is broken.');
    state.start();
    state.giveUp();
    assert.deepEqual(last(), { kind: 'failed', value: 1, message: 'It is broken.' });
    const { length } = told;
    state.giveUp();
    assert.equal(told.length, length);
  });

  it('shows a part only where there is no whole, or where it is told to', () => {
    const { state, last } = start();
    state.progress(5);
    assert.equal(last(), undefined);
    state.start();
    state.progress(5);
    assert.deepEqual(last(), { kind: 'loading', value: 5 });
    state.giveUp();
    assert.deepEqual(last(), { kind: 'failed', value: undefined, message: cancelledMessage });
    state.settle(9);
    state.start();
    state.progress(5);
    assert.deepEqual(last(), { kind: 'loading', value: 9 });
    state.progress(5, true);
    assert.deepEqual(last(), { kind: 'loading', value: 5 });
    state.fail('It is broken.');
    assert.deepEqual(last(), { kind: 'failed', value: 9, message: 'It is broken.' });
  });

  it('names the day where that is not today', () => {
    const at = new Date(2026, 10, 20, 8, 24, 55);
    assert.match(readAtText(at, new Date(2026, 10, 20, 23)), /^\D*8:24:55/u);
    assert.match(readAtText(at, new Date(2026, 10, 21, 1)), /2026.*8:24:55/u);
  });
});
