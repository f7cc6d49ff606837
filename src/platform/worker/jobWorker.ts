import { Worker } from 'node:worker_threads';
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

const formatTimeout = ({ request: { job } }: PendingJob, ms: number): string =>
  `“${job}” took more than ${ms / 1000} seconds.`;

export interface RunOptions {
  /** A newer job with the same key replaces an older one. */
  readonly key?: string;
  readonly signal?: AbortSignal;
  /** The name of what the job works on, shown to the user. */
  readonly about?: string | undefined;
}

export interface JobWorkerOptions {
  /** The thread's script, which calls `serve`. */
  readonly script: URL | string;
  /** Reports the first crash of each job, for each `about`. */
  onCrash(job: string, error: WorkerCrashedError, about: string | undefined): void;
  readonly jobTimeoutMs?: number;
  readonly timeSliceMs?: number;
  readonly memoryLimitMb?: number;
}

interface PendingJob {
  readonly request: WorkerRequest;
  readonly key: string | undefined;
  readonly about: string | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  /** It was interrupted once. The next time, it fails. */
  readonly wasInterrupted?: boolean;
}

interface RunningJob {
  readonly pending: PendingJob;
  timeout: ReturnType<typeof setTimeout>;
  timeSlice?: ReturnType<typeof setTimeout>;
  /** Its time slice has ended. */
  isOverdue: boolean;
  isCanceled: boolean;
}

/**
 * Runs jobs one after the other in a worker thread. The thread starts with the first job. It stays while anything holds it (such as an open
 * email), and otherwise ends with the last job. After a crash it restarts with the next job. A job that keeps others waiting too long is
 * interrupted and runs again after them; the second time, it fails.
 */
export class JobWorker<Jobs extends JobTable> {
  readonly #options: JobWorkerOptions;
  readonly #waiting: PendingJob[] = [];
  readonly #reported = new Set<string>();
  #thread: Worker | undefined;
  #isReady = false;
  #running: RunningJob | undefined;
  #holders = 0;
  #lastId = 0;

  constructor(parts: JobWorkerOptions) {
    this.#options = parts;
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
    if (key !== undefined) this.#cancel((pending) => pending.key === key, 'A newer one took its place.');
    const cancel = (): void => this.#cancel((pending) => pending.request.id === id, 'Canceled.');
    signal?.addEventListener('abort', cancel, { once: true });
    const result = new Promise<unknown>((resolve, reject) => {
      this.#waiting.push({ request: { id, job, input }, key, about, resolve, reject });
      this.#interrupt();
      this.#runNext();
    });
    return result.finally(() => signal?.removeEventListener('abort', cancel)) as Promise<JobResult<Jobs, Name>>;
  }

  /** Keeps the thread alive until the returned object is disposed. */
  hold(): { dispose(): void } {
    this.#holders += 1;
    let isHolding = true;
    return {
      dispose: () => {
        if (!isHolding) return;
        isHolding = false;
        this.#holders -= 1;
        this.#runNext();
      },
    };
  }

  /** Ends the thread and cancels its jobs. */
  dispose(): void {
    this.#cancel(() => true, 'The window closes.');
    this.#endThread();
  }

  /** Cancels jobs. A running one finishes its time slice, and its result is dropped. */
  #cancel(matches: (pending: PendingJob) => boolean, reason: string): void {
    const running = this.#running;
    const canceled = this.#waiting.filter(matches);
    for (const pending of canceled) this.#waiting.splice(this.#waiting.indexOf(pending), 1);
    if (running && matches(running.pending)) {
      canceled.push(running.pending);
      running.isCanceled = true;
    }
    for (const { reject } of canceled) reject(new JobCanceledError(reason));
  }

  /** Interrupts a job whose time slice is over, if others wait or it was canceled. */
  #interrupt(): void {
    const running = this.#running;
    if (!running?.isOverdue || (this.#waiting.length === 0 && !running.isCanceled)) return;
    const { pending, isCanceled: isDropped } = running;
    if (pending.wasInterrupted && !isDropped) {
      this.#handleCrash(this.#thread, formatTimeout(pending, this.#options.timeSliceMs ?? TIME_SLICE_MS));
      return;
    }
    this.#endThread();
    this.#clearRunning();
    if (!isDropped) this.#waiting.push({ ...pending, wasInterrupted: true });
    this.#runNext();
  }

  /** Starts the timers of the running job, once the thread is ready. */
  #startTimers(): void {
    const running = this.#running;
    if (!running || !this.#isReady) return;
    const timeoutMs = this.#options.jobTimeoutMs ?? JOB_TIMEOUT_MS;
    clearTimeout(running.timeout);
    running.timeout = setTimeout(
      () => this.#handleCrash(this.#thread, formatTimeout(running.pending, timeoutMs)),
      timeoutMs,
    );
    running.timeSlice = setTimeout(() => {
      running.isOverdue = true;
      this.#interrupt();
    }, this.#options.timeSliceMs ?? TIME_SLICE_MS);
  }

  #runNext(): void {
    if (this.#running) return;
    const pending = this.#waiting.shift();
    if (!pending) {
      if (this.#holders === 0) this.#endThread();
      return;
    }
    const timeout = setTimeout(() => this.#handleCrash(this.#thread, 'It did not start.'), START_TIMEOUT_MS);
    this.#running = { pending, timeout, isOverdue: false, isCanceled: false };
    try {
      (this.#thread ??= this.#startThread()).postMessage(pending.request);
      this.#startTimers();
    } catch (error) {
      // Input that can't be cloned wasn't sent.
      this.#clearRunning()?.reject(error instanceof Error ? error : new Error(String(error)));
      this.#runNext();
    }
  }

  #startThread(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: this.#options.memoryLimitMb ?? MEMORY_LIMIT_MB };
    const thread = new Worker(this.#options.script, { resourceLimits, execArgv: [], env: {} });
    thread.on('message', (response: WorkerResponse) => {
      // A thread can still send messages while it ends.
      if (this.#thread !== thread) return;
      if ('isReady' in response) {
        this.#isReady = true;
        this.#startTimers();
        return;
      }
      if (this.#running?.pending.request.id !== response.id) return;
      const pending = this.#clearRunning();
      if ('error' in response) pending?.reject(new Error(response.error));
      else pending?.resolve(response.result);
      this.#runNext();
    });
    thread.on('error', (error) => this.#handleCrash(thread, error instanceof Error ? error.message : String(error)));
    thread.on('exit', (code) => this.#handleCrash(thread, `It ended with code ${code}.`));
    return thread;
  }

  /** Handles an unexpected end of the thread: its job fails, and waiting jobs go to a new thread. */
  #handleCrash(thread: Worker | undefined, reason: string): void {
    if (this.#thread !== thread) return;
    this.#endThread();
    const pending = this.#clearRunning();
    if (pending) {
      const {
        request: { job },
        about,
      } = pending;
      const error = new WorkerCrashedError(reason);
      pending.reject(error);
      const key = JSON.stringify([job, about]);
      if (!this.#reported.has(key)) this.#options.onCrash(job, error, about);
      this.#reported.add(key);
    }
    this.#runNext();
  }

  /** Clears and returns the running job. */
  #clearRunning(): PendingJob | undefined {
    const running = this.#running;
    clearTimeout(running?.timeout);
    clearTimeout(running?.timeSlice);
    this.#running = undefined;
    return running?.pending;
  }

  #endThread(): void {
    const thread = this.#thread;
    this.#thread = undefined;
    this.#isReady = false;
    void thread?.terminate();
  }
}
