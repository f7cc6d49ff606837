import { campaignDocuments } from '../campaigns/documents.ts';
import { campaignSuffixes } from '../campaigns/model.ts';
import type { Connection } from '../../platform/connections/model.ts';
import type { DocumentKind } from '../../platform/documents/model.ts';
import { isUnsaved, findRecordDocuments } from '../../platform/documents/unsaved.ts';
import { readEnvelope, readHeaders } from '../../email/compose/envelope.ts';
import type { MailParts } from '../../platform/preview/host/source.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { templateDocuments } from '../templates/documents.ts';
import { templateSuffixes as templateParts } from '../templates/model.ts';
import type { EmailInput } from './schemas.ts';

type MailServices = Pick<ExtensionServices, 'connections' | 'documents'>;

/** The texts of an email, including unsaved edits. */
export interface MailTexts {
  readonly name: string;
  readonly body: string;
  readonly stylesheet: string;
  /** The JSON text of the details document. */
  readonly details: string;
  /** The documents with unsaved edits. */
  readonly unsaved: readonly ('body' | 'stylesheet' | 'details')[];
  /** Why the email is read-only; undefined if it can be edited. */
  readonly readOnly: string | undefined;
}

export type MailKind = NonNullable<EmailInput['kind']>;
type ReadMail = (services: MailServices, connection: Connection, id: number, signal: AbortSignal) => Promise<MailTexts>;

/** The emails that tools support, by kind. */
export const mailKinds = {
  template: { collection: templateDocuments.collection, read: createReader(templateDocuments, templateParts) },
  campaign: { collection: campaignDocuments.collection, read: createReader(campaignDocuments, campaignSuffixes) },
} as const satisfies Readonly<Record<MailKind, { readonly collection: string; readonly read: ReadMail }>>;

function createReader<R extends { readonly id: number }>(kind: DocumentKind<R>, parts: MailParts): ReadMail {
  return async ({ connections, documents }, { id: connection }, id, signal) => {
    const record = await connections.run(connection, (client) => kind.read(client, id, { connection, signal }));
    const edited = findRecordDocuments(kind.collection, { connection, id }).filter(isUnsaved);
    const unsaved = (suffix: string | undefined): string | undefined =>
      edited.find(({ uri }) => documents.find(uri)?.part.suffix === suffix)?.getText();
    const text = (suffix: string | undefined): string =>
      unsaved(suffix) ?? kind.parts.find((part) => part.suffix === suffix)?.render(record) ?? '';
    const names = ['body', 'stylesheet', 'details'] as const;
    return {
      name: kind.name(record),
      body: text(parts.body),
      stylesheet: text(parts.stylesheet),
      details: text(parts.details),
      unsaved: names.filter((name) => unsaved(parts[name]) !== undefined),
      readOnly: kind.getReadOnlyReason(record),
    };
  };
}

/** An email as the `email` layer expects it. */
export interface ResolvedMail {
  readonly body: string;
  readonly stylesheet: string;
  readonly subject: string;
  readonly preheader: string;
  readonly headers: string;
  readonly fromEmail?: string;
  readonly name: string;
  /** Sentences about unsaved texts. */
  readonly notes: readonly string[];
}

/** Returns the email of an input. Texts in the input replace those of the stored email. @throws `ApiError` */
export async function resolveMail(
  services: MailServices,
  connection: Connection,
  input: EmailInput,
  signal: AbortSignal,
): Promise<ResolvedMail> {
  const { id, kind = 'template', body, stylesheet, subject, preheader } = input;
  const stored = id === undefined ? undefined : await mailKinds[kind].read(services, connection, id, signal);
  const details = stored?.details ?? '';
  const envelope = readEnvelope(details);
  return {
    name: stored?.name ?? '',
    body: body ?? stored?.body ?? '',
    stylesheet: stylesheet ?? stored?.stylesheet ?? '',
    subject: subject ?? envelope.subject,
    preheader: preheader ?? envelope.preheader,
    headers: readHeaders(details),
    ...(stored && { fromEmail: envelope.from_email }),
    notes: describeUnsaved(stored?.unsaved ?? []),
  };
}

/** Returns a sentence that names the documents with unsaved edits. */
export function describeUnsaved(unsaved: MailTexts['unsaved']): readonly string[] {
  return unsaved.length === 0 ? [] : [`As the user has it in the editor and has not saved it: ${unsaved.join(', ')}.`];
}
