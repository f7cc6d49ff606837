import type * as vscode from 'vscode';
import type { Rooms } from '../rooms.ts';
import { commandsOn } from '../workbench/commands.ts';

/** All commands on statistics. */
export function registerCommands(rooms: Rooms): vscode.Disposable[] {
  const command = commandsOn(rooms.log);
  return [command('mailing.campaign.showStatistics', 'Show Statistics', async (argument) => (await import('./overview.ts')).showOverview(rooms, argument))];
}
