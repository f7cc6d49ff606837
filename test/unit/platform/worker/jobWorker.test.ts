import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import type { Jobs } from '../../../../src/platform/worker/jobs.ts';
import { JobCancelledError, JobWorker, WorkerCrashedError } from '../../../../src/platform/worker/jobWorker.ts';
import type { JobWorkerOptions } from '../../../../src/platform/worker/jobWorker.ts';
import type { FaultyJobs } from '../../../support/worker/thread.ts';

const tricky = new URL('../../../support/worker/thread.ts', import.meta.url);
const own = new URL('../../../../src/platform/worker/thread.ts', import.meta.url);

describe('jobs in a worker', () => {
  const workers: { dispose(): void }[] = [];
  let told: string[] = [];
  const opened = (parts: Partial<JobWorkerOptions> = {}): JobWorker<FaultyJobs> => {
    const worker = new JobWorker<FaultyJobs>({
      script: tricky,
      onCrash: (job, { message }, about) => told.push(`${job}${about === undefined ? '' : ` of ${about}`}: ${message}`),
      ...parts,
    });
    workers.push(worker);
    return worker;
  };

  beforeEach(() => {
    told = [];
  });

  afterEach(() => {
    for (const worker of workers.splice(0)) worker.dispose();
  });

  it('starts with the first job, stays while it is held, and ends when nobody holds it', async () => {
    const worker = opened();
    assert.equal(worker.isStarted, false);
    const [editor, preview] = [worker.hold(), worker.hold()];
    assert.equal(worker.isStarted, false);
    assert.equal(await worker.run('double', { number: 21 }), 42);
    assert.equal(worker.isStarted, true);
    editor.dispose();
    editor.dispose();
    assert.equal(worker.isStarted, true);
    preview.dispose();
    assert.equal(worker.isStarted, false);
    assert.equal(await worker.run('double', { number: 4 }), 8);
    assert.equal(worker.isStarted, false);
  });

  it('does what it has to do before it ends', async () => {
    const worker = opened();
    const editor = worker.hold();
    const results = [1, 2, 3].map((number) => worker.run('double', { number }));
    editor.dispose();
    assert.deepEqual(await Promise.all(results), [2, 4, 6]);
    assert.equal(worker.isStarted, false);
  });

  it('tells what a job has thrown, and goes on', async () => {
    const worker = opened();
    worker.hold();
    await assert.rejects(worker.run('fail', { message: 'No.' }), { message: 'No.' });
    assert.equal(await worker.run('double', { number: 1 }), 2);
    assert.deepEqual(told, []);
  });

  it('drops an older job of the same key, whether it waits or runs', async () => {
    const worker = opened();
    worker.hold();
    const running = worker.run('hang', { ms: 50 }, { key: 'a' });
    const waiting = worker.run('double', { number: 1 }, { key: 'a' });
    const other = worker.run('double', { number: 2 }, { key: 'b' });
    const newest = worker.run('double', { number: 3 }, { key: 'a' });
    await Promise.all([running, waiting].map((dropped) => assert.rejects(dropped, JobCancelledError)));
    assert.deepEqual(await Promise.all([other, newest]), [4, 6]);
  });

  it('drops a job that was cancelled', async () => {
    const worker = opened();
    worker.hold();
    const controller = new AbortController();
    const { signal } = controller;
    const running = worker.run('hang', { ms: 50 }, { signal });
    const waiting = worker.run('double', { number: 1 }, { signal });
    controller.abort();
    await Promise.all([running, waiting].map((dropped) => assert.rejects(dropped, { name: 'AbortError' })));
    await assert.rejects(worker.run('double', { number: 1 }, { signal }), JobCancelledError);
    assert.equal(await worker.run('double', { number: 2 }), 4);
  });

  it('tells a crash once for each job, and starts again with the next', async () => {
    const worker = opened();
    worker.hold();
    const crashing = worker.run('crash', { code: 3 });
    const waiting = worker.run('double', { number: 5 });
    await assert.rejects(crashing, WorkerCrashedError);
    assert.equal(await waiting, 10);
    await assert.rejects(worker.run('crash', { code: 3 }), WorkerCrashedError);
    assert.equal(await worker.run('double', { number: 6 }), 12);
    assert.deepEqual(told, ['crash: It ended by itself, with code 3.']);
  });

  it('ends a job that takes all memory', async () => {
    const worker = opened({ MEMORY_LIMIT_MB: 32 });
    worker.hold();
    await assert.rejects(worker.run('fill', { size: 100_000 }), WorkerCrashedError);
    assert.equal(await worker.run('double', { number: 7 }), 14);
    assert.match(told.join('\n'), /^fill: .*memory/u);
  });

  it('ends a job that takes all time', async () => {
    const worker = opened({ jobTimeoutMs: 2_000 });
    worker.hold();
    await assert.rejects(worker.run('hang', { ms: 600_000 }), WorkerCrashedError);
    assert.equal(await worker.run('double', { number: 7 }), 14);
    assert.deepEqual(told, ['hang: “hang” took more than 2 seconds.']);
  });

  it('interrupts a job that keeps others waiting, and runs it again after them', async () => {
    const worker = opened({ timeSliceMs: 100 });
    worker.hold();
    const done: string[] = [];
    const slow = worker.run('hang', { ms: 500 }).then(() => done.push('slow'));
    const others = [1, 2].map(async (number) => done.push(String(await worker.run('double', { number }))));
    await Promise.all([slow, ...others]);
    assert.deepEqual(done, ['2', '4', 'slow']);
    assert.deepEqual(told, []);
  });

  it('fails a job that keeps others waiting again, and reports what it works on once', async () => {
    const worker = opened({ timeSliceMs: 100 });
    worker.hold();
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const slow = worker.run('hang', { ms: 600_000 }, { about: 'Welcome' });
      assert.equal(await worker.run('double', { number: 3 }), 6);
      const [result] = await Promise.all([
        worker.run('double', { number: 4 }),
        assert.rejects(slow, WorkerCrashedError),
      ]);
      assert.equal(result, 8);
    }
    assert.deepEqual(told, ['hang of Welcome: “hang” took more than 0.1 seconds.']);
  });

  it('interrupts a job that nobody needs any more', async () => {
    const worker = opened({ timeSliceMs: 100 });
    worker.hold();
    const dropped = worker.run('hang', { ms: 600_000 }, { key: 'a' });
    const [result] = await Promise.all([
      worker.run('double', { number: 5 }, { key: 'a' }),
      assert.rejects(dropped, JobCancelledError),
    ]);
    assert.equal(result, 10);
    assert.deepEqual(told, []);
  });

  it('lets a job that keeps nobody waiting go on', async () => {
    const worker = opened({ timeSliceMs: 50 });
    worker.hold();
    assert.equal(await worker.run('hang', { ms: 300 }), 'late');
  });

  it('refuses what can not be handed over', async () => {
    const worker = opened();
    worker.hold();
    const input = { number: 1, way: () => 1 };
    await assert.rejects(worker.run('double', input), { name: 'DataCloneError' });
    assert.equal(await worker.run('double', { number: 1 }), 2);
  });

  it('drops everything when the window closes', async () => {
    const worker = opened();
    worker.hold();
    const all = [worker.run('hang', { ms: 60_000 }), worker.run('double', { number: 1 })];
    worker.dispose();
    await Promise.all(all.map((dropped) => assert.rejects(dropped, JobCancelledError)));
    assert.equal(worker.isStarted, false);
    assert.deepEqual(told, []);
  });

  it('checks and composes emails', async () => {
    assert.ok(existsSync(own));
    const worker = new JobWorker<Jobs>({
      script: own,
      onCrash: (job, error) => assert.fail(`${job}: ${error.message}`),
    });
    workers.push(worker);
    worker.hold();
    const email = { body: '<p>Hello {subtag:name}</p><img src="https://example.com/a.png">' };
    const [{ findings, bytes }, sent] = await Promise.all([
      worker.run('check', { email, options: { profile: 'acymailing' } }),
      worker.run('compose', { email, options: { profile: 'acymailing', site: 'https://example.com' } }),
    ]);
    assert.ok(findings.some(({ rule }) => rule === '12'));
    assert.ok(bytes !== undefined && bytes > 0);
    assert.match(sent.html, /\{subtag:name\}/u);
    assert.equal(sent.bytes, Buffer.byteLength(sent.html));
  });
});
