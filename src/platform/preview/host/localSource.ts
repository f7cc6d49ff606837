import * as vscode from 'vscode';
import type { PreviewSource } from './source.ts';

const isHtml = /\.html?$/i;

/** Documents of what is sent: see `sentDocuments.ts`. */
export const sentScheme = 'mailing-sent';

/** A service's document belongs to its room, which knows the other documents of its record; what is sent is no email to be sent again. */
const notFiles = new Set(['mailing', sentScheme]);

/** The preview of a file that belongs to no service, or nothing where it isn't HTML. */
export function localSource(body: vscode.Uri): PreviewSource | undefined {
  if (notFiles.has(body.scheme)) return undefined;
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === body.toString());
  if (!isHtml.test(body.path) && open?.languageId !== 'html') return undefined;
  return { title: body.path.slice(body.path.lastIndexOf('/') + 1), body };
}

/** Schemes of documents that have no folder with pictures beside them. */
const withoutFolder = new Set(['mailing', 'untitled']);

/** The folder that relative addresses of a body refer to, where it has one. */
export function folderOf(body: vscode.Uri): vscode.Uri | undefined {
  return withoutFolder.has(body.scheme) ? undefined : vscode.Uri.joinPath(body, '..');
}
