import * as vscode from 'vscode';
import type { Connections } from '../connections/connections.ts';
import type { Previews } from '../preview/host/previews.ts';
import { once } from '../ui/once.ts';

/** Sets up what editors of e-mails know, once the first of them is open. */
export function register({ subscriptions }: vscode.ExtensionContext, connections: Connections, previews: Previews): void {
  const load = once(async () => subscriptions.push((await import('./editor.ts')).openEditor(connections, previews)));
  const opened = ({ uri }: vscode.TextDocument): unknown => uri.scheme === 'mailing' && load();
  subscriptions.push(vscode.workspace.onDidOpenTextDocument(opened));
  vscode.workspace.textDocuments.forEach(opened);
}
