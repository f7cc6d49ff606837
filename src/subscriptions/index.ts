import * as vscode from 'vscode';
import type { Rooms } from '../rooms.ts';
import { registerCommands } from '../ui/commands.ts';
import { once } from '../ui/once.ts';
import { commands } from './commands.ts';
import { viewType } from './subscribers/host/viewType.ts';

/** Hands the subscriptions to the shared mechanisms: their commands, and the return of the subscribers' panels after a restart. */
export function register(rooms: Rooms): void {
  const panels = once(async () => new (await import('./subscribers/host/panels.ts')).SubscriberPanels(rooms));
  rooms.context.subscriptions.push(
    vscode.window.registerWebviewPanelSerializer(viewType, {
      deserializeWebviewPanel: async (panel, state) => (await panels()).restore(panel, state),
    }),
    ...registerCommands(rooms.log, commands, async () => (await import('./handlers.ts')).handlersOf(rooms, await panels())),
  );
}
