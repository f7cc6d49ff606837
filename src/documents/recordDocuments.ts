import * as vscode from 'vscode';
import type { RecordRef } from '../connections/record.ts';

/** The documents of a record that are open, under whichever names the record had. `collection`: its name in URIs. */
export function recordDocuments(collection: string, { connection, id }: RecordRef): readonly vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(
    ({ uri }) => uri.scheme === 'mailing' && uri.authority === connection && uri.path.startsWith(`/${collection}/${id}/`),
  );
}
