import * as vscode from 'vscode';
import { baseName, build } from '../documents/uri.ts';
import type { Node } from './nodes.ts';

/** What a drag of nodes carries: the addresses of their documents, so that an editor group opens what is dropped on it. */
export function dragOf(nodes: readonly Node[], data: vscode.DataTransfer): void {
  const documents = nodes.flatMap((node) => {
    if (node.kind !== 'record' || node.item.document === undefined) return [];
    const { name, suffix } = node.item.document;
    return [build(node.collection, node, baseName(name, String(node.id)) + suffix)];
  });
  if (documents.length > 0) data.set('text/uri-list', new vscode.DataTransferItem(documents.map(String).join('\r\n')));
}
