import type * as vscode from 'vscode';
import type { Rooms } from '../rooms.ts';
import { registerNounCommands } from '../ui/commands.ts';
import type { Handlers } from './handlers.ts';

/** All commands on campaigns, with what their failures are told under. */
const titles: Readonly<Record<keyof Handlers, string>> = {
  open: 'Open Campaign',
  openBody: 'Open Campaign Body',
  preview: 'Open Preview',
  create: 'New Campaign',
  duplicate: 'Duplicate Campaign',
  delete: 'Delete Campaign',
  sendTest: 'Send Test E-mail',
  send: 'Send Campaign',
};

/** Registers the commands. What they do is loaded when the first of them runs. */
export function registerCommands(rooms: Rooms): vscode.Disposable[] {
  return registerNounCommands(rooms.log, 'campaign', titles, async () => (await import('./handlers.ts')).handlersOf(rooms));
}
