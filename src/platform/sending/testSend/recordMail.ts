import type * as vscode from 'vscode';
import type { MailingClient } from '../../../service/client/index.ts';
import type { RecordRef } from '../../connections/record.ts';
import type { Documents } from '../../documents/documents.ts';
import type { DocumentKind } from '../../documents/model.ts';
import type { MailParts } from '../../preview/host/recordSource.ts';
import type { Previews } from '../../preview/host/previews.ts';
import { currentMessage } from '../testMessage.ts';
import type { PreviewPerson } from './model.ts';
import type { TestedMail } from './tested.ts';

/** How a record is an email. */
export interface RecordMail<R extends { readonly id: number }> {
  readonly kind: DocumentKind<R>;
  readonly parts: MailParts;
  /** Id of the mail by which the service sends it; undefined where the record does not tell. */
  emailId(record: R): number | undefined;
}

interface Services {
  readonly documents: Documents;
  readonly previews: Previews;
}

/** What is in the editors of a record now, saved or not, as the email of a test. */
export async function recordMail<R extends { readonly id: number }>(
  { documents, previews }: Services,
  { kind, parts, emailId }: RecordMail<R>,
  ref: RecordRef,
): Promise<TestedMail> {
  const { uri, texts, ...message } = await currentMessage(documents, kind.collection, parts, ref);
  const storedAs = async (client: MailingClient, signal: AbortSignal): Promise<number | undefined> => {
    const record = await kind.read(client, ref.id, { connection: ref.connection, signal });
    const isStored = kind.parts.every(
      ({ suffix, render }) => texts[suffix] === undefined || sameText(texts[suffix], render(record)),
    );
    return isStored ? emailId(record) : undefined;
  };
  return {
    what: `${kind.collection}/${ref.id}`,
    message: { ...message, storedAs, persons: await personsOf(previews, uri) },
  };
}

/** Whom the preview of a body can show it as. */
export async function personsOf(previews: Previews, body: vscode.Uri): Promise<readonly PreviewPerson[]> {
  const persons = await previews.personsOf(body);
  return persons
    .map(({ title, person, isShown }) => ({ title, email: person.email ?? '', isShown }))
    .filter(({ email }) => email !== '');
}

/** Editors write the ends of lines their own way. */
function sameText(one: string, other: string): boolean {
  return one.replaceAll('\r\n', '\n') === other.replaceAll('\r\n', '\n');
}
