import { Worker } from 'node:worker_threads';
import type { Answer, JobInput, JobResult, JobTable, Request } from './protocol.ts';

/** How long a job may take, in ms: all of them end in bounded time, and one that doesn't is a crash. */
const longestMs = 20_000;
/** What the thread may use, in MB. */
const memoryMb = 512;

/** A job that nobody waits for any more. Its name is that of what was cancelled, which is never told as a failure. */
export class JobDropped extends Error {
  override readonly name = 'AbortError';
}

/** The thread has ended while it did a job. */
export class WorkerCrashed extends Error {
  override readonly name = 'WorkerCrashed';
}

export interface RunOptions {
  /** A newer job of the same key takes the place of an older one, whose answer would be out of date. */
  readonly key?: string;
  readonly signal?: AbortSignal;
}

export interface JobWorkerParts {
  /** The script of the thread: it calls `serve`. */
  readonly script: URL | string;
  /** Told the first time that a job of this name has ended the thread. */
  crashed(job: string, error: WorkerCrashed): void;
  readonly longestMs?: number;
  readonly memoryMb?: number;
}

interface Pending {
  readonly request: Request;
  readonly key: string | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Runs jobs in a thread of its own, one after the other. The thread starts with the first job, and stays for the next one while somebody
 * holds it (an e-mail is open); else it ends with the last job. One that crashed starts again with the next job.
 */
export class JobWorker<Jobs extends JobTable> {
  readonly #parts: JobWorkerParts;
  readonly #waiting: Pending[] = [];
  readonly #told = new Set<string>();
  #thread: Worker | undefined;
  #running: { readonly pending: Pending; readonly timer: ReturnType<typeof setTimeout> } | undefined;
  #holders = 0;
  #lastId = 0;

  constructor(parts: JobWorkerParts) {
    this.#parts = parts;
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
    { key, signal }: RunOptions = {},
  ): Promise<JobResult<Jobs, Name>> {
    if (signal?.aborted) return Promise.reject(new JobDropped('Cancelled.'));
    const id = (this.#lastId += 1);
    if (key !== undefined) this.#drop((pending) => pending.key === key, 'A newer one took its place.');
    const cancel = (): void => this.#drop((pending) => pending.request.id === id, 'Cancelled.');
    signal?.addEventListener('abort', cancel, { once: true });
    const result = new Promise<unknown>((resolve, reject) => {
      this.#waiting.push({ request: { id, job, input }, key, resolve, reject });
      this.#next();
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
        this.#next();
      },
    };
  }

  /** Ends the thread, and drops what it was to do. */
  dispose(): void {
    this.#drop(() => true, 'The window closes.');
    this.#end();
  }

  /** Nobody waits for these any more. The one that runs can't be stopped: its answer comes to nobody. */
  #drop(isMeant: (pending: Pending) => boolean, reason: string): void {
    const running = this.#running?.pending;
    const dropped = this.#waiting.filter(isMeant);
    for (const pending of dropped) this.#waiting.splice(this.#waiting.indexOf(pending), 1);
    if (running && isMeant(running)) dropped.push(running);
    for (const { reject } of dropped) reject(new JobDropped(reason));
  }

  #next(): void {
    if (this.#running) return;
    const pending = this.#waiting.shift();
    if (!pending) {
      if (this.#holders === 0) this.#end();
      return;
    }
    const { job } = pending.request;
    const longest = this.#parts.longestMs ?? longestMs;
    const timer = setTimeout(() => this.#crashed(this.#thread, `“${job}” took more than ${longest / 1000} seconds.`), longest);
    this.#running = { pending, timer };
    try {
      (this.#thread ??= this.#start()).postMessage(pending.request);
    } catch (error) {
      // What can't be cloned never left.
      this.#finish()?.reject(error instanceof Error ? error : new Error(String(error)));
      this.#next();
    }
  }

  #start(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: this.#parts.memoryMb ?? memoryMb };
    const thread = new Worker(this.#parts.script, { resourceLimits, execArgv: [], env: {} });
    thread.on('message', (answer: Answer) => {
      // A thread that is ending may still speak.
      if (this.#thread !== thread || this.#running?.pending.request.id !== answer.id) return;
      const pending = this.#finish();
      if ('error' in answer) pending?.reject(new Error(answer.error));
      else pending?.resolve(answer.result);
      this.#next();
    });
    thread.on('error', (error) => this.#crashed(thread, error instanceof Error ? error.message : String(error)));
    thread.on('exit', (code) => this.#crashed(thread, `It ended by itself, with code ${code}.`));
    return thread;
  }

  /** A thread has ended that was not meant to: what it did has failed, and what waits goes to a new one. */
  #crashed(thread: Worker | undefined, reason: string): void {
    if (this.#thread !== thread) return;
    this.#end();
    const pending = this.#finish();
    if (pending) {
      const { job } = pending.request;
      const error = new WorkerCrashed(reason);
      pending.reject(error);
      if (!this.#told.has(job)) this.#parts.crashed(job, error);
      this.#told.add(job);
    }
    this.#next();
  }

  /** The job that ran, which runs no more. */
  #finish(): Pending | undefined {
    const running = this.#running;
    clearTimeout(running?.timer);
    this.#running = undefined;
    return running?.pending;
  }

  #end(): void {
    const thread = this.#thread;
    this.#thread = undefined;
    void thread?.terminate();
  }
}
