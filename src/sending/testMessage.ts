import * as vscode from 'vscode';
import type { Documents } from '../documents/documents.ts';
import { composeBody } from '../email/compose.ts';
import { envelopeOf } from '../email/envelope.ts';
import type { MailParts } from '../preview/host/recordSource.ts';
import type { RecordRef } from '../connections/record.ts';
import { recordDocuments } from '../documents/unsaved.ts';
import type { TestMessage } from './testSends.ts';

/** An e-mail as its editors have it now, saved or not; composed as the preview shows it. Throws `ApiError`. */
export async function currentMessage(documents: Documents, collection: string, parts: MailParts, ref: RecordRef): Promise<TestMessage> {
  const opened = recordDocuments(collection, ref).find(({ uri }) => documents.find(uri) !== undefined);
  const first = opened?.uri ?? (await documents.uri(collection, ref, parts.body));
  const text = async (suffix: string | undefined) =>
    suffix === undefined ? '' : (await vscode.workspace.openTextDocument(documents.sibling(first, suffix))).getText();
  const [body, stylesheet, details] = await Promise.all([text(parts.body), text(parts.stylesheet), text(parts.details)]);
  const envelope = envelopeOf(details);
  const file = documents.sibling(first, parts.body).path;
  return {
    name: file.slice(file.lastIndexOf('/') + 1, -parts.body.length),
    envelope,
    body: composeBody({ body, stylesheet, envelope }),
    isEmpty: body.trim() === '',
  };
}
