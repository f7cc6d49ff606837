import assert from 'node:assert/strict';
import { setImmediate as nextTick } from 'node:timers/promises';
import {
  parseInterval,
  RefreshTimer,
  type RefreshOutcome,
} from '../../../../../src/features/statistics/host/refresh.ts';

/** Starts a timer that the test advances. */
function start(seconds: number) {
  const pauses: number[] = [];
  const readings: ((outcome: RefreshOutcome) => void)[] = [];
  let planned: (() => void) | undefined;
  const timer = new RefreshTimer(
    () => new Promise((resolve) => readings.push(resolve)),
    (run, ms) => {
      pauses.push(ms / 1000);
      planned = run;
      return () => {
        planned = undefined;
      };
    },
  );
  timer.seconds = seconds;
  timer.visible = true;
  return {
    timer,
    pauses,
    readings,
    get isPlanned() {
      return planned !== undefined;
    },
    tick: () => {
      const run = planned;
      planned = undefined;
      run?.();
    },
    async end(outcome: RefreshOutcome) {
      readings.at(-1)?.(outcome);
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
    const started = start(10);
    started.tick();
    assert.equal(started.readings.length, 1);
    assert.equal(started.isPlanned, false);
    started.timer.seconds = 20;
    assert.equal(started.isPlanned, false);
    await started.end('succeeded');
    assert.equal(started.isPlanned, true);
    started.tick();
    assert.equal(started.readings.length, 2);
    assert.deepEqual(started.pauses, [10, 20]);
  });

  it('does not read while hidden or disabled', async () => {
    const started = start(10);
    started.timer.visible = false;
    assert.equal(started.isPlanned, false);
    started.timer.visible = true;
    started.tick();
    started.timer.visible = false;
    await started.end('succeeded');
    assert.equal(started.isPlanned, false);
    started.timer.visible = true;
    assert.equal(started.isPlanned, true);
    started.timer.seconds = 0;
    assert.equal(started.isPlanned, false);
  });

  it('doubles the pause with each failure up to half an hour, and resets it after a success', async () => {
    const started = start(60);
    for (let failures = 0; failures < 7; failures += 1) {
      started.tick();
      await started.end('failed');
    }
    assert.deepEqual(started.pauses, [60, 120, 240, 480, 960, 1800, 1800, 1800]);
    started.tick();
    await started.end('succeeded');
    assert.equal(started.pauses.at(-1), 60);
  });

  it('never waits less than its interval', async () => {
    const started = start(7200);
    started.tick();
    await started.end('failed');
    assert.deepEqual(started.pauses, [7200, 7200]);
  });

  it('stops after a permanent failure until another read succeeds', async () => {
    const started = start(10);
    started.tick();
    await started.end('stopped');
    assert.deepEqual([started.isPlanned, started.timer.isStopped], [false, true]);
    started.timer.visible = false;
    started.timer.visible = true;
    assert.equal(started.isPlanned, false);
    started.timer.recordOutcome('succeeded');
    assert.deepEqual([started.isPlanned, started.timer.isStopped], [true, false]);
  });

  it('continues after a read that throws', async () => {
    let planned: (() => void) | undefined;
    const timer = new RefreshTimer(
      async () => {
        throw new Error('It is broken.');
      },
      (run) => {
        planned = run;
        return () => undefined;
      },
    );
    timer.seconds = 10;
    timer.visible = true;
    const first = planned;
    planned = undefined;
    const rejections: Error[] = [];
    const listen = (reason: Error): void => void rejections.push(reason);
    process.once('unhandledRejection', listen);
    first?.();
    await nextTick();
    process.off('unhandledRejection', listen);
    assert.notEqual(planned, undefined);
    assert.deepEqual(rejections, []);
  });

  it('does not read after it is disposed', () => {
    const started = start(10);
    started.timer.dispose();
    assert.equal(started.isPlanned, false);
  });
});
