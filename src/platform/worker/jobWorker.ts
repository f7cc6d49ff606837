import { Worker } from 'node:worker_threads';
import { getDisplayLanguage, plural, t } from '../../l10n.ts';
import { once } from '../../ui/async.ts';
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
 * interrupted and runs again after them; the second time, it fails. At most one job is always running, and never without a thread.
 */
export class JobWorker<Jobs extends JobTable> {
  readonly #options: JobWorkerOptions<Jobs>;
  readonly #reported = new Set<string>();
  #waiting: Job[] = [];
  #running: Job | undefined;
  #thread: Worker | undefined;
  /** Whether the thread has loaded its script. */
  #isReady = false;
  #holders = 0;
  #lastId = 0;

  constructor(options: JobWorkerOptions<Jobs>) {
    this.#options = options;
  }

  get isStarted(): boolean {
    return this.#thread !== undefined;
  }

  /**
   * Runs a job.
   * @throws {JobCanceledError} if the signal was aborted or a newer job has the same key
   * @throws {WorkerCrashedError} if the job ended the thread
   * @throws {Error} that the job threw
   */
  run<Name extends keyof Jobs & string>(
    job: Name,
    input: JobInput<Jobs, Name>,
    { key, signal, about }: RunOptions = {},
  ): Promise<JobResult<Jobs, Name>> {
    if (signal?.aborted) return Promise.reject(new JobCanceledError('Canceled.'));
    const id = (this.#lastId += 1);
    if (key !== undefined) this.#cancel((each) => each.key === key, 'A newer one took its place.');
    const cancel = () => this.#cancel(({ request }) => request.id === id, 'Canceled.');
    signal?.addEventListener('abort', cancel, { once: true });
    const result = new Promise<unknown>((resolve, reject) => {
      const fail = (error: Error) => {
        if (error instanceof WorkerCrashedError) this.#report(job, error, about);
        reject(error);
      };
      this.#waiting.push({ key, request: { id, job, input }, resolve, reject: fail });
      this.#interrupt();
      this.#runNext();
    });
    return result.finally(() => signal?.removeEventListener('abort', cancel)) as Promise<JobResult<Jobs, Name>>;
  }

  /** Keeps the thread alive until the returned object is disposed. */
  hold(): { dispose(): void } {
    this.#holders += 1;
    return {
      dispose: once(() => {
        this.#holders -= 1;
        this.#runNext();
      }),
    };
  }

  /** Ends the thread and cancels its jobs. */
  dispose(): void {
    this.#cancel(() => true, 'The window closes.');
    this.#endThread();
  }

  /** Cancels jobs. A running one finishes its time slice, and its result is dropped. */
  #cancel(matches: (job: Job) => boolean, reason: string) {
    for (const job of [...this.#waiting, this.#running]) {
      if (!job || !matches(job)) continue;
      job.isCanceled = true;
      job.reject(new JobCanceledError(reason));
    }
    this.#waiting = this.#waiting.filter(({ isCanceled }) => !isCanceled);
  }

  /** Interrupts a job whose time slice is over, if others wait or it was canceled. */
  #interrupt() {
    const job = this.#running;
    if (!job?.isOverdue || (this.#waiting.length === 0 && !job.isCanceled)) return;
    if (job.wasInterrupted && !job.isCanceled) return this.#handleTimeout(this.#timeSliceMs);
    this.#endThread();
    this.#clearRunning();
    if (!job.isCanceled) this.#waiting.push({ ...job, isOverdue: false, wasInterrupted: true });
    this.#runNext();
  }

  get #timeSliceMs() {
    return this.#options.timeSliceMs ?? TIME_SLICE_MS;
  }

  /** Starts the timers of the running job, once the thread is ready. */
  #startTimers() {
    const job = this.#running;
    if (!job || !this.#isReady) return;
    const { jobTimeoutMs = JOB_TIMEOUT_MS } = this.#options;
    clearTimeout(job.timeout);
    job.timeout = setTimeout(() => this.#handleTimeout(jobTimeoutMs), jobTimeoutMs);
    job.timeSlice = setTimeout(() => {
      job.isOverdue = true;
      this.#interrupt();
    }, this.#timeSliceMs);
  }

  #handleTimeout(ms: number) {
    const [one, other] = [t('It took more than {0} second.'), t('It took more than {0} seconds.')];
    this.#handleCrash(this.#thread, plural(ms / 1000, one, other));
  }

  #runNext() {
    if (this.#running) return;
    const job = (this.#running = this.#waiting.shift());
    if (!job) {
      if (this.#holders === 0) this.#endThread();
      return;
    }
    const fail = () => this.#handleCrash(this.#thread, t("The worker thread didn't start."));
    job.timeout = setTimeout(fail, START_TIMEOUT_MS);
    try {
      (this.#thread ??= this.#startThread()).postMessage(job.request);
      this.#startTimers();
    } catch (error) {
      // Input that can't be cloned wasn't sent.
      this.#clearRunning()?.reject(error instanceof Error ? error : new Error(String(error)));
      this.#runNext();
    }
  }

  #startThread() {
    const resourceLimits = { maxOldGenerationSizeMb: this.#options.memoryLimitMb ?? MEMORY_LIMIT_MB };
    const workerData = getDisplayLanguage();
    const thread = new Worker(this.#options.script, { resourceLimits, workerData, execArgv: [], env: {} });
    thread.on('message', (response: WorkerResponse) => {
      // A thread can still send messages while it ends.
      if (this.#thread === thread) this.#handleResponse(response);
    });
    thread.on('error', (error) => this.#handleCrash(thread, error instanceof Error ? error.message : String(error)));
    thread.on('exit', (code) => this.#handleCrash(thread, t`The worker thread ended with code ${code}.`));
    return thread;
  }

  #handleResponse(response: WorkerResponse) {
    if ('isReady' in response) {
      this.#isReady = true;
      return this.#startTimers();
    }
    if (this.#running?.request.id !== response.id) return;
    const job = this.#clearRunning();
    if ('error' in response) job?.reject(new Error(response.error));
    else job?.resolve(response.result);
    this.#runNext();
  }

  /** Handles an unexpected end of the thread: its job fails, and waiting jobs go to a new thread. */
  #handleCrash(crashed: Worker | undefined, reason: string) {
    if (crashed !== this.#thread) return;
    this.#endThread();
    this.#clearRunning()?.reject(new WorkerCrashedError(reason));
    this.#runNext();
  }

  #report(job: keyof Jobs, error: WorkerCrashedError, about: string | undefined) {
    const key = JSON.stringify([job, about]);
    if (!this.#reported.has(key)) this.#options.onCrash(job, error, about);
    this.#reported.add(key);
  }

  /** Clears and returns the running job. */
  #clearRunning() {
    const job = this.#running;
    clearTimeout(job?.timeout);
    clearTimeout(job?.timeSlice);
    this.#running = undefined;
    return job;
  }

  #endThread() {
    void this.#thread?.terminate();
    this.#thread = undefined;
    this.#isReady = false;
  }
}
