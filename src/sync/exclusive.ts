import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { t } from '../l10n.ts';
import { errorCode, isBusy, retryWhileBusy, withExplainedErrors } from './files.ts';

/** A lock that stays unchanged for longer was left by a crashed window. Holders need only a few file operations. */
const ABANDONED_MS = 5000;
const MAX_WAIT_MS = 20_000;
const RETRY_MS = 5;

interface LockTimes {
  readonly abandonedMs?: number;
  readonly maxWaitMs?: number;
}

/**
 * A task that needs a lock. It learns whether another window held the lock first, and can check whether this window still
 * holds it: another one takes over if the machine sleeps meanwhile.
 */
export type LockedTask<T> = (hasWaited: boolean, isHeld: () => Promise<boolean>) => Promise<T>;

/**
 * Runs a task while no other window on this machine holds the lock.
 * Throws the task's errors, and an error if other windows hold the lock for longer than `maxWaitMs`.
 *
 * @param lock path of a file that exists meanwhile; its folder is created if needed
 */
export async function withFileLock<T>(
  lock: string,
  task: LockedTask<T>,
  { abandonedMs = ABANDONED_MS, maxWaitMs = MAX_WAIT_MS }: LockTimes = {},
): Promise<T> {
  const start = performance.now();
  let hasWaited = false;
  let [holder, since]: [string | undefined, number] = [undefined, start];
  while (!(await withExplainedErrors('write', lock, () => tryCreate(lock)))) {
    hasWaited = true;
    const now = await getLockIdentity(lock);
    if (now !== holder) [holder, since] = [now, performance.now()];
    // Only one window removes an abandoned lock, and never the lock of a later window.
    else if (holder !== undefined && performance.now() - since > abandonedMs)
      await withFileLock(`${lock}.${holder}`, () => removeIfSame(lock, holder), { abandonedMs, maxWaitMs });
    if (performance.now() - start > maxWaitMs)
      throw new Error(t('Another window is still changing the same file. Wait until it is done and try again.'));
    await wait(RETRY_MS);
  }
  const own = await getLockIdentity(lock);
  try {
    return await task(hasWaited, async () => (await getLockIdentity(lock)) === own);
  } finally {
    await removeIfSame(lock, own);
  }
}

async function tryCreate(lock: string) {
  await mkdir(dirname(lock), { recursive: true });
  try {
    await writeFile(lock, '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (isBusy(error) || errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

async function removeIfSame(lock: string, identity: string | undefined) {
  if ((await getLockIdentity(lock)) === identity) await retryWhileBusy(() => rm(lock, { force: true }));
}

/** Identifies this lock among later ones at the same path. */
async function getLockIdentity(lock: string) {
  const found = await stat(lock, { bigint: true }).catch(() => undefined);
  return found && `${found.ino}-${found.mtimeNs}`;
}

/** Runs tasks one after the other. */
export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve();

  /** Runs a task after the earlier ones, even if they failed. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#tail.then(task);
    // Keeps no result in memory.
    this.#tail = done.then(
      () => undefined,
      () => undefined,
    );
    return done;
  }
}

/** Runs a limited number of tasks at the same time. */
export class Pool {
  readonly #limit: number;
  readonly #running = new Set<Promise<void>>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Starts a task as soon as fewer than the limit are running. Rejects if a running one failed. */
  async run(start: () => Promise<void>): Promise<void> {
    while (this.#running.size >= this.#limit) await Promise.race(this.#running);
    const task = start().finally(() => this.#running.delete(task));
    this.#running.add(task);
    // `run` and `end` report the error.
    task.catch(() => undefined);
  }

  /** Waits for all running tasks. */
  async end(): Promise<void> {
    await Promise.all(this.#running);
  }
}
