import type { Row } from '../../service/client/shapes.ts';
import type { TextFields } from '../../platform/documents/fieldSchemas.ts';

/** The text fields of a mail's JSON document, in order, by their API names. The body has its own document. */
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

/** The text of a mail. Services accept it but never return it. Missing fields are empty. */
export type MailText = Readonly<Record<(typeof mailFields)[number], string>>;

/** Returns a mail's text from fields of any type. Values other than strings become empty. */
export function toMailText(values: Row): MailText {
  return Object.fromEntries(
    mailFields.map((field) => [field, typeof values[field] === 'string' ? values[field] : '']),
  ) as MailText;
}

/** Returns the `mail` of a request. A new mail omits empty fields, so that the service applies its defaults. */
export function createMailRequest(text: MailText, id?: number): Readonly<Record<string, string | number>> {
  const fields = mailFields
    .map((field) => [field, text[field]] as const)
    .filter(([, value]) => id !== undefined || value !== '');
  return { ...(id !== undefined && { id }), ...Object.fromEntries(fields) };
}
