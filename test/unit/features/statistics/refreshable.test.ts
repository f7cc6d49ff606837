import assert from 'node:assert/strict';
import { getCanceledMessage, formatReadTime, Refreshable } from '../../../../src/features/statistics/refresh.ts';
import type { LoadState } from '../../../../src/features/statistics/model.ts';

function start() {
  const published: LoadState<number>[] = [];
  const state = new Refreshable<number>((reading) => published.push(reading));
  /** Checks the kind, value and message of the last state. */
  const expectLast = (...expected: readonly [kind: string, value?: number, message?: string]) => {
    const last = published.at(-1);
    assert.ok(last);
    const message = last.kind === 'failed' ? [last.message] : [];
    assert.deepEqual([last.kind, last.value, ...message], expected);
  };
  return { state, published, expectLast };
}

describe('a refreshable value', () => {
  it('publishes the loading and loaded states', () => {
    const { state, published, expectLast } = start();
    state.publish();
    assert.deepEqual(published, []);
    state.start();
    expectLast('loading', undefined);
    state.succeed(1);
    expectLast('loaded', 1);
    assert.equal(state.isCurrent, true);
    state.start();
    expectLast('loading', 1);
  });

  it('keeps the last value and its time after failures', () => {
    const { state, published, expectLast } = start();
    const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1000);
    state.succeed(1, yesterday);
    for (const message of ['It is broken.', 'It is still broken.']) {
      state.start();
      state.fail(message);
      expectLast('failed', 1, message);
      assert.equal(published.at(-1)?.at, formatReadTime(yesterday));
    }
    state.succeed(2);
    expectLast('loaded', 2);
    assert.notEqual(published.at(-1)?.at, formatReadTime(yesterday));
  });

  it('restores the previous state when a read is canceled', () => {
    const { state, published, expectLast } = start();
    const cancel = () => {
      state.start();
      state.cancel();
    };
    cancel();
    expectLast('failed', undefined, getCanceledMessage());
    state.succeed(1);
    cancel();
    expectLast('loaded', 1);
    state.fail('It is broken.');
    cancel();
    expectLast('failed', 1, 'It is broken.');
    const { length } = published;
    state.cancel();
    assert.equal(published.length, length);
  });

  it('publishes a partial value only without an earlier value or on request', () => {
    const { state, published, expectLast } = start();
    state.reportPartial(5);
    assert.deepEqual(published, []);
    state.start();
    state.reportPartial(5);
    expectLast('loading', 5);
    state.cancel();
    expectLast('failed', undefined, getCanceledMessage());
    state.succeed(9);
    state.start();
    state.reportPartial(5);
    expectLast('loading', 9);
    state.reportPartial(5, true);
    expectLast('loading', 5);
    state.fail('It is broken.');
    expectLast('failed', 9, 'It is broken.');
  });

  it('formats the time with the date if it is not today', () => {
    const at = new Date(2026, 10, 20, 8, 24, 55);
    assert.match(formatReadTime(at, new Date(2026, 10, 20, 23)), /^\D*8:24:55/u);
    assert.match(formatReadTime(at, new Date(2026, 10, 21, 1)), /2026.*8:24:55/u);
  });
});
