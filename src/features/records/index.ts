import type * as vscode from 'vscode';
import { registerCommands, type CommandServices } from '../../ui/commands.ts';
import type { RecordCommandServices } from './handlers.ts';

/** Registers the commands that apply to records of all types, and the previews of their documents. */
export function register(context: vscode.ExtensionContext, services: CommandServices & RecordCommandServices): void {
  const load = () => import('./handlers.ts');
  context.subscriptions.push(
    services.previews.registerResolver(async (uri) => (await load()).findRecordSource(services, uri)),
    ...registerCommands(
      services,
      ['mailing.preview', 'mailing.record.open', 'mailing.record.duplicate', 'mailing.record.delete'],
      async () => (await load()).createHandlers(services),
    ),
  );
}
