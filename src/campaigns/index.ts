import type { Rooms } from '../rooms.ts';
import { campaignTree } from './tree.ts';

/** Hands the campaigns' branch to the explorer. */
export function register({ explorer }: Pick<Rooms, 'explorer'>): void {
  explorer.register(campaignTree);
}
