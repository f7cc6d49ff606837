import type { Rooms } from '../rooms.ts';

/** Hands the follow-ups' branch to the explorer. */
export function register({ explorer }: Pick<Rooms, 'explorer'>): void {
  explorer.register(async () => (await import('./tree.ts')).followUpTree);
}
