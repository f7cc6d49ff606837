import type { Rooms } from '../rooms.ts';
import { registerCommands } from './commands.ts';
import { registerSubscriptions } from '../subscriptions/commands.ts';

/** Hands the lists to the shared mechanisms: their branch of the tree, their commands, and the panels of their subscribers. */
export function register(rooms: Rooms): void {
  rooms.explorer.register(async () => (await import('./tree.ts')).listTree);
  rooms.context.subscriptions.push(...registerCommands(rooms), ...registerSubscriptions(rooms));
}
