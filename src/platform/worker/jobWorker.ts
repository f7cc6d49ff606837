import { Worker } from 'node:worker_threads';
import { t } from '@vscode/l10n';
import { getDisplayLanguage, plural } from '../../l10n.ts';
import type { WorkerResponse, JobInput, JobResult, JobTable, WorkerRequest } from './serve.ts';

/** Jobs end in bounded time; one that takes longer counts as crashed. */
const JOB_TIMEOUT_MS = 10_000;
/** How long the thread may take to load its script. */
const START_TIMEOUT_MS = 60_000;
/** How long a job may run while others wait. An email of 1 MB takes a fraction of this time. */
const TIME_SLICE_MS = 2_000;
const MEMORY_LIMIT_MB = 512;

/** A job was canceled. The name makes callers treat it as a cancellation, which isn't shown as an error. */
export class JobCanceledError extends Error {
  override readonly name = 'AbortError';
}

/** The thread ended while it ran a job. */
export class WorkerCrashedError extends Error {
  override readonly name = 'WorkerCrashed';
}

interface RunOptions {
  /** A newer job with the same key replaces an older one. */
  readonly key?: string;
  readonly signal?: AbortSignal;
  /** The name of what the job works on, shown to the user. */
  readonly about?: string | undefined;
}

export interface JobWorkerOptions<Jobs extends JobTable> {
  /** The thread's script, which calls `serve`. */
  readonly script: URL | string;
  /** Reports the first crash of each job, for each `about`. */
  onCrash(job: keyof Jobs, error: WorkerCrashedError, about: string | undefined): void;
  readonly jobTimeoutMs?: number;
  readonly timeSliceMs?: number;
  readonly memoryLimitMb?: number;
}

/** A waiting or running job. */
interface Job {
  readonly key: string | undefined;
  readonly request: WorkerRequest;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  timeout?: ReturnType<typeof setTimeout>;
  timeSlice?: ReturnType<typeof setTimeout>;
  /** Its time slice has ended. */
  isOverdue?: boolean;
  isCanceled?: boolean;
  /** It was interrupted once. The next time, it fails. */
  wasInterrupted?: boolean;
}

/**
 * Runs jobs one after the other in a worker thread. The thread starts with the first job. It stays while anything holds it (such as an open
 * email), and otherwise ends with the last job. After a crash it restarts with the next job. A job that keeps others waiting too long is
 * interrupted and runs again after them; the second time, it fails.
 */
export function createJobWorker<Jobs extends JobTable>(options: JobWorkerOptions<Jobs>) {
  const { jobTimeoutMs = JOB_TIMEOUT_MS, timeSliceMs = TIME_SLICE_MS, memoryLimitMb = MEMORY_LIMIT_MB } = options;
  let waiting: Job[] = [];
  const reported = new Set<string>();
  let thread: Worker | undefined;
  let isReady = false;
  let running: Job | undefined;
  let holders = 0;
  let lastId = 0;

  /**
   * Runs a job.
   * @throws {JobCanceledError} if the signal was aborted or a newer job has the same key
   * @throws {WorkerCrashedError} if the job ended the thread
   * @throws {Error} that the job threw
   */
  function run<Name extends keyof Jobs & string>(
    job: Name,
    input: JobInput<Jobs, Name>,
    { key, signal, about }: RunOptions = {},
  ) {
    if (signal?.aborted) return Promise.reject(new JobCanceledError('Canceled.'));
    const id = (lastId += 1);
    if (key !== undefined) cancelJobs((each) => each.key === key, 'A newer one took its place.');
    const cancel = () => cancelJobs(({ request }) => request.id === id, 'Canceled.');
    signal?.addEventListener('abort', cancel, { once: true });
    const result = new Promise<unknown>((resolve, reject) => {
      const fail = (error: Error) => {
        if (error instanceof WorkerCrashedError) report(job, error, about);
        reject(error);
      };
      waiting.push({ key, request: { id, job, input }, resolve, reject: fail });
      interrupt();
      runNext();
    });
    return result.finally(() => signal?.removeEventListener('abort', cancel)) as Promise<JobResult<Jobs, Name>>;
  }

  /** Keeps the thread alive until the returned object is disposed. */
  function hold() {
    holders += 1;
    let isHolding = true;
    return {
      dispose: () => {
        if (!isHolding) return;
        isHolding = false;
        holders -= 1;
        runNext();
      },
    };
  }

  /** Ends the thread and cancels its jobs. */
  function dispose() {
    cancelJobs(() => true, 'The window closes.');
    endThread();
  }

  /** Cancels jobs. A running one finishes its time slice, and its result is dropped. */
  function cancelJobs(matches: (job: Job) => boolean, reason: string) {
    for (const job of [...waiting, running]) {
      if (!job || !matches(job)) continue;
      job.isCanceled = true;
      job.reject(new JobCanceledError(reason));
    }
    waiting = waiting.filter(({ isCanceled }) => !isCanceled);
  }

  /** Interrupts a job whose time slice is over, if others wait or it was canceled. */
  function interrupt() {
    const job = running;
    if (!job?.isOverdue || (waiting.length === 0 && !job.isCanceled)) return;
    if (job.wasInterrupted && !job.isCanceled) return handleTimeout(timeSliceMs);
    endThread();
    clearRunning();
    if (!job.isCanceled) waiting.push({ ...job, isOverdue: false, wasInterrupted: true });
    runNext();
  }

  /** Starts the timers of the running job, once the thread is ready. */
  function startTimers() {
    const job = running;
    if (!job || !isReady) return;
    clearTimeout(job.timeout);
    job.timeout = setTimeout(() => handleTimeout(jobTimeoutMs), jobTimeoutMs);
    job.timeSlice = setTimeout(() => {
      job.isOverdue = true;
      interrupt();
    }, timeSliceMs);
  }

  function handleTimeout(ms: number) {
    const [one, other] = [t('It took more than {0} second.'), t('It took more than {0} seconds.')];
    handleCrash(thread, plural(ms / 1000, one, other));
  }

  function runNext() {
    if (running) return;
    const job = waiting.shift();
    if (!job) {
      if (holders === 0) endThread();
      return;
    }
    running = job;
    job.timeout = setTimeout(() => handleCrash(thread, t("The worker thread didn't start.")), START_TIMEOUT_MS);
    try {
      (thread ??= startThread()).postMessage(job.request);
      startTimers();
    } catch (error) {
      // Input that can't be cloned wasn't sent.
      clearRunning()?.reject(error instanceof Error ? error : new Error(String(error)));
      runNext();
    }
  }

  function startThread() {
    const resourceLimits = { maxOldGenerationSizeMb: memoryLimitMb };
    const workerData = getDisplayLanguage();
    const started = new Worker(options.script, { resourceLimits, workerData, execArgv: [], env: {} });
    started.on('message', (response: WorkerResponse) => {
      // A thread can still send messages while it ends.
      if (thread !== started) return;
      if ('isReady' in response) {
        isReady = true;
        startTimers();
        return;
      }
      if (running?.request.id !== response.id) return;
      const job = clearRunning();
      if ('error' in response) job?.reject(new Error(response.error));
      else job?.resolve(response.result);
      runNext();
    });
    started.on('error', (error) => handleCrash(started, error instanceof Error ? error.message : String(error)));
    started.on('exit', (code) => handleCrash(started, t`The worker thread ended with code ${code}.`));
    return started;
  }

  /** Handles an unexpected end of the thread: its job fails, and waiting jobs go to a new thread. */
  function handleCrash(crashed: Worker | undefined, reason: string) {
    if (crashed !== thread) return;
    endThread();
    clearRunning()?.reject(new WorkerCrashedError(reason));
    runNext();
  }

  function report(job: keyof Jobs, error: WorkerCrashedError, about: string | undefined) {
    const key = JSON.stringify([job, about]);
    if (!reported.has(key)) options.onCrash(job, error, about);
    reported.add(key);
  }

  /** Clears and returns the running job. */
  function clearRunning() {
    const job = running;
    clearTimeout(job?.timeout);
    clearTimeout(job?.timeSlice);
    running = undefined;
    return job;
  }

  function endThread() {
    void thread?.terminate();
    thread = undefined;
    isReady = false;
  }

  return { isStarted: () => thread !== undefined, run, hold, dispose };
}
