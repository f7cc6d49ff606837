import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import type { Jobs } from '../../../../src/platform/worker/jobs.ts';
import {
  JobCanceledError,
  JobWorker,
  WorkerCrashedError,
  type JobWorkerOptions,
} from '../../../../src/platform/worker/jobWorker.ts';
import type { FaultyJobs } from '../../../support/worker/thread.ts';

const faultyScript = new URL('../../../support/worker/thread.ts', import.meta.url);
const productScript = new URL('../../../../src/platform/worker/jobs.ts', import.meta.url);

describe('The job worker', () => {
  const workers: { dispose(): void }[] = [];
  let crashes: string[] = [];
  const createWorker = (parts: Partial<JobWorkerOptions<FaultyJobs>> = {}) => {
    const worker = new JobWorker<FaultyJobs>({
      script: faultyScript,
      onCrash: (job, { message }, about) =>
        crashes.push(`${job}${about === undefined ? '' : ` of ${about}`}: ${message}`),
      ...parts,
    });
    workers.push(worker);
    return worker;
  };

  const createHeldWorker: typeof createWorker = (parts) => {
    const worker = createWorker(parts);
    worker.hold();
    return worker;
  };

  beforeEach(() => {
    crashes = [];
  });

  afterEach(() => {
    for (const worker of workers.splice(0)) worker.dispose();
  });

  it('starts with the first job, stays while held, and ends after its last job when released', async () => {
    const worker = createWorker();
    assert.equal(worker.isStarted, false);
    const [editor, preview] = [worker.hold(), worker.hold()];
    assert.equal(worker.isStarted, false);
    assert.equal(await worker.run('double', { number: 21 }), 42);
    assert.equal(worker.isStarted, true);
    editor.dispose();
    editor.dispose();
    assert.equal(worker.isStarted, true);
    const results = [1, 2, 3].map((number) => worker.run('double', { number }));
    preview.dispose();
    assert.deepEqual(await Promise.all(results), [2, 4, 6]);
    assert.equal(worker.isStarted, false);
  });

  it('rejects with the error of a job, and continues', async () => {
    const worker = createHeldWorker();
    await assert.rejects(worker.run('fail', { message: 'No.' }), { message: 'No.' });
    assert.equal(await worker.run('double', { number: 1 }), 2);
    assert.deepEqual(crashes, []);
  });

  it('cancels an older waiting or running job with the same key', async () => {
    const worker = createHeldWorker();
    const running = worker.run('hang', { ms: 50 }, { key: 'a' });
    const waiting = worker.run('double', { number: 1 }, { key: 'a' });
    const other = worker.run('double', { number: 2 }, { key: 'b' });
    const newest = worker.run('double', { number: 3 }, { key: 'a' });
    await Promise.all([running, waiting].map((canceled) => assert.rejects(canceled, JobCanceledError)));
    assert.deepEqual(await Promise.all([other, newest]), [4, 6]);
  });

  it('cancels a job when its signal is aborted', async () => {
    const worker = createHeldWorker();
    const controller = new AbortController();
    const { signal } = controller;
    const running = worker.run('hang', { ms: 50 }, { signal });
    const waiting = worker.run('double', { number: 1 }, { signal });
    controller.abort();
    await Promise.all([running, waiting].map((canceled) => assert.rejects(canceled, { name: 'AbortError' })));
    await assert.rejects(worker.run('double', { number: 1 }, { signal }), JobCanceledError);
    assert.equal(await worker.run('double', { number: 2 }), 4);
  });

  it('reports a crash once for each job, and restarts with the next', async () => {
    const worker = createHeldWorker();
    const crashing = worker.run('crash', { code: 3 });
    const waiting = worker.run('double', { number: 5 });
    await assert.rejects(crashing, WorkerCrashedError);
    assert.equal(await waiting, 10);
    await assert.rejects(worker.run('crash', { code: 3 }), WorkerCrashedError);
    assert.equal(await worker.run('double', { number: 6 }), 12);
    assert.deepEqual(crashes, ['crash: The worker thread ended with code 3.']);
  });

  it('ends a job that exceeds the memory limit', async () => {
    const worker = createHeldWorker({ memoryLimitMb: 32 });
    await assert.rejects(worker.run('fill', { size: 100_000 }), WorkerCrashedError);
    assert.equal(await worker.run('double', { number: 7 }), 14);
    assert.match(crashes.join('\n'), /^fill: .*memory/u);
  });

  it('ends a job that exceeds the timeout', async () => {
    const worker = createHeldWorker({ jobTimeoutMs: 500 });
    await assert.rejects(worker.run('hang', { ms: 600_000 }), WorkerCrashedError);
    assert.equal(await worker.run('double', { number: 7 }), 14);
    assert.deepEqual(crashes, ['hang: It took more than 0.5 seconds.']);
  });

  it('interrupts a job that keeps others waiting, and runs it again after them', async () => {
    const worker = createHeldWorker({ timeSliceMs: 400 });
    const done: string[] = [];
    const slow = worker.run('hang', { ms: 1500 }).then(() => done.push('slow'));
    const others = [1, 2].map(async (number) => done.push(String(await worker.run('double', { number }))));
    await Promise.all([slow, ...others]);
    assert.deepEqual(done, ['2', '4', 'slow']);
    assert.deepEqual(crashes, []);
  });

  it('fails a job that keeps others waiting a second time, and reports it once', async () => {
    const worker = createHeldWorker({ timeSliceMs: 400 });
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const slow = worker.run('hang', { ms: 600_000 }, { about: 'Welcome' });
      assert.equal(await worker.run('double', { number: 3 }), 6);
      const [result] = await Promise.all([
        worker.run('double', { number: 4 }),
        assert.rejects(slow, WorkerCrashedError),
      ]);
      assert.equal(result, 8);
    }
    assert.deepEqual(crashes, ['hang of Welcome: It took more than 0.4 seconds.']);
  });

  it('interrupts a canceled job', async () => {
    const worker = createHeldWorker({ timeSliceMs: 400 });
    const canceled = worker.run('hang', { ms: 600_000 }, { key: 'a' });
    const [result] = await Promise.all([
      worker.run('double', { number: 5 }, { key: 'a' }),
      assert.rejects(canceled, JobCanceledError),
    ]);
    assert.equal(result, 10);
    assert.deepEqual(crashes, []);
  });

  it('does not interrupt a job while no others wait', async () => {
    const worker = createHeldWorker({ timeSliceMs: 50 });
    assert.equal(await worker.run('hang', { ms: 300 }), 'late');
  });

  it('rejects input that can not be cloned', async () => {
    const worker = createHeldWorker();
    const input = { number: 1, callback: () => 1 };
    await assert.rejects(worker.run('double', input), { name: 'DataCloneError' });
    assert.equal(await worker.run('double', { number: 1 }), 2);
  });

  it('cancels all jobs when it is disposed', async () => {
    const worker = createHeldWorker();
    const all = [worker.run('hang', { ms: 60_000 }), worker.run('double', { number: 1 })];
    worker.dispose();
    await Promise.all(all.map((canceled) => assert.rejects(canceled, JobCanceledError)));
    assert.equal(worker.isStarted, false);
    assert.deepEqual(crashes, []);
  });

  it('checks and composes emails', async () => {
    assert.ok(existsSync(productScript));
    const worker = new JobWorker<Jobs>({
      script: productScript,
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

  it('ends a search for a regular expression that takes too long', async () => {
    const worker = new JobWorker<Jobs>({ script: productScript, onCrash: () => undefined, jobTimeoutMs: 200 });
    workers.push(worker);
    const documents = [{ suffix: '.html', text: 'a'.repeat(100) }];
    const search = worker.run('search', [{ kind: 'regex', text: '(a+)+$b' }, documents]);
    await assert.rejects(search, WorkerCrashedError);
  });
});
