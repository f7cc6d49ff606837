import type * as vscode from 'vscode';
import { registerCommands, type CommandHost } from '../ui/commands.ts';
import { commands } from './commands.ts';
import type { RecordServices } from './handlers.ts';

/** Registers the commands that apply to records of all types. */
export function register(context: vscode.ExtensionContext, services: CommandHost & RecordServices): void {
  const load = async () => (await import('./handlers.ts')).createHandlers(services);
  context.subscriptions.push(...registerCommands(services, commands, load));
}
