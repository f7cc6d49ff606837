import { campaignDocuments } from '../campaigns/documents.ts';
import { suffixes as campaignParts } from '../campaigns/model.ts';
import type { Connection } from '../../platform/connections/model.ts';
import type { DocumentKind } from '../../platform/documents/model.ts';
import { isUnsaved, findRecordDocuments } from '../../platform/documents/unsaved.ts';
import { readEnvelope, readHeaders } from '../../email/compose/envelope.ts';
import type { MailParts } from '../../platform/preview/host/recordSource.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { templateDocuments } from '../templates/documents.ts';
import { templateSuffixes as templateParts } from '../templates/model.ts';
import type { EmailInput } from './schemas.ts';

type MailServices = Pick<ExtensionServices, 'connections' | 'documents'>;

/** The texts of an email, as their editors have them now. */
export interface MailTexts {
  readonly name: string;
  readonly body: string;
  readonly stylesheet: string;
  /** JSON, as its document has it. */
  readonly details: string;
  /** Which of them their user has not saved. */
  readonly unsaved: readonly ('body' | 'stylesheet' | 'details')[];
  /** Why it can't be changed; undefined where it can. */
  readonly readOnly: string | undefined;
}

export type MailKind = NonNullable<EmailInput['kind']>;
type ReadMail = (services: MailServices, connection: Connection, id: number, signal: AbortSignal) => Promise<MailTexts>;

/** The emails that tools know, by what they are. */
export const mailKinds = {
  template: { collection: templateDocuments.collection, read: createReader(templateDocuments, templateParts) },
  campaign: { collection: campaignDocuments.collection, read: createReader(campaignDocuments, campaignParts) },
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

/** An email as the pure rooms take it. */
export interface ResolvedMail {
  readonly body: string;
  readonly stylesheet: string;
  readonly subject: string;
  readonly preheader: string;
  readonly headers: string;
  readonly fromEmail?: string;
  /** What it is called. */
  readonly name: string;
  /** What of it is neither stored nor the model's, in a sentence. */
  readonly notes: readonly string[];
}

/** The email that an input means: a stored one, a text, or one with the texts of the input in place of its own. Throws `ApiError`. */
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

/** Says what is taken from an editor. */
export function describeUnsaved(unsaved: MailTexts['unsaved']): readonly string[] {
  return unsaved.length === 0 ? [] : [`As the user has it in the editor and has not saved it: ${unsaved.join(', ')}.`];
}
