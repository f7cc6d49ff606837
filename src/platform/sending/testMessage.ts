import * as vscode from 'vscode';
import type { Documents } from '../documents/documents.ts';
import { composeCampaignBody } from '../../email/compose/compose.ts';
import { readEnvelope } from '../../email/compose/envelope.ts';
import type { MailParts } from '../preview/host/recordSource.ts';
import type { RecordRef } from '../connections/model.ts';
import { findRecordDocuments } from '../documents/unsaved.ts';
import type { TestMessage } from './testSend/model.ts';

/** An email as it is in its editors. */
export interface CurrentMessage extends TestMessage {
  readonly uri: vscode.Uri;
  /** The texts of its documents by file name suffix. */
  readonly texts: Readonly<Record<string, string>>;
}

/** Reads an email from its editors, saved or not, composed as in the preview. Throws `ApiError`. */
export async function readCurrentMessage(
  documents: Documents,
  collection: string,
  parts: MailParts,
  ref: RecordRef,
): Promise<CurrentMessage> {
  const opened = findRecordDocuments(collection, ref).find(({ uri }) => documents.find(uri) !== undefined);
  const first = opened?.uri ?? (await documents.resolveUri(collection, ref, parts.body));
  const uris = Object.values(parts).map((suffix: string) => [suffix, documents.getSiblingUri(first, suffix)] as const);
  const texts = Object.fromEntries(
    await Promise.all(uris.map(async ([suffix, uri]) => [suffix, await readDocumentText(uri)] as const)),
  );
  const uri = documents.getSiblingUri(first, parts.body);
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1, -parts.body.length);
  const [body = '', details = ''] = [texts[parts.body], texts[parts.details]];
  const stylesheet = (parts.stylesheet && texts[parts.stylesheet]) ?? '';
  return { ...composeMessage({ name, body, stylesheet, details }), uri, texts };
}

export interface MessageTexts {
  readonly name: string;
  readonly body: string;
  readonly stylesheet?: string;
  /** JSON text of the details document. */
  readonly details: string;
}

export function composeMessage({ name, body, stylesheet = '', details }: MessageTexts): TestMessage {
  const envelope = readEnvelope(details);
  return { name, envelope, body: composeCampaignBody({ body, stylesheet, envelope }), isEmpty: body.trim() === '' };
}

/** Returns a document's text, including unsaved changes. */
export async function readDocumentText(uri: vscode.Uri): Promise<string> {
  return (await vscode.workspace.openTextDocument(uri)).getText();
}
