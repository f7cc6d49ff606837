import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Debouncer } from '../../../src/ui/async.ts';

describe('debouncer', () => {
  let now = 0;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(performance, 'now', () => now);
  });
  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
  });

  const pass = async (ms: number) => {
    now += ms;
    mock.timers.tick(ms);
    await setImmediate();
  };

  it('waits longer after tasks that take long, up to a limit, and less again after short ones', async () => {
    const debouncer = new Debouncer(300, 2000);
    const started: number[] = [];
    for (const [duration, delay] of [
      [100, 300],
      [1000, 400],
      [0, 2000],
      [0, 300],
    ] as const) {
      const scheduled = now;
      debouncer.run(() => {
        started.push(now - scheduled);
        return new Promise<void>((resolve) => setTimeout(resolve, duration));
      });
      await pass(delay - 1);
      await pass(1);
      await pass(duration);
    }
    assert.deepEqual(started, [300, 400, 2000, 300]);
  });

  it('runs only the last task, and none after it is disposed', async () => {
    const debouncer = new Debouncer(100);
    const ran: string[] = [];
    debouncer.run(() => ran.push('first'));
    debouncer.run(() => ran.push('second'));
    await pass(100);
    debouncer.run(() => ran.push('third'));
    debouncer.dispose();
    await pass(1000);
    assert.deepEqual(ran, ['second']);
  });
});
