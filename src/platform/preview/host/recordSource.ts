import type * as vscode from 'vscode';
import type { Documents } from '../../documents/documents.ts';
import { readEnvelope, readHeaders } from '../../../email/compose/envelope.ts';
import type { PreviewSource } from './source.ts';

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
    ...(parts.stylesheet === undefined ? {} : { stylesheet: documents.getSiblingUri(uri, parts.stylesheet) }),
    details: { uri: documents.getSiblingUri(uri, parts.details), readEnvelope: readEnvelope, readHeaders: readHeaders },
  };
}
