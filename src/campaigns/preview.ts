import type * as vscode from 'vscode';
import type { Documents } from '../documents/documents.ts';
import { recordSource } from '../preview/host/recordSource.ts';
import type { PreviewSource } from '../preview/host/source.ts';
import { campaignDocuments, suffixes } from './documents.ts';

/** How a campaign's documents are previewed; undefined where the URI is none of a campaign's. */
export function previewSource(documents: Documents, uri: vscode.Uri): PreviewSource | undefined {
  return recordSource(documents, campaignDocuments.collection, suffixes, uri);
}
