import type { Rooms } from '../rooms.ts';
import { registerCommands } from './commands.ts';

/** Hands the statistics of campaigns to the shared mechanisms. */
export function register(rooms: Rooms): void {
  rooms.context.subscriptions.push(...registerCommands(rooms));
}
