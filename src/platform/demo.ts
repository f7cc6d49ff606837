import * as vscode from 'vscode';

/** Sets up the window for `npm start`: the sandbox with its first template and the preview beside it. */
export async function showDemo(): Promise<void> {
  await vscode.commands.executeCommand('mailing.sandbox.start');
  await vscode.commands.executeCommand('workbench.view.extension.mailing');
  await vscode.commands.executeCommand('mailing.record.open', {
    connection: 'sandbox',
    collection: 'templates',
    id: 1,
  });
  await vscode.commands.executeCommand('mailing.preview');
}
