import * as vscode from 'vscode';
import type { Connections } from '../connections/connections.ts';
import { registerCommands, type CommandHost } from '../ui/commands.ts';
import { once } from '../ui/async.ts';
import { createPreviews, type Previews } from './host/activeEditorPreviews.ts';
import type { Compose } from './host/source.ts';

/** Registers the previews, the documents that show sent emails, and their commands. Sessions load with the first preview. */
export function register(
  context: vscode.ExtensionContext,
  host: CommandHost,
  connections: Connections,
  compose: Compose,
): Previews {
  const previews = createPreviews({ context, log: host.log, connections, compose });
  const changes = new vscode.EventEmitter<vscode.Uri>();
  const sent = once(async () => {
    const { createSentDocuments } = await import('./host/sentDocuments.ts');
    const documents = createSentDocuments(previews, changes);
    context.subscriptions.push(documents);
    return documents;
  });
  context.subscriptions.push(
    previews,
    changes,
    vscode.workspace.registerTextDocumentContentProvider('mailing-sent', {
      onDidChange: changes.event,
      provideTextDocumentContent: async (uri) => (await sent()).provide(uri),
    }),
    ...registerCommands(
      host,
      ['mailing.preview.toggleLock', 'mailing.preview.showSitePosts', 'mailing.compareSent'],
      async () => {
        const documents = await sent();
        return {
          toggleLock: () => previews.toggleLock(),
          showSitePosts: () => previews.getCurrent()?.showSitePosts(),
          compareSent: (argument) => documents.compare(argument),
        };
      },
    ),
  );
  return previews;
}
