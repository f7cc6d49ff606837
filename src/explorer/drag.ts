import * as vscode from 'vscode';
import type { Node } from './nodes.ts';

/** What a drag of nodes carries: the addresses of their documents, so that an editor group opens what is dropped on it. */
export function dragOf(nodes: readonly Node[], data: vscode.DataTransfer): void {
  const documents = nodes.map((node) => (node.kind === 'record' ? node.item.document : undefined)).filter((uri) => uri !== undefined);
  if (documents.length > 0) data.set('text/uri-list', new vscode.DataTransferItem(documents.map(String).join('\r\n')));
}
