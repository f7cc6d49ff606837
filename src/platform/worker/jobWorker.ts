import { Worker } from 'node:worker_threads';
import type { Answer, JobInput, JobResult, JobTable, Request } from './protocol.ts';

/** How long a job may take, in ms: all of them end in bounded time, and one that doesn't is a crash. */
const LONGEST_MS = 10_000;
/** How long the thread may take to load its script, in ms. */
const START_MS = 60_000;
/** How long a job may keep others waiting, in ms. An email of 1 MB takes a fraction of it. */
const TURN_MS = 2_000;
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

const tooLong = ({ request: { job } }: Pending, ms: number): string => `“${job}” took more than ${ms / 1000} seconds.`;

export interface RunOptions {
  /** A newer job of the same key takes the place of an older one, whose answer would be out of date. */
  readonly key?: string;
  readonly signal?: AbortSignal;
  /** What the job works on, for the user. */
  readonly about?: string | undefined;
}

export interface JobWorkerParts {
  /** The script of the thread: it calls `serve`. */
  readonly script: URL | string;
  /** Reports the first time that a job of this name has ended the thread, for each thing that it works on. */
  crashed(job: string, error: WorkerCrashed, about: string | undefined): void;
  readonly longestMs?: number;
  readonly turnMs?: number;
  readonly memoryMb?: number;
}

interface Pending {
  readonly request: Request;
  readonly key: string | undefined;
  readonly about: string | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  /** It was interrupted once for others. The next time, it fails. */
  readonly hasLostTurn?: boolean;
}

interface Running {
  readonly pending: Pending;
  limit: ReturnType<typeof setTimeout>;
  turn?: ReturnType<typeof setTimeout>;
  /** It has run for longer than others have to wait. */
  isOverdue: boolean;
  isDropped: boolean;
}

/**
 * Runs jobs in a thread of its own, one after the other. The thread starts with the first job, and stays for the next one while somebody
 * holds it (an email is open); else it ends with the last job. One that crashed starts again with the next job. A job that keeps others
 * waiting for too long is interrupted and runs again after them; if it does so again, it fails.
 */
export class JobWorker<Jobs extends JobTable> {
  readonly #parts: JobWorkerParts;
  readonly #waiting: Pending[] = [];
  readonly #reported = new Set<string>();
  #thread: Worker | undefined;
  /** Whether the thread has loaded its script. */
  #isReady = false;
  #running: Running | undefined;
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
    { key, signal, about }: RunOptions = {},
  ): Promise<JobResult<Jobs, Name>> {
    if (signal?.aborted) return Promise.reject(new JobDropped('Cancelled.'));
    const id = (this.#lastId += 1);
    if (key !== undefined) this.#drop((pending) => pending.key === key, 'A newer one took its place.');
    const cancel = (): void => this.#drop((pending) => pending.request.id === id, 'Cancelled.');
    signal?.addEventListener('abort', cancel, { once: true });
    const result = new Promise<unknown>((resolve, reject) => {
      this.#waiting.push({ request: { id, job, input }, key, about, resolve, reject });
      this.#interrupt();
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

  /** Nobody waits for these any more. The one that runs goes on for its turn: its answer comes to nobody. */
  #drop(isMeant: (pending: Pending) => boolean, reason: string): void {
    const running = this.#running;
    const dropped = this.#waiting.filter(isMeant);
    for (const pending of dropped) this.#waiting.splice(this.#waiting.indexOf(pending), 1);
    if (running && isMeant(running.pending)) {
      dropped.push(running.pending);
      running.isDropped = true;
    }
    for (const { reject } of dropped) reject(new JobDropped(reason));
  }

  /** Ends a job whose turn is over, if others wait or nobody needs it any more. */
  #interrupt(): void {
    const running = this.#running;
    if (!running?.isOverdue || (this.#waiting.length === 0 && !running.isDropped)) return;
    const { pending, isDropped } = running;
    if (pending.hasLostTurn && !isDropped) {
      this.#crashed(this.#thread, tooLong(pending, this.#parts.turnMs ?? TURN_MS));
      return;
    }
    this.#end();
    this.#finish();
    if (!isDropped) this.#waiting.push({ ...pending, hasLostTurn: true });
    this.#next();
  }

  /** Starts the time of the job that runs, once the thread can work on it. */
  #startTime(): void {
    const running = this.#running;
    if (!running || !this.#isReady) return;
    const longest = this.#parts.longestMs ?? LONGEST_MS;
    clearTimeout(running.limit);
    running.limit = setTimeout(() => this.#crashed(this.#thread, tooLong(running.pending, longest)), longest);
    running.turn = setTimeout(() => {
      running.isOverdue = true;
      this.#interrupt();
    }, this.#parts.turnMs ?? TURN_MS);
  }

  #next(): void {
    if (this.#running) return;
    const pending = this.#waiting.shift();
    if (!pending) {
      if (this.#holders === 0) this.#end();
      return;
    }
    const limit = setTimeout(() => this.#crashed(this.#thread, 'It did not start.'), START_MS);
    this.#running = { pending, limit, isOverdue: false, isDropped: false };
    try {
      (this.#thread ??= this.#start()).postMessage(pending.request);
      this.#startTime();
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
      if (this.#thread !== thread) return;
      if ('isReady' in answer) {
        this.#isReady = true;
        this.#startTime();
        return;
      }
      if (this.#running?.pending.request.id !== answer.id) return;
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
      const {
        request: { job },
        about,
      } = pending;
      const error = new WorkerCrashed(reason);
      pending.reject(error);
      const key = JSON.stringify([job, about]);
      if (!this.#reported.has(key)) this.#parts.crashed(job, error, about);
      this.#reported.add(key);
    }
    this.#next();
  }

  /** The job that ran, which runs no more. */
  #finish(): Pending | undefined {
    const running = this.#running;
    clearTimeout(running?.limit);
    clearTimeout(running?.turn);
    this.#running = undefined;
    return running?.pending;
  }

  #end(): void {
    const thread = this.#thread;
    this.#thread = undefined;
    this.#isReady = false;
    void thread?.terminate();
  }
}
