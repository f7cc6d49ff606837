import type * as vscode from 'vscode';
import type { Rooms } from '../rooms.ts';
import { registerNounCommands } from '../ui/commands.ts';
import type { Handlers } from './handlers.ts';

/** All commands on templates, with what their failures are told under. */
const titles: Readonly<Record<keyof Handlers, string>> = {
  open: 'Open Template',
  openStylesheet: 'Open Stylesheet',
  openDetails: 'Open Template Details',
  preview: 'Open Preview',
  duplicate: 'Duplicate Template',
  delete: 'Delete Template',
  create: 'New Template',
  sendTest: 'Send Test E-mail',
  createCampaign: 'Create Campaign',
  copyTo: 'Copy Template',
};

/** Registers the commands. What they do is loaded when the first of them runs. */
export function registerCommands(rooms: Rooms): vscode.Disposable[] {
  return registerNounCommands(rooms.log, 'template', titles, async () => (await import('./handlers.ts')).handlersOf(rooms));
}
