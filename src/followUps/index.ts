import type { Rooms } from '../rooms.ts';
import { followUpTree } from './tree.ts';

/** Hands the follow-ups' branch to the explorer. */
export function register({ explorer }: Pick<Rooms, 'explorer'>): void {
  explorer.register(followUpTree);
}
