import * as vscode from 'vscode';
import type { Rooms } from '../rooms.ts';
import { commandsOn, registerNounCommands } from '../ui/commands.ts';
import { once } from '../ui/once.ts';
import type { Statistics } from './host/statistics.ts';
import { panelType, viewId } from './host/viewType.ts';

/** All commands on statistics, with what their failures are told under. */
const titles: Readonly<Record<Exclude<keyof Statistics, 'view' | 'panels' | 'dispose'>, string>> = {
  show: 'Show Statistics',
  refresh: 'Refresh Statistics',
  openInEditor: 'Open Statistics in Editor',
  compare: 'Compare Statistics',
  export: 'Export Statistics',
  copyMarkdown: 'Copy Statistics as Markdown',
};

/**
 * Registers the commands, the view and the return of the editor tabs after a restart. What they do is loaded when the first of them is
 * used.
 */
export function registerCommands(rooms: Rooms): vscode.Disposable[] {
  const statistics = once(async () => {
    const loaded = new (await import('./host/statistics.ts')).Statistics(rooms);
    rooms.context.subscriptions.push(loaded);
    return loaded;
  });
  return [
    vscode.window.registerWebviewViewProvider(viewId, { resolveWebviewView: async (view) => (await statistics()).view.resolve(view) }),
    vscode.window.registerWebviewPanelSerializer(panelType, {
      deserializeWebviewPanel: async (panel, state: unknown) => (await statistics()).panels.restore(panel, state),
    }),
    commandsOn(rooms.log)('mailing.campaign.showStatistics', titles.show, async (argument, selected) =>
      (await statistics()).show(argument, selected),
    ),
    ...registerNounCommands<keyof typeof titles>(rooms.log, 'statistics', titles, statistics),
  ];
}
