import * as vscode from 'vscode';
import type { ExtensionServices } from '../services.ts';
import { registerCommands } from '../../ui/commands.ts';
import { once } from '../../ui/async.ts';
import { SUBSCRIBERS_VIEW_TYPE } from './model.ts';

/** Registers the subscription commands and the restoring of subscriber panels after a restart. */
export function register(services: ExtensionServices): void {
  const handlers = once(async () => (await import('./handlers.ts')).createHandlers(services));
  services.context.subscriptions.push(
    vscode.window.registerWebviewPanelSerializer(SUBSCRIBERS_VIEW_TYPE, {
      deserializeWebviewPanel: async (panel, state) => (await handlers()).panels.restore(panel, state),
    }),
    ...registerCommands(
      services,
      [
        'mailing.list.showSubscribers',
        'mailing.list.exportSubscribers',
        'mailing.list.subscribe',
        'mailing.list.unsubscribe',
        'mailing.list.continueSubscriptions',
        'mailing.user.showSubscriptions',
        'mailing.user.copyAddress',
      ],
      async () => (await handlers()).commands,
    ),
  );
}
