import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** A task takes far less. A file that is older belongs to a process that ended before it could remove the file. */
const STALE_MS = 10_000;
/** How long a task waits for those of other processes. */
const MAX_WAIT_MS = 30_000;
const POLL_MS = 20;

/**
 * Runs a task while no other process on this machine runs one for the same subject.
 * @param folder a folder of the extension's own that all windows share. It is made when needed
 * @param subject what the tasks change, such as the path of a file
 * @throws if other processes don't finish within `maxWaitMs`
 */
export async function exclusively<T>(folder: string, subject: string, task: () => Promise<T>, maxWaitMs = MAX_WAIT_MS): Promise<T> {
  const file = join(folder, createHash('sha256').update(subject).digest('hex').slice(0, 32));
  const owner = randomUUID();
  await mkdir(folder, { recursive: true });
  const giveUpAt = Date.now() + maxWaitMs;
  while (!(await acquire(file, owner))) {
    if (Date.now() >= giveUpAt) throw new Error('Another window is still changing the same file. Wait until it is done and try again.');
    await setTimeout(POLL_MS);
  }
  try {
    return await task();
  } finally {
    // After a long sleep of the machine the file may be another process's.
    if ((await ownerOf(file)) === owner) await rm(file, { force: true });
  }
}

/** Only one process can make the file. */
async function acquire(file: string, owner: string): Promise<boolean> {
  try {
    await writeFile(file, owner, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    // Windows denies access to a file that is being removed.
    const isTaken = codeOf(error) === 'EEXIST' || (process.platform === 'win32' && codeOf(error) === 'EPERM');
    if (!isTaken) throw error;
    await removeStale(file);
    return false;
  }
}

async function removeStale(file: string): Promise<void> {
  const made = await stat(file).then(({ mtimeMs }) => mtimeMs, () => undefined);
  if (made === undefined || Math.abs(Date.now() - made) < STALE_MS) return;
  const owner = await ownerOf(file);
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch {
    // Another process was faster.
    return;
  }
  // What was moved may be a file that another process made after it removed the stale one: it goes back.
  if ((await ownerOf(aside)) !== owner) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}

function ownerOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
