import { rm, stat, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** A lock that stays the same for longer was left behind by a window that crashed, in ms. Holders need a few file operations. */
const ABANDONED_MS = 5000;
/** Longest wait for a lock that other windows pass on to each other, in ms. */
const PATIENCE_MS = 20_000;
const RETRY_MS = 5;

/**
 * Runs a task while no other window of this machine runs one with the same lock. The task learns whether another window had the lock first.
 * Throws what the task throws, and an error if the lock can't be had.
 *
 * @param lock path of a file that exists meanwhile, in a folder that exists
 */
export async function exclusively<T>(
  lock: string,
  task: (hasWaited: boolean) => Promise<T>,
  abandonedMs = ABANDONED_MS,
): Promise<T> {
  const start = performance.now();
  let hasWaited = false;
  let [holder, since]: [string | undefined, number] = [undefined, start];
  while (!(await create(lock))) {
    hasWaited = true;
    const now = await identityOf(lock);
    if (now !== holder) [holder, since] = [now, performance.now()];
    // Only one window removes an abandoned lock, and only that one: never the lock of a window that came after.
    else if (holder !== undefined && performance.now() - since > abandonedMs)
      await exclusively(`${lock}.${holder}`, async () => ((await identityOf(lock)) === holder ? rm(lock) : undefined), abandonedMs);
    if (performance.now() - start > PATIENCE_MS + abandonedMs) throw new Error(`Another window keeps "${lock}" locked. Try again.`);
    await wait(RETRY_MS);
  }
  try {
    return await task(hasWaited);
  } finally {
    await rm(lock, { force: true });
  }
}

/** Codes of a file that is there already; on Windows also of one that is being deleted. */
const taken: ReadonlySet<unknown> = new Set(process.platform === 'win32' ? ['EEXIST', 'EPERM', 'EBUSY'] : ['EEXIST']);

async function create(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && taken.has(error.code)) return false;
    throw error;
  }
}

/** Tells one lock from a later one at the same path. */
async function identityOf(lock: string): Promise<string | undefined> {
  const found = await stat(lock).catch(() => undefined);
  return found && `${found.ino}-${found.mtimeMs}`;
}
