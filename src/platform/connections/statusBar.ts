import * as vscode from 'vscode';
import { t } from '../../l10n.ts';
import { getActiveEditorUris } from '../documents/unsaved.ts';
import { escapeMessage } from '../../service/text.ts';
import type { Connections } from './connections.ts';

/** Shows in the status bar which connection the active document belongs to. */
export function showActiveConnection(connections: Connections): vscode.Disposable {
  const { onDidChangeTabGroups, onDidChangeTabs } = vscode.window.tabGroups;
  const item = vscode.window.createStatusBarItem('mailing.connection', vscode.StatusBarAlignment.Left);
  item.name = t('Mailing Service');
  item.command = 'mailing.explorer.focus';
  const update = () => {
    const uri = getActiveEditorUris().find(({ scheme }) => scheme === 'mailing');
    const connection = uri && connections.get(uri.authority);
    if (!connection) return item.hide();
    item.text = `$(mail) ${escapeMessage(connection.name)}`;
    item.tooltip = t`Saves go to ${escapeMessage(connection.name)} (${connection.baseUrl})`;
    item.show();
  };
  update();
  const events = [onDidChangeTabs, onDidChangeTabGroups, connections.onDidChange];
  return vscode.Disposable.from(item, ...events.map((event: vscode.Event<unknown>) => event(update)));
}
