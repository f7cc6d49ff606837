import type { FollowUpWithMails, MailingClient } from '../../service/client/index.ts';
import type { CallContext, DocumentKind, DocumentPart, Fields } from '../../platform/documents/model.ts';
import { collection, followUpSuffixes } from './model.ts';

/** Type of the editor that shows details as a form, as `package.json` contributes it. */
export const followUpFormEditor = 'mailing.followUp.form';

/** A follow-up as its documents show it: made of an answer of the service, and of what this machine has kept of the mails. */
export interface FollowUpRecord extends FollowUpWithMails {
  readonly view: {
    /** In ms since the epoch. */
    readonly created: number | undefined;
    /** The text of each document there is, by its path: the details under their suffix. */
    readonly texts: Readonly<Record<string, string>>;
    /** The value of each field, by the names that `parse` gives. */
    readonly values: Fields;
  };
}

/** What reads and stores follow-ups. */
export interface FollowUpStorage {
  read(client: MailingClient, id: number, context: CallContext): Promise<FollowUpRecord>;
  list(client: MailingClient, options: { signal?: AbortSignal }): AsyncIterable<FollowUpRecord>;
  update(client: MailingClient, record: FollowUpRecord, fields: Fields, context: CallContext): Promise<void>;
  parseDetails(text: string): Promise<Fields>;
  parseMail(mailId: number, text: string): Promise<Fields>;
}

/** Name that a mail's field has among a follow-up's. */
export const getMailFieldName = (mailId: number, field: string): string => `mails/${mailId}/${field}`;

/** Path of a mail's document below the follow-up's folder. */
export const getMailPath = (mailId: number, suffix: string): string => `mails/${mailId}${suffix}`;

/**
 * Follow-ups as documents: the details, and the texts of the mails that this machine knows. What reads and stores them is loaded with the
 * first record.
 */
export function createFollowUpDocuments(load: () => Promise<FollowUpStorage>): DocumentKind<FollowUpRecord> {
  const getText = ({ view }: FollowUpRecord, file: string): string => view.texts[file] ?? '';
  const createMailPart = (mailId: number, suffix: string): DocumentPart<FollowUpRecord> => {
    const file = getMailPath(mailId, suffix);
    return {
      suffix,
      file,
      getMissingReason: ({ view, mails }) =>
        file in view.texts
          ? undefined
          : mails.some(({ mail_id }) => mail_id === mailId)
            ? `The service never returns a mail's text, and this machine has not sent that of mail #${mailId}. ` +
              '"Edit Mail of Follow-up" lets you supply it.'
            : `The follow-up has no mail #${mailId} any more.`,
      render: (record) => getText(record, file),
      parse: async (content) =>
        suffix === followUpSuffixes.body
          ? { [getMailFieldName(mailId, 'body')]: content }
          : (await load()).parseMail(mailId, content),
    };
  };
  const createMailParts = (mailId: number): DocumentPart<FollowUpRecord>[] => [
    createMailPart(mailId, followUpSuffixes.body),
    createMailPart(mailId, followUpSuffixes.mail),
  ];
  return {
    collection,
    noun: 'follow-up',
    parts: [
      {
        suffix: followUpSuffixes.details,
        render: (record) => getText(record, followUpSuffixes.details),
        parse: async (content) => (await load()).parseDetails(content),
      },
    ],
    folder: {
      name: 'mails',
      part: (file) => {
        const [, id, suffix] = /^([1-9]\d{0,14})(\.html|\.json)$/u.exec(file) ?? [];
        return id === undefined || suffix === undefined ? undefined : createMailPart(Number(id), suffix);
      },
      parts: ({ mails, view }) =>
        mails.flatMap(({ mail_id }) => createMailParts(mail_id)).filter(({ file = '' }) => file in view.texts),
    },
    name: ({ name }) => name ?? '',
    getCreationTime: ({ view }) => view.created,
    list: async function* (client, options) {
      yield* (await load()).list(client, options);
    },
    read: async (client, id, context) => (await load()).read(client, id, context),
    update: async (client, record, fields, context) => (await load()).update(client, record, fields, context),
    getField: ({ view }, name) => view.values[name],
    getReadOnlyReason: () => undefined,
  };
}
