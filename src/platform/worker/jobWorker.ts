import { Worker } from 'node:worker_threads';
import type { WorkerResponse, JobInput, JobResult, JobTable, WorkerRequest } from './protocol.ts';

/** How long a job may take, in ms: all of them end in bounded time, and one that doesn't is a crash. */
const JOB_TIMEOUT_MS = 10_000;
/** How long the thread may take to load its script, in ms. */
const START_TIMEOUT_MS = 60_000;
/** How long a job may keep others waiting, in ms. An email of 1 MB takes a fraction of it. */
const TIME_SLICE_MS = 2_000;
/** What the thread may use, in MB. */
const memoryMb = 512;

/** A job that nobody waits for any more. Its name is that of what was cancelled, which is never told as a failure. */
export class JobCancelledError extends Error {
  override readonly name = 'AbortError';
}

/** The thread has ended while it did a job. */
export class WorkerCrashedError extends Error {
  override readonly name = 'WorkerCrashed';
}

const formatTimeout = ({ request: { job } }: PendingJob, ms: number): string =>
  `“${job}” took more than ${ms / 1000} seconds.`;

export interface RunOptions {
  /** A newer job of the same key takes the place of an older one, whose answer would be out of date. */
  readonly key?: string;
  readonly signal?: AbortSignal;
  /** What the job works on, for the user. */
  readonly about?: string | undefined;
}

export interface JobWorkerOptions {
  /** The script of the thread: it calls `serve`. */
  readonly script: URL | string;
  /** Reports the first time that a job of this name has ended the thread, for each thing that it works on. */
  onCrash(job: string, error: WorkerCrashedError, about: string | undefined): void;
  readonly jobTimeoutMs?: number;
  readonly timeSliceMs?: number;
  readonly MEMORY_LIMIT_MB?: number;
}

interface PendingJob {
  readonly request: WorkerRequest;
  readonly key: string | undefined;
  readonly about: string | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  /** It was interrupted once for others. The next time, it fails. */
  readonly wasInterrupted?: boolean;
}

interface RunningJob {
  readonly pending: PendingJob;
  timeout: ReturnType<typeof setTimeout>;
  timeSlice?: ReturnType<typeof setTimeout>;
  /** It has run for longer than others have to wait. */
  isOverdue: boolean;
  isCancelled: boolean;
}

/**
 * Runs jobs in a thread of its own, one after the other. The thread starts with the first job, and stays for the next one while somebody
 * holds it (an email is open); else it ends with the last job. One that crashed starts again with the next job. A job that keeps others
 * waiting for too long is interrupted and runs again after them; if it does so again, it fails.
 */
export class JobWorker<Jobs extends JobTable> {
  readonly #options: JobWorkerOptions;
  readonly #waiting: PendingJob[] = [];
  readonly #reported = new Set<string>();
  #thread: Worker | undefined;
  /** Whether the thread has loaded its script. */
  #isReady = false;
  #running: RunningJob | undefined;
  #holders = 0;
  #lastId = 0;

  constructor(parts: JobWorkerOptions) {
    this.#options = parts;
  }

  /** Whether the thread is there. */
  get isStarted(): boolean {
    return this.#thread !== undefined;
  }

  /**
   * Does a job. Rejects with `JobDropped` where a newer one of its key took its place or the signal was aborted, with `WorkerCrashed` where
   * the thread has ended by it, and with an `Error` for what the job has thrown.
   */
  run<Name extends keyof Jobs & string>(
    job: Name,
    input: JobInput<Jobs, Name>,
    { key, signal, about }: RunOptions = {},
  ): Promise<JobResult<Jobs, Name>> {
    if (signal?.aborted) return Promise.reject(new JobCancelledError('Cancelled.'));
    const id = (this.#lastId += 1);
    if (key !== undefined) this.#cancel((pending) => pending.key === key, 'A newer one took its place.');
    const cancel = (): void => this.#cancel((pending) => pending.request.id === id, 'Cancelled.');
    signal?.addEventListener('abort', cancel, { once: true });
    const result = new Promise<unknown>((resolve, reject) => {
      this.#waiting.push({ request: { id, job, input }, key, about, resolve, reject });
      this.#interrupt();
      this.#runNext();
    });
    return result.finally(() => signal?.removeEventListener('abort', cancel)) as Promise<JobResult<Jobs, Name>>;
  }

  /** Keeps the thread for the jobs to come, until what is returned is disposed. */
  hold(): { dispose(): void } {
    this.#holders += 1;
    let isHeld = true;
    return {
      dispose: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#holders -= 1;
        this.#runNext();
      },
    };
  }

  /** Ends the thread, and drops what it was to do. */
  dispose(): void {
    this.#cancel(() => true, 'The window closes.');
    this.#endThread();
  }

  /** Nobody waits for these any more. The one that runs goes on for its turn: its answer comes to nobody. */
  #cancel(isMeant: (pending: PendingJob) => boolean, reason: string): void {
    const running = this.#running;
    const dropped = this.#waiting.filter(isMeant);
    for (const pending of dropped) this.#waiting.splice(this.#waiting.indexOf(pending), 1);
    if (running && isMeant(running.pending)) {
      dropped.push(running.pending);
      running.isCancelled = true;
    }
    for (const { reject } of dropped) reject(new JobCancelledError(reason));
  }

  /** Ends a job whose turn is over, if others wait or nobody needs it any more. */
  #interrupt(): void {
    const running = this.#running;
    if (!running?.isOverdue || (this.#waiting.length === 0 && !running.isCancelled)) return;
    const { pending, isCancelled: isDropped } = running;
    if (pending.wasInterrupted && !isDropped) {
      this.#handleCrash(this.#thread, formatTimeout(pending, this.#options.timeSliceMs ?? TIME_SLICE_MS));
      return;
    }
    this.#endThread();
    this.#clearRunning();
    if (!isDropped) this.#waiting.push({ ...pending, wasInterrupted: true });
    this.#runNext();
  }

  /** Starts the time of the job that runs, once the thread can work on it. */
  #startTimers(): void {
    const running = this.#running;
    if (!running || !this.#isReady) return;
    const longest = this.#options.jobTimeoutMs ?? JOB_TIMEOUT_MS;
    clearTimeout(running.timeout);
    running.timeout = setTimeout(
      () => this.#handleCrash(this.#thread, formatTimeout(running.pending, longest)),
      longest,
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
    const limit = setTimeout(() => this.#handleCrash(this.#thread, 'It did not start.'), START_TIMEOUT_MS);
    this.#running = { pending, timeout: limit, isOverdue: false, isCancelled: false };
    try {
      (this.#thread ??= this.#startThread()).postMessage(pending.request);
      this.#startTimers();
    } catch (error) {
      // What can't be cloned never left.
      this.#clearRunning()?.reject(error instanceof Error ? error : new Error(String(error)));
      this.#runNext();
    }
  }

  #startThread(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: this.#options.MEMORY_LIMIT_MB ?? memoryMb };
    const thread = new Worker(this.#options.script, { resourceLimits, execArgv: [], env: {} });
    thread.on('message', (answer: WorkerResponse) => {
      // A thread that is ending may still speak.
      if (this.#thread !== thread) return;
      if ('isReady' in answer) {
        this.#isReady = true;
        this.#startTimers();
        return;
      }
      if (this.#running?.pending.request.id !== answer.id) return;
      const pending = this.#clearRunning();
      if ('error' in answer) pending?.reject(new Error(answer.error));
      else pending?.resolve(answer.result);
      this.#runNext();
    });
    thread.on('error', (error) => this.#handleCrash(thread, error instanceof Error ? error.message : String(error)));
    thread.on('exit', (code) => this.#handleCrash(thread, `It ended by itself, with code ${code}.`));
    return thread;
  }

  /** A thread has ended that was not meant to: what it did has failed, and what waits goes to a new one. */
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

  /** The job that ran, which runs no more. */
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
