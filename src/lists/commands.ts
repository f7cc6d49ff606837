import * as vscode from 'vscode';
import type { Rooms } from '../rooms.ts';
import { registerNounCommands } from '../ui/commands.ts';
import { once } from '../ui/once.ts';
import type { Handlers } from './handlers.ts';
import { viewType } from '../subscriptions/subscribers/host/viewType.ts';

/** All commands on lists and their subscribers, with what their failures are told under. */
const titles: Readonly<Record<keyof Handlers, string>> = {
  create: 'New List',
  delete: 'Delete List',
  showSubscribers: 'Show Subscribers',
  exportSubscribers: 'Export Subscribers',
};

/** Registers the commands, and the panels' return after a restart. What they do is loaded when the first of them is used. */
export function registerCommands(rooms: Rooms): vscode.Disposable[] {
  const panels = once(async () => new (await import('../subscriptions/subscribers/host/panels.ts')).SubscriberPanels(rooms));
  return [
    vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: async (panel, state) => (await panels()).restore(panel, state),
    }),
    ...registerNounCommands(rooms.log, 'list', titles, async () => (await import('./handlers.ts')).handlersOf(rooms, await panels())),
  ];
}
