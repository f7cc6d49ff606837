import * as vscode from 'vscode';
import { partsFolderName } from '../../sync/paths.ts';
import { once } from '../../ui/async.ts';
import { registerCommands } from '../../ui/commands.ts';
import type { ExtensionServices } from '../services.ts';
import { exists } from '../sourceControl/model.ts';

/** Registers the features of linked parts, loaded with the first HTML file in a workspace folder that has parts. */
export function register(services: ExtensionServices): void {
  const { subscriptions } = services.context;
  const load = once(async () => {
    const features = (await import('./partProviders.ts')).createPartFeatures(services);
    subscriptions.push(features);
    return features;
  });
  const opened = async ({ uri, languageId }: vscode.TextDocument) => {
    const root = languageId === 'html' && vscode.workspace.getWorkspaceFolder(uri)?.uri;
    if (root && (await exists(vscode.Uri.joinPath(root, partsFolderName)))) await load();
  };
  subscriptions.push(
    services.previews.registerResolver(async (uri) =>
      uri.path.includes(`/${partsFolderName}/`) ? (await load()).findPreview(uri) : undefined,
    ),
    vscode.workspace.onDidOpenTextDocument(opened),
    ...registerCommands(
      services,
      ['mailing.parts.extract', 'mailing.parts.update', 'mailing.parts.applyUpdate', 'mailing.parts.compareUpdate'],
      async () => (await load()).handlers,
    ),
  );
  for (const document of vscode.workspace.textDocuments) void opened(document);
}
