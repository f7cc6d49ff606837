import type * as vscode from 'vscode';
import { registerCommands, type CommandHost } from '../ui/commands.ts';
import { commands } from './commands.ts';
import { Explorer } from './explorer.ts';
import type { ConnectionSource } from './explorerTree.ts';

/** Sets the room up: the tree and its commands. What the commands do is loaded when the first of them is used. */
export function register(context: vscode.ExtensionContext, host: CommandHost, connections: ConnectionSource): Explorer {
  const explorer = new Explorer(connections);
  context.subscriptions.push(
    explorer,
    explorer.onDidChangeVisibility(({ visible }) => (visible ? host.activity.fireIfIdle() : undefined)),
    ...registerCommands(host, commands, async () => (await import('./actions.ts')).createHandlers(explorer)),
  );
  return explorer;
}
