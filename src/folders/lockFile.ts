import { Lock } from './lock.ts';
import type { LockFile } from './sync.ts';
import type { Files } from './templateFolder.ts';
import { Turns } from './turns.ts';

/** The lock in a file. Changes follow each other. */
export function lockIn(files: Files, path: string): LockFile {
  const turns = new Turns();
  let changes = 0;
  const read = async (): Promise<Lock> => Lock.read(await files.read(path));
  return {
    read,
    shared: () => {
      let last: { readonly after: number; readonly lock: Promise<Lock> } | undefined;
      return () => {
        if (last?.after !== changes) last = { after: changes, lock: read() };
        return last.lock;
      };
    },
    change: (change) => turns.next(async () => {
      const before = await read();
      const text = change(before).toString();
      if (text === before.toString()) return;
      await files.write(path, text);
      changes += 1;
    }),
  };
}
