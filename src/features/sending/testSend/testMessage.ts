import * as vscode from 'vscode';
import { composeCampaignBody, readEnvelope } from '../../../email/compose/compose.ts';
import { TYPICAL_PERSON_ID } from '../../../email/tags/index.ts';
import type { MailingClient } from '../../../service/client/index.ts';
import type { RecordKey, RecordRef } from '../../../platform/connections/model.ts';
import type { Documents } from '../../../platform/documents/documents.ts';
import type { DocumentKind } from '../../../platform/documents/model.ts';
import { findRecordDocuments } from '../../../platform/documents/unsaved.ts';
import type { MailParts } from '../../preview/source.ts';
import type { Previews } from '../../preview/activeEditorPreviews.ts';
import type { PreviewPerson, TestMessage, TestableMail } from '../../../platform/documents/recordCollections.ts';

/**
 * Reads an email from its editors, saved or not, composed as in the preview, and the texts of its documents by file name suffix. Throws
 * `ApiError`.
 */
export async function readCurrentMessage(documents: Documents, collection: string, parts: MailParts, ref: RecordKey) {
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

interface MessageTexts {
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

/** Describes how a record type maps to an email. */
interface RecordMail<R extends { readonly id: number }> {
  readonly kind: DocumentKind<R>;
  readonly parts: MailParts;
  /** Returns the id under which the service can send the record's mail. */
  getMailId(record: R): number | undefined;
}

interface RecordMailServices {
  readonly documents: Documents;
  readonly previews: Previews;
}

/** Creates the test email from a record's editors, saved or not. */
export async function createTestableMail<R extends { readonly id: number }>(
  { documents, previews }: RecordMailServices,
  { kind, parts, getMailId }: RecordMail<R>,
  ref: RecordRef,
): Promise<TestableMail> {
  const { uri, texts, ...message } = await readCurrentMessage(documents, kind.collection, parts, ref);
  const findStoredMailId = async (client: MailingClient, signal: AbortSignal) => {
    const record = await kind.read(client, ref.id, { ...ref, signal });
    const isStored = kind.parts.every(
      ({ suffix, render }) => texts[suffix] === undefined || equalsIgnoringLineEndings(texts[suffix], render(record)),
    );
    return isStored ? getMailId(record) : undefined;
  };
  return {
    what: `${kind.collection}/${ref.id}`,
    message: { ...message, findStoredMailId, persons: getPreviewPersons(previews, uri) },
  };
}

/** Returns the people that the preview of a body can show it as. */
function getPreviewPersons(previews: Previews, body: vscode.Uri): readonly PreviewPerson[] {
  return previews
    .getPeople(body)
    .map(({ id, title, person, isSelected }) => ({
      title,
      email: person.email ?? '',
      // Nobody expects the default person to get a test.
      isShown: isSelected && id !== TYPICAL_PERSON_ID,
    }))
    .filter(({ email }) => email !== '');
}

function equalsIgnoringLineEndings(one: string, other: string) {
  return one.replaceAll('\r\n', '\n') === other.replaceAll('\r\n', '\n');
}
