import * as vscode from 'vscode';
import type { Documents } from '../../documents/documents.ts';
import type { Envelope } from '../../../email/compose/compose.ts';
import { readEnvelope, readHeaders } from '../../../email/compose/envelope.ts';

/** The documents that a preview shows: those of one record, or a local file. */
export interface PreviewSource {
  readonly title: string;
  /** The body document. It identifies the preview. */
  readonly body: vscode.Uri;
  /** The folder that local pictures may be loaded from. Defaults to the folder of the body. */
  readonly root?: vscode.Uri;
  /** The stylesheet document, if the record has one. */
  readonly stylesheet?: vscode.Uri;
  /** The document with subject, preheader, sender and headers. Its readers must not throw on incomplete text. */
  readonly details?: {
    readonly uri: vscode.Uri;
    readEnvelope(text: string): Envelope;
    readHeaders(text: string): string;
  };
}

/** The suffixes of a record's documents that make up an email. */
export interface MailParts {
  readonly body: string;
  readonly stylesheet?: string;
  readonly details: string;
}

/** Returns the preview source for any document of a record, or undefined if the URI is not in the collection. */
export function getRecordSource(
  documents: Documents,
  collection: string,
  parts: MailParts,
  uri: vscode.Uri,
): PreviewSource | undefined {
  if (documents.find(uri)?.kind.collection !== collection) return undefined;
  const body = documents.getSiblingUri(uri, parts.body);
  return {
    title: body.path.slice(body.path.lastIndexOf('/') + 1, -parts.body.length),
    body,
    stylesheet: parts.stylesheet === undefined ? undefined : documents.getSiblingUri(uri, parts.stylesheet),
    details: { uri: documents.getSiblingUri(uri, parts.details), readEnvelope, readHeaders },
  };
}

const htmlExtension = /\.html?$/i;

/** Scheme of the documents in `sent.ts`. */
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

/** The problems of an email. */
export interface MailProblems {
  readonly errors: number;
  readonly warnings: number;
  /** The first of the most severe problems. */
  readonly first: vscode.Location;
}

/** Provides the problems of emails. */
export interface ProblemSource {
  readonly onDidChange: vscode.Event<unknown>;
  /** Returns the problems of the email with this body, or undefined if there are none or it wasn't checked. */
  getProblems(body: vscode.Uri): MailProblems | undefined;
}
