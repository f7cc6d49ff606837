import type { Previews } from './previews.ts';

/** What each command does. */
export interface Handlers {
  /** Gives whether the preview that the user looks at is locked now; undefined where none is open. */
  toggleLock(): Promise<boolean | undefined>;
}

export function handlersOf(previews: Previews): Handlers {
  return {
    toggleLock: async () => previews.current && previews.toggleLock(previews.current),
  };
}
