import type * as vscode from 'vscode';
import type { Documents } from '../documents/documents.ts';
import type { Envelope } from '../email/compose.ts';
import type { PreviewSource } from '../workbench/preview/source.ts';
import { suffixes, templateDocuments } from './documents.ts';

/** How a template's documents are previewed, whichever of them is asked for; undefined where the URI is none of a template's. */
export function previewSource(documents: Documents, uri: vscode.Uri): PreviewSource | undefined {
  const document = documents.find(uri);
  if (document?.kind.collection !== templateDocuments.collection) return undefined;
  const body = documents.sibling(uri, suffixes.body);
  return {
    title: body.path.slice(body.path.lastIndexOf('/') + 1, -suffixes.body.length),
    body,
    stylesheet: documents.sibling(uri, suffixes.stylesheet),
    details: { uri: documents.sibling(uri, suffixes.details), read: envelopeOf },
  };
}

/** Subject, preheader and sender from the text of a details document, also while it is being typed: then from what is there. */
export function envelopeOf(text: string): Envelope {
  return {
    subject: field(text, 'subject'),
    preheader: field(text, 'preheader'),
    from_name: field(text, 'from_name'),
    from_email: field(text, 'from_email'),
    reply_to_name: field(text, 'reply_to_name'),
    reply_to_email: field(text, 'reply_to_email'),
  };
}

function field(text: string, name: string): string {
  const literal = new RegExp(`"${name}"\\s*:\\s*("(?:[^"\\\\\\n]|\\\\.)*")`, 'u').exec(text)?.[1];
  try {
    return literal === undefined ? '' : String(JSON.parse(literal));
  } catch {
    return '';
  }
}
