import * as vscode from 'vscode';
import type { PreviewSource } from './source.ts';

const htmlExtension = /\.html?$/i;

/** Scheme of the documents in `sentDocuments.ts`. */
export const sentScheme = 'mailing-sent';

/** Documents of a service are resolved by their feature, which knows the record's other documents. A sent version can't be sent again. */
const excludedSchemes = new Set(['mailing', sentScheme]);

/** Returns the preview source of a local file, or undefined if it isn't HTML. */
export function getLocalSource(body: vscode.Uri): PreviewSource | undefined {
  if (excludedSchemes.has(body.scheme)) return undefined;
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === body.toString());
  if (!htmlExtension.test(body.path) && open?.languageId !== 'html') return undefined;
  return { title: body.path.slice(body.path.lastIndexOf('/') + 1), body };
}

/** Schemes of documents without a folder for pictures. */
const schemesWithoutFolder = new Set(['mailing', 'untitled']);

/** Returns the folder that relative addresses of a body refer to, or undefined if it has none. */
export function getFolder(body: vscode.Uri): vscode.Uri | undefined {
  return schemesWithoutFolder.has(body.scheme) ? undefined : vscode.Uri.joinPath(body, '..');
}
