import type { FollowUpWithMails, MailingClient } from '../../service/client/index.ts';
import type { CallContext, DocumentKind, DocumentPart, Fields } from '../../platform/documents/model.ts';
import { collection, followUpSuffixes } from './model.ts';

/** View type of the form editor in `package.json`. */
export const followUpFormEditor = 'mailing.followUp.form';

/** A follow-up from the service, combined with the mail texts stored on this machine. */
export interface FollowUpRecord extends FollowUpWithMails {
  readonly view: {
    /** In ms since the epoch. */
    readonly created: number | undefined;
    /** Document texts by path. The details' path is their suffix. */
    readonly texts: Readonly<Record<string, string>>;
    /** Field values by the names that `parse` returns. */
    readonly values: Fields;
  };
}

export interface FollowUpStorage {
  read(client: MailingClient, id: number, context: CallContext): Promise<FollowUpRecord>;
  list(client: MailingClient, options: { signal?: AbortSignal }): AsyncIterable<FollowUpRecord>;
  update(client: MailingClient, record: FollowUpRecord, fields: Fields, context: CallContext): Promise<void>;
  parseDetails(text: string): Promise<Fields>;
  parseMail(mailId: number, text: string): Promise<Fields>;
}

/** Returns the name of a mail's field in the follow-up's fields. */
export const getMailFieldName = (mailId: number, field: string): string => `mails/${mailId}/${field}`;

/** Returns the path of a mail's document in the follow-up's folder. */
export const getMailPath = (mailId: number, suffix: string): string => `mails/${mailId}${suffix}`;

/**
 * Creates the document kind of follow-ups: the details, and the mail texts stored on this machine. `load` runs when the first record is
 * read.
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
