import { t } from '../../l10n.ts';
import type { FollowUpWithMails } from '../../service/client/index.ts';
import type { Row } from '../../service/client/shapes.ts';
import type { TextFields } from '../../sync/fields/fieldSchemas.ts';
import { emailTextFields } from '../../sync/fields/templateFields.ts';
import type { Fields } from '../../platform/documents/model.ts';
import { escapeMessage } from '../../service/text.ts';

/** The text fields of a mail's JSON document, in order, by their API names. The body has its own document. */
export const mailTextFields = {
  ...emailTextFields,
  bounce_email: 'address',
  bcc: 'addresses',
} as const satisfies TextFields;

export const mailDetailFields = Object.keys(mailTextFields) as readonly (keyof typeof mailTextFields)[];

export const mailFields = [...mailDetailFields, 'body'] as const;

/** The text of a mail. Services accept it, but only the sandbox returns it. Missing fields are empty. */
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

/** A follow-up from the service, with the texts of its mails: those it contains, or that this machine last sent. */
export interface FollowUpRecord extends FollowUpWithMails {
  /** By mail id. */
  readonly mailTexts: Readonly<Record<string, MailText>>;
}

/** Combines a follow-up with the stored texts of its mails. Texts in the follow-up take precedence. */
export function createFollowUpRecord(
  followUp: FollowUpWithMails,
  sentMails: ReadonlyMap<number, { readonly text: MailText }>,
): FollowUpRecord {
  const texts = followUp.mails.flatMap((mail) => {
    const text = typeof mail['body'] === 'string' ? toMailText(mail) : sentMails.get(mail.mail_id)?.text;
    return text ? [[mail.mail_id, text] as const] : [];
  });
  return { ...followUp, mailTexts: Object.fromEntries(texts) };
}

/** Returns the name of a mail's field in the follow-up's fields. */
export const getMailFieldName = (mailId: number, field: string): string => `mails/${mailId}/${field}`;

/** Returns the path of a mail's document in the follow-up's folder. */
export const getMailPath = (mailId: number, suffix: string): string => `mails/${mailId}${suffix}`;

/** Returns whether this machine has a mail's text. */
export function hasMailText({ mailTexts }: FollowUpRecord, mailId: number): boolean {
  return mailId in mailTexts;
}

/** Returns a mail's text with some changed fields. Fields without a stored or changed value are empty. */
export function getMailText({ mailTexts }: FollowUpRecord, mailId: number, changed: Fields = {}): MailText {
  const values = mailFields.map((field) => {
    const name = getMailFieldName(mailId, field);
    return [field, name in changed ? changed[name] : mailTexts[mailId]?.[field]];
  });
  return toMailText(Object.fromEntries(values));
}

/** Returns a mail's stored name or subject, or its id if there is no stored text. */
export function getMailName(record: FollowUpRecord, mailId: number): string {
  const { name, subject } = getMailText(record, mailId);
  return [name, subject].map((text) => escapeMessage(text)).find((text) => text.trim() !== '') ?? t`Email #${mailId}`;
}
