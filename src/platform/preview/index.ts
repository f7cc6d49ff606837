import * as vscode from 'vscode';
import type { Connections } from '../connections/connections.ts';
import { registerCommands, type CommandHost } from '../ui/commands.ts';
import { once } from '../ui/async.ts';
import { Previews } from './host/activeEditorPreviews.ts';
import type { Compose } from './host/sent.ts';

/** Registers the previews, the documents that show sent emails, and their commands. Sessions load with the first preview. */
export function register(
  context: vscode.ExtensionContext,
  host: CommandHost,
  connections: Connections,
  compose: Compose,
): Previews {
  const { log } = host;
  const previews = new Previews(context, log, connections, compose);
  const changes = new vscode.EventEmitter<vscode.Uri>();
  const sent = once(async () => {
    const { SentDocuments } = await import('./host/sent.ts');
    const documents = new SentDocuments({
      resolve: (document) => previews.resolve(document),
      connections,
      compose,
      log,
      onChange: (uri) => changes.fire(uri),
    });
    context.subscriptions.push(documents);
    return documents;
  });
  const provider = {
    onDidChange: changes.event,
    provideTextDocumentContent: async (uri: vscode.Uri) => (await sent()).provide(uri),
  };
  context.subscriptions.push(
    previews,
    changes,
    vscode.workspace.registerTextDocumentContentProvider('mailing-sent', provider),
    ...registerCommands(host, ['mailing.preview.toggleLock', 'mailing.compareSent'], async () =>
      (await import('./host/handlers.ts')).createHandlers(previews),
    ),
  );
  return previews;
}
