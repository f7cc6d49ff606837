import type * as vscode from 'vscode';
import type { Documents } from '../documents/documents.ts';
import { recordSource } from '../preview/host/recordSource.ts';
import type { PreviewSource } from '../preview/host/source.ts';
import { suffixes, templateDocuments } from './documents.ts';

/** How a template's documents are previewed; undefined where the URI is none of a template's. */
export function previewSource(documents: Documents, uri: vscode.Uri): PreviewSource | undefined {
  return recordSource(documents, templateDocuments.collection, suffixes, uri);
}
