import type * as vscode from 'vscode';
import { registerCommands, type CommandServices } from '../../ui/commands.ts';
import { Explorer } from './explorer.ts';
import type { ConnectionSource } from './nodes.ts';

/** Registers the tree view and its commands. Handlers are loaded with the first command. */
export function register(
  context: vscode.ExtensionContext,
  services: CommandServices,
  connections: ConnectionSource,
): Explorer {
  const explorer = new Explorer(connections);
  context.subscriptions.push(
    explorer,
    explorer.view.onDidChangeVisibility(({ visible }) => (visible ? services.activity.fireIfIdle() : undefined)),
    ...registerCommands(
      services,
      [
        'mailing.explorer.refresh',
        'mailing.explorer.filter',
        'mailing.explorer.clearFilter',
        'mailing.explorer.copyId',
        'mailing.explorer.loadMore',
        'mailing.explorer.retry',
      ],
      async () => (await import('./actions.ts')).createHandlers(explorer),
    ),
  );
  return explorer;
}
