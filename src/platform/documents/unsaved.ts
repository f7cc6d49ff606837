import * as vscode from 'vscode';
import type { RecordRef } from '../connections/record.ts';

/** The documents of a record that are open, under whichever names the record had. `collection`: its name in URIs. */
export function findRecordDocuments(collection: string, { connection, id }: RecordRef): readonly vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(
    ({ uri }) =>
      uri.scheme === 'mailing' && uri.authority === connection && uri.path.startsWith(`/${collection}/${id}/`),
  );
}

/**
 * Whether an editor has edits of a document. VS Code calls one clean whose user typed on while it was being saved; its tab knows better.
 */
export function isUnsaved({ uri, isDirty }: Pick<vscode.TextDocument, 'uri' | 'isDirty'>): boolean {
  const key = uri.toString();
  return (
    isDirty ||
    vscode.window.tabGroups.all.some(({ tabs }) =>
      tabs.some((tab) => tab.isDirty && getTabUri(tab.input)?.toString() === key),
    )
  );
}

/** Whether a document is the one that the user is looking at. */
export function isActive(uri: vscode.Uri): boolean {
  const { activeTextEditor, tabGroups } = vscode.window;
  const active = [activeTextEditor?.document.uri, getTabUri(tabGroups.activeTabGroup.activeTab?.input)];
  return active.some((other) => other?.toString() === uri.toString());
}

/** The document of an address, where it is open. */
export function findOpenDocument(uri: vscode.Uri | string): vscode.TextDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === key);
}

function getTabUri(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}
