import * as vscode from 'vscode';
import type { RecordKey } from '../connections/model.ts';

/** Returns the open documents of a record, under all names that it has had. `collection`: its name in URIs. */
export function findRecordDocuments(collection: string, { connection, id }: RecordKey): readonly vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(
    ({ uri }) =>
      uri.scheme === 'mailing' && uri.authority === connection && uri.path.startsWith(`/${collection}/${id}/`),
  );
}

/** Returns whether a document has edits. VS Code reports it as clean if the user typed during a save, but its tab is dirty. */
export function isUnsaved({ uri, isDirty }: Pick<vscode.TextDocument, 'uri' | 'isDirty'>): boolean {
  const key = uri.toString();
  return (
    isDirty ||
    vscode.window.tabGroups.all.some(({ tabs }) =>
      tabs.some((tab) => tab.isDirty && getTabUri(tab.input)?.toString() === key),
    )
  );
}

/** Returns whether a document is in the active editor. */
export function isActive(uri: vscode.Uri): boolean {
  const { activeTextEditor, tabGroups } = vscode.window;
  const active = [activeTextEditor?.document.uri, getTabUri(tabGroups.activeTabGroup.activeTab?.input)];
  return active.some((other) => other?.toString() === uri.toString());
}

/** Returns the documents of the active tab. For a diff both, the newer one first. */
export function getActiveEditorUris(): readonly vscode.Uri[] {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputTextDiff) return [input.modified, input.original];
  return input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom ? [input.uri] : [];
}

/** Returns the column to open a text in, so that it covers no preview, and no other webview if there is a choice. The active group comes first. */
export function getTextColumn(): vscode.ViewColumn {
  const { activeTabGroup, all } = vscode.window.tabGroups;
  const groups = [activeTabGroup, ...all].map(({ activeTab, viewColumn }) => ({
    view: activeTab?.input instanceof vscode.TabInputWebview ? activeTab.input.viewType : '',
    viewColumn,
  }));
  const found = groups.find(({ view }) => view === '') ?? groups.find(({ view }) => !view.endsWith('mailing.preview'));
  return found?.viewColumn ?? vscode.ViewColumn.Beside;
}

export function findOpenDocument(uri: vscode.Uri | string): vscode.TextDocument | undefined {
  const key = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === key);
}

function getTabUri(input: unknown) {
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}
