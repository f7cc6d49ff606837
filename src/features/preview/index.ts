import type * as vscode from 'vscode';
import type { Connections } from '../../platform/connections/connections.ts';
import { registerCommands, type CommandServices } from '../../ui/commands.ts';
import { Previews } from './activeEditorPreviews.ts';
import type { Compose } from './source.ts';

/** Registers the previews. Sessions load with the first one. */
export function register(
  context: vscode.ExtensionContext,
  services: CommandServices,
  connections: Connections,
  compose: Compose,
): Previews {
  const previews = new Previews({ context, log: services.log, connections, compose });
  context.subscriptions.push(
    previews,
    ...registerCommands(services, ['mailing.preview.toggleLock', 'mailing.preview.showSitePosts'], () =>
      Promise.resolve({
        'mailing.preview.toggleLock': () => previews.toggleLock(),
        'mailing.preview.showSitePosts': () => previews.current?.showSitePosts(),
      }),
    ),
  );
  return previews;
}
