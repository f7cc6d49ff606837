import * as vscode from 'vscode';
import type { ExtensionServices } from '../services.ts';
import { registerCommands } from '../../ui/commands.ts';
import { once } from '../../ui/async.ts';
import { panelType, viewId } from './model.ts';

/** Registers the statistics commands, the view, and the restoring of editor tabs after a restart. */
export function register(services: ExtensionServices): void {
  const statistics = once(async () => {
    const { Statistics } = await import('./statistics.ts');
    const loaded = new Statistics(services);
    services.context.subscriptions.push(loaded);
    return loaded;
  });
  services.context.subscriptions.push(
    vscode.window.registerWebviewViewProvider(viewId, {
      resolveWebviewView: async (view) => (await statistics()).resolveView(view),
    }),
    vscode.window.registerWebviewPanelSerializer(panelType, {
      deserializeWebviewPanel: async (panel, state: unknown) => (await statistics()).restorePanel(panel, state),
    }),
    ...registerCommands(
      services,
      [
        'mailing.campaign.showStatistics',
        'mailing.statistics.show',
        'mailing.statistics.compare',
        'mailing.statistics.openInEditor',
        'mailing.statistics.refresh',
        'mailing.statistics.export',
      ],
      async () => (await statistics()).handlers,
    ),
  );
}
