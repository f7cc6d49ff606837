import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import {
  parseInterval,
  RefreshTimer,
  type RefreshOutcome,
} from '../../../../../src/features/statistics/host/refreshTimer.ts';

/** A watch whose time goes on when the test says so. */
function start(seconds: number) {
  const pauses: number[] = [];
  const readings: ((outcome: RefreshOutcome) => void)[] = [];
  let planned: (() => void) | undefined;
  const watch = new RefreshTimer(
    () => new Promise((resolve) => readings.push(resolve)),
    (run, ms) => {
      pauses.push(ms / 1000);
      planned = run;
      return () => {
        planned = undefined;
      };
    },
  );
  watch.seconds = seconds;
  watch.visible = true;
  return {
    watch,
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
      await turn();
    },
  };
}

describe('the watch of statistics', () => {
  it('takes the setting as seconds, with a least and a most', () => {
    assert.deepEqual(
      [0, -5, 1, 10, 45.5, 1e9, '30', null, undefined, NaN].map(parseInterval),
      [0, 0, 10, 10, 45.5, 86400, 0, 0, 0, 0],
    );
  });

  it('reads again when the last reading has ended, and never twice at once', async () => {
    const watched = start(10);
    watched.tick();
    assert.equal(watched.readings.length, 1);
    assert.equal(watched.isPlanned, false);
    watched.watch.seconds = 20;
    assert.equal(watched.isPlanned, false);
    await watched.end('succeeded');
    assert.equal(watched.isPlanned, true);
    watched.tick();
    assert.equal(watched.readings.length, 2);
    assert.deepEqual(watched.pauses, [10, 20]);
  });

  it('reads nothing while nobody looks, or where it is off', async () => {
    const watched = start(10);
    watched.watch.visible = false;
    assert.equal(watched.isPlanned, false);
    watched.watch.visible = true;
    watched.tick();
    watched.watch.visible = false;
    await watched.end('succeeded');
    assert.equal(watched.isPlanned, false);
    watched.watch.visible = true;
    assert.equal(watched.isPlanned, true);
    watched.watch.seconds = 0;
    assert.equal(watched.isPlanned, false);
  });

  it('waits longer with each failure, up to half an hour, and as before when it goes well again', async () => {
    const watched = start(60);
    for (let failures = 0; failures < 7; failures += 1) {
      watched.tick();
      await watched.end('failed');
    }
    assert.deepEqual(watched.pauses, [60, 120, 240, 480, 960, 1800, 1800, 1800]);
    watched.tick();
    await watched.end('succeeded');
    assert.equal(watched.pauses.at(-1), 60);
  });

  it('never waits less than its interval', async () => {
    const watched = start(7200);
    watched.tick();
    await watched.end('failed');
    assert.deepEqual(watched.pauses, [7200, 7200]);
  });

  it('ends where it is of no use, until something is read otherwise', async () => {
    const watched = start(10);
    watched.tick();
    await watched.end('stopped');
    assert.deepEqual([watched.isPlanned, watched.watch.isStopped], [false, true]);
    watched.watch.visible = false;
    watched.watch.visible = true;
    assert.equal(watched.isPlanned, false);
    watched.watch.recordOutcome('succeeded');
    assert.deepEqual([watched.isPlanned, watched.watch.isStopped], [true, false]);
  });

  it('goes on after a reading that threw', async () => {
    let planned: (() => void) | undefined;
    const watch = new RefreshTimer(
      async () => {
        throw new Error('It is broken.');
      },
      (run) => {
        planned = run;
        return () => undefined;
      },
    );
    watch.seconds = 10;
    watch.visible = true;
    const first = planned;
    planned = undefined;
    const rejections: unknown[] = [];
    const listen = (reason: unknown): void => void rejections.push(reason);
    process.once('unhandledRejection', listen);
    first?.();
    await turn();
    process.off('unhandledRejection', listen);
    assert.notEqual(planned, undefined);
    assert.deepEqual(rejections, []);
  });

  it('reads nothing after its end', () => {
    const watched = start(10);
    watched.watch.dispose();
    assert.equal(watched.isPlanned, false);
  });
});
