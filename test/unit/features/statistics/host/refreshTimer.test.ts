import assert from 'node:assert/strict';
import { setImmediate as nextTick } from 'node:timers/promises';
import {
  parseInterval,
  createRefreshTimer,
  type RefreshOutcome,
} from '../../../../../src/features/statistics/host/refresh.ts';

/** Starts a timer that the test advances. */
function start(seconds: number) {
  const pauses: number[] = [];
  const reads: { readonly resolve: (outcome: RefreshOutcome) => void; readonly reject: (error: Error) => void }[] = [];
  let planned: (() => void) | undefined;
  const read = () => new Promise<RefreshOutcome>((resolve, reject) => reads.push({ resolve, reject }));
  const timer = createRefreshTimer(read, (run, ms) => {
    pauses.push(ms / 1000);
    planned = run;
    return () => {
      planned = undefined;
    };
  });
  timer.setSeconds(seconds);
  timer.setVisible(true);
  const tick = () => {
    const run = planned;
    planned = undefined;
    run?.();
  };
  return {
    timer,
    pauses,
    reads,
    isPlanned: () => planned !== undefined,
    tick,
    /** Starts a read, which ends like this. */
    async run(outcome: RefreshOutcome | Error) {
      tick();
      const last = reads.at(-1);
      if (outcome instanceof Error) last?.reject(outcome);
      else last?.resolve(outcome);
      await nextTick();
    },
  };
}

describe('RefreshTimer', () => {
  it('clamps the setting to the allowed seconds', () => {
    assert.deepEqual(
      [0, -5, 1, 10, 45.5, 1e9, '30', null, undefined, NaN].map(parseInterval),
      [0, 0, 10, 10, 45.5, 86400, 0, 0, 0, 0],
    );
  });

  it('schedules the next read only after the last one ended', async () => {
    const { timer, reads, pauses, isPlanned, tick } = start(10);
    tick();
    assert.deepEqual([reads.length, isPlanned()], [1, false]);
    timer.setSeconds(20);
    assert.equal(isPlanned(), false);
    reads[0]?.resolve('succeeded');
    await nextTick();
    assert.equal(isPlanned(), true);
    tick();
    assert.equal(reads.length, 2);
    assert.deepEqual(pauses, [10, 20]);
  });

  it('does not read while hidden, disabled or disposed', async () => {
    const { timer, isPlanned, run } = start(10);
    timer.setVisible(false);
    assert.equal(isPlanned(), false);
    timer.setVisible(true);
    const ended = run('succeeded');
    timer.setVisible(false);
    await ended;
    assert.equal(isPlanned(), false);
    timer.setVisible(true);
    assert.equal(isPlanned(), true);
    timer.setSeconds(0);
    assert.equal(isPlanned(), false);
    timer.setSeconds(10);
    timer.dispose();
    assert.equal(isPlanned(), false);
  });

  it('doubles the pause with each failure up to half an hour, and resets it after a success', async () => {
    const { pauses, run } = start(60);
    for (let failures = 0; failures < 7; failures += 1) await run('failed');
    assert.deepEqual(pauses, [60, 120, 240, 480, 960, 1800, 1800, 1800]);
    await run('succeeded');
    assert.equal(pauses.at(-1), 60);
  });

  it('never waits less than its interval', async () => {
    const { pauses, run } = start(7200);
    await run('failed');
    assert.deepEqual(pauses, [7200, 7200]);
  });

  it('stops after a permanent failure until another read succeeds', async () => {
    const { timer, isPlanned, run } = start(10);
    await run('stopped');
    assert.deepEqual([isPlanned(), timer.isStopped()], [false, true]);
    timer.setVisible(false);
    timer.setVisible(true);
    assert.equal(isPlanned(), false);
    timer.recordOutcome('succeeded');
    assert.deepEqual([isPlanned(), timer.isStopped()], [true, false]);
  });

  it('continues after a read that throws', async () => {
    const { isPlanned, run } = start(10);
    const rejections: Error[] = [];
    const listen = (reason: Error): void => void rejections.push(reason);
    process.once('unhandledRejection', listen);
    await run(new Error('It is broken.'));
    process.off('unhandledRejection', listen);
    assert.equal(isPlanned(), true);
    assert.deepEqual(rejections, []);
  });
});
