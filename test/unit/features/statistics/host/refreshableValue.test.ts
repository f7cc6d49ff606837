import assert from 'node:assert/strict';
import {
  CANCELED_MESSAGE,
  RefreshableValue,
  formatReadTime,
} from '../../../../../src/features/statistics/host/refresh.ts';
import type { LoadState } from '../../../../../src/features/statistics/model.ts';

function start() {
  const published: LoadState<number>[] = [];
  const state = new RefreshableValue<number>((reading) => published.push(reading));
  const last = () => {
    const reading = published.at(-1);
    return (
      reading && {
        kind: reading.kind,
        value: reading.value,
        ...(reading.kind === 'failed' ? { message: reading.message } : {}),
      }
    );
  };
  return { state, published, last };
}

describe('RefreshableValue', () => {
  it('publishes the loading and loaded states', () => {
    const { state, published, last } = start();
    state.publish();
    assert.deepEqual(published, []);
    state.start();
    assert.deepEqual(last(), { kind: 'loading', value: undefined });
    state.succeed(1);
    assert.deepEqual(last(), { kind: 'loaded', value: 1 });
    assert.equal(state.isCurrent, true);
    state.start();
    assert.deepEqual(last(), { kind: 'loading', value: 1 });
  });

  it('keeps the last value and its time after failures', () => {
    const { state, published, last } = start();
    const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000);
    state.succeed(1, yesterday);
    state.start();
    state.fail('It is broken.');
    assert.deepEqual(last(), { kind: 'failed', value: 1, message: 'It is broken.' });
    assert.equal(published.at(-1)?.at, formatReadTime(yesterday));
    state.start();
    state.fail('It is still broken.');
    assert.deepEqual(last(), { kind: 'failed', value: 1, message: 'It is still broken.' });
    state.succeed(2);
    assert.deepEqual(last(), { kind: 'loaded', value: 2 });
    assert.notEqual(published.at(-1)?.at, formatReadTime(yesterday));
  });

  it('restores the previous state when a read is canceled', () => {
    const { state, published, last } = start();
    state.start();
    state.cancel();
    assert.deepEqual(last(), { kind: 'failed', value: undefined, message: CANCELED_MESSAGE });
    state.succeed(1);
    state.start();
    state.cancel();
    assert.deepEqual(last(), { kind: 'loaded', value: 1 });
    state.fail('It is broken.');
    state.start();
    state.cancel();
    assert.deepEqual(last(), { kind: 'failed', value: 1, message: 'It is broken.' });
    const { length } = published;
    state.cancel();
    assert.equal(published.length, length);
  });

  it('publishes a partial value only without an earlier value or on request', () => {
    const { state, last } = start();
    state.reportPartial(5);
    assert.equal(last(), undefined);
    state.start();
    state.reportPartial(5);
    assert.deepEqual(last(), { kind: 'loading', value: 5 });
    state.cancel();
    assert.deepEqual(last(), { kind: 'failed', value: undefined, message: CANCELED_MESSAGE });
    state.succeed(9);
    state.start();
    state.reportPartial(5);
    assert.deepEqual(last(), { kind: 'loading', value: 9 });
    state.reportPartial(5, true);
    assert.deepEqual(last(), { kind: 'loading', value: 5 });
    state.fail('It is broken.');
    assert.deepEqual(last(), { kind: 'failed', value: 9, message: 'It is broken.' });
  });

  it('formats the time with the date if it is not today', () => {
    const at = new Date(2026, 10, 20, 8, 24, 55);
    assert.match(formatReadTime(at, new Date(2026, 10, 20, 23)), /^\D*8:24:55/u);
    assert.match(formatReadTime(at, new Date(2026, 10, 21, 1)), /2026.*8:24:55/u);
  });
});
