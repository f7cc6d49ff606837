import type { Rooms } from '../rooms.ts';
import { registerCommands } from '../ui/commands.ts';
import { commands } from './commands.ts';

/** Hands the lists to the shared mechanisms: their branch of the tree and their commands. */
export function register(rooms: Rooms): void {
  rooms.explorer.register(async () => (await import('./tree.ts')).listTree);
  rooms.context.subscriptions.push(...registerCommands(rooms.log, commands, async () => (await import('./handlers.ts')).handlersOf(rooms)));
}
