import type * as vscode from 'vscode';
import type { MailingClient } from '../../../service/client/index.ts';
import type { RecordRef } from '../../connections/record.ts';
import type { Documents } from '../../documents/documents.ts';
import type { DocumentKind } from '../../documents/model.ts';
import type { MailParts } from '../../preview/host/recordSource.ts';
import type { Previews } from '../../preview/host/activeEditorPreviews.ts';
import { readCurrentMessage } from '../testMessage.ts';
import type { PreviewPerson } from './model.ts';
import type { TestableMail } from './testableMails.ts';

/** How a record is an email. */
export interface RecordMail<R extends { readonly id: number }> {
  readonly kind: DocumentKind<R>;
  readonly parts: MailParts;
  /** Id of the mail by which the service sends it; undefined where the record does not tell. */
  getMailId(record: R): number | undefined;
}

interface RecordMailServices {
  readonly documents: Documents;
  readonly previews: Previews;
}

/** What is in the editors of a record now, saved or not, as the email of a test. */
export async function createTestableMail<R extends { readonly id: number }>(
  { documents, previews }: RecordMailServices,
  { kind, parts, getMailId }: RecordMail<R>,
  ref: RecordRef,
): Promise<TestableMail> {
  const { uri, texts, ...message } = await readCurrentMessage(documents, kind.collection, parts, ref);
  const findStoredMailId = async (client: MailingClient, signal: AbortSignal): Promise<number | undefined> => {
    const record = await kind.read(client, ref.id, { connection: ref.connection, signal });
    const isStored = kind.parts.every(
      ({ suffix, render }) => texts[suffix] === undefined || equalsIgnoringLineEndings(texts[suffix], render(record)),
    );
    return isStored ? getMailId(record) : undefined;
  };
  return {
    what: `${kind.collection}/${ref.id}`,
    message: { ...message, findStoredMailId, persons: await getPreviewPersons(previews, uri) },
  };
}

/** Whom the preview of a body can show it as. */
export async function getPreviewPersons(previews: Previews, body: vscode.Uri): Promise<readonly PreviewPerson[]> {
  const persons = await previews.getPeople(body);
  return persons
    .map(({ title, person, isSelected }) => ({ title, email: person.email ?? '', isShown: isSelected }))
    .filter(({ email }) => email !== '');
}

/** Editors write the ends of lines their own way. */
function equalsIgnoringLineEndings(one: string, other: string): boolean {
  return one.replaceAll('\r\n', '\n') === other.replaceAll('\r\n', '\n');
}
