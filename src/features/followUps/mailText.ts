import type { TextFields } from '../../platform/documents/fieldSchemas.ts';

/**
 * The fields of a mail that are text, by the API document's names, in the order of its JSON document. The body is a document of its own.
 */
export const mailTextFields = {
  name: 'text',
  subject: 'text',
  preheader: 'text',
  from_name: 'text',
  from_email: 'address',
  reply_to_name: 'text',
  reply_to_email: 'address',
  bounce_email: 'address',
  bcc: 'addresses',
} as const satisfies TextFields;

export const mailDetailFields = Object.keys(mailTextFields) as readonly (keyof typeof mailTextFields)[];

export const mailFields = [...mailDetailFields, 'body'] as const;

/** Everything of a mail that the service takes and never gives back. Absent texts are empty. */
export type MailText = Readonly<Record<(typeof mailFields)[number], string>>;

/** A mail's text of whatever is known of it. */
export function toMailText(values: Readonly<Record<string, unknown>>): MailText {
  return Object.fromEntries(
    mailFields.map((field) => [field, typeof values[field] === 'string' ? values[field] : '']),
  ) as MailText;
}

/** The fields of a mail's request. Empty ones are left out of a new mail: the service's own values stand for them. */
export function createMailRequest(text: MailText, id?: number): Readonly<Record<string, string | number>> {
  const fields = mailFields
    .map((field) => [field, text[field]] as const)
    .filter(([, value]) => id !== undefined || value !== '');
  return { ...(id !== undefined && { id }), ...Object.fromEntries(fields) };
}
