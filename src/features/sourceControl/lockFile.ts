import { FileChangedError, type Files } from './files.ts';
import { Lock } from './lock.ts';
import type { LockFile } from './sync.ts';
import { SerialQueue } from './serialQueue.ts';

/** Runs a task while no other window runs one on the same file. */
export type RunExclusively = <T>(task: () => Promise<T>) => Promise<T>;

/** Limit for retries if another program, such as Git, writes the file at the same time. */
const MAX_ATTEMPTS = 5;

/** Opens a lock file. Changes run one after the other, across windows. */
export function openLockFile(files: Files, path: string, exclusive: RunExclusively = (task) => task()): LockFile {
  const queue = new SerialQueue();
  let changes = 0;
  const readText = (): Promise<string | undefined> => files.read(path);
  const read = async (): Promise<Lock> => Lock.read(await readText());
  const change = async (changed: (lock: Lock) => Lock, attempt = 1): Promise<void> => {
    const text = await readText();
    const before = Lock.read(text);
    const after = changed(before).toString();
    if (after === before.toString()) return;
    try {
      await files.write(path, after, { text });
      changes += 1;
    } catch (error) {
      if (!(error instanceof FileChangedError) || attempt === MAX_ATTEMPTS) throw error;
      await change(changed, attempt + 1);
    }
  };
  return {
    read,
    createCachedReader: () => {
      let last: { readonly after: number; readonly lock: Promise<Lock> } | undefined;
      return () => {
        if (last?.after !== changes) last = { after: changes, lock: read() };
        return last.lock;
      };
    },
    change: (changed) => queue.run(() => exclusive(() => change(changed))),
  };
}
