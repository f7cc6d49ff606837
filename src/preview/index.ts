import type * as vscode from 'vscode';
import type { Connections } from '../connections/connections.ts';
import { registerCommands } from '../ui/commands.ts';
import { commands } from './commands.ts';
import { Previews } from './host/previews.ts';

/** Sets the room up: the previews, and the commands on them. What fills a preview is loaded with the first. */
export function register(context: vscode.ExtensionContext, log: vscode.LogOutputChannel, connections: Connections): Previews {
  const previews = new Previews(context, log, connections);
  context.subscriptions.push(
    previews,
    ...registerCommands(log, commands, async () => (await import('./host/handlers.ts')).handlersOf(previews)),
  );
  return previews;
}
