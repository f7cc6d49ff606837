import * as vscode from 'vscode';
import type { PreviewSource } from './source.ts';

const htmlExtension = /\.html?$/i;

/** Documents of what is sent: see `sentDocuments.ts`. */
export const sentScheme = 'mailing-sent';

/** A service's document belongs to its room, which knows the other documents of its record; what is sent is no email to be sent again. */
const excludedSchemes = new Set(['mailing', sentScheme]);

/** The preview of a file that belongs to no service, or nothing where it isn't HTML. */
export function getLocalSource(body: vscode.Uri): PreviewSource | undefined {
  if (excludedSchemes.has(body.scheme)) return undefined;
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === body.toString());
  if (!htmlExtension.test(body.path) && open?.languageId !== 'html') return undefined;
  return { title: body.path.slice(body.path.lastIndexOf('/') + 1), body };
}

/** Schemes of documents that have no folder with pictures beside them. */
const schemesWithoutFolder = new Set(['mailing', 'untitled']);

/** The folder that relative addresses of a body refer to, where it has one. */
export function getFolder(body: vscode.Uri): vscode.Uri | undefined {
  return schemesWithoutFolder.has(body.scheme) ? undefined : vscode.Uri.joinPath(body, '..');
}
