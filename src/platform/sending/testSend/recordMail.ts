import type * as vscode from 'vscode';
import type { MailingClient } from '../../../service/client/index.ts';
import type { RecordRef } from '../../connections/model.ts';
import type { Documents } from '../../documents/documents.ts';
import type { DocumentKind } from '../../documents/model.ts';
import type { MailParts } from '../../preview/host/recordSource.ts';
import type { Previews } from '../../preview/host/activeEditorPreviews.ts';
import { readCurrentMessage } from '../testMessage.ts';
import type { PreviewPerson } from './model.ts';
import type { TestableMail } from './testableMails.ts';

/** Describes how a record type maps to an email. */
export interface RecordMail<R extends { readonly id: number }> {
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

/** Returns the people that the preview of a body can show it as. */
export async function getPreviewPersons(previews: Previews, body: vscode.Uri): Promise<readonly PreviewPerson[]> {
  const persons = await previews.getPeople(body);
  return persons
    .map(({ title, person, isSelected }) => ({ title, email: person.email ?? '', isShown: isSelected }))
    .filter(({ email }) => email !== '');
}

function equalsIgnoringLineEndings(one: string, other: string): boolean {
  return one.replaceAll('\r\n', '\n') === other.replaceAll('\r\n', '\n');
}
