import type { Rooms } from '../rooms.ts';
import { listTree } from './tree.ts';

/** Hands the lists' branch to the explorer. */
export function register({ explorer }: Pick<Rooms, 'explorer'>): void {
  explorer.register(listTree);
}
