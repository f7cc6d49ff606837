import * as vscode from 'vscode';

/** Shows a document (by default the one in front) in another editor: in place of the one that shows it, where that is in front. */
export async function reopen(argument: unknown, editor: string): Promise<void> {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  const inFront = tab?.input instanceof vscode.TabInputText || tab?.input instanceof vscode.TabInputCustom ? tab.input.uri : undefined;
  const uri = argument instanceof vscode.Uri ? argument : inFront;
  if (uri === undefined) return;
  // `vscode.openWith` would leave the other editor open beside the new one.
  if (uri.toString() === inFront?.toString()) await vscode.commands.executeCommand('reopenActiveEditorWith', editor);
  else await vscode.commands.executeCommand('vscode.openWith', uri, editor);
}
