import { t } from '../../l10n.ts';
import { ApiError } from '../../service/client/errors.ts';
import { isApiError, isUnconfirmed } from '../../service/client/shapes.ts';
import { paginate, type MailingClient } from '../../service/client/index.ts';
import type { Connection, RecordRef } from '../../platform/connections/model.ts';
import { readJson, writeJson } from '../../sync/fields/jsonDocument.ts';
import { isSameValue } from '../../platform/documents/differences.ts';
import {
  PartialUpdateError,
  type DocumentKind,
  type DocumentPart,
  type Fields,
} from '../../platform/documents/model.ts';
import { errorText } from '../../ui/errors.ts';
import { isDelayUnit, normalizeCondition, getFollowUpDetails, type Delay, type MailDelay } from './model.ts';
import { followUpKind, followUpSuffixes } from './kind.ts';
import {
  createFollowUpRecord,
  createMailRequest,
  getMailFieldName,
  getMailPath,
  getMailText,
  hasMailText,
  mailDetailFields,
  mailFields,
  type FollowUpRecord,
  type MailText,
} from './record.ts';
import type { SentMailStore } from './sentMailStore.ts';
import { findFollowUpRefusal, followUpUpdateSchema, mailSchema } from './validation.ts';

/** Creates the documents of follow-ups: the details, and the mail texts stored on this machine. */
export function createFollowUpDocuments(
  sentMails: SentMailStore,
  getConnection: (connection: string) => Pick<Connection, 'profile'> | undefined,
): DocumentKind<FollowUpRecord> {
  const { suffixes: _, folder, ...eager } = followUpKind;
  return {
    ...eager,
    parts: [
      {
        suffix: followUpSuffixes.details,
        render: (record) => writeJson(getFollowUpDetails(record)),
        parse: (text) => {
          const details = readJson(text, followUpUpdateSchema);
          return { ...details, condition: normalizeCondition(details.condition), mails: sortMails(details.mails) };
        },
      },
    ],
    folder: {
      name: folder.name,
      part: (file) => {
        const [id, suffix] = [Number.parseInt(file, 10), file.slice(file.indexOf('.'))];
        return folder.pattern.test(file) ? createMailPart(id, suffix) : undefined;
      },
      parts: ({ mailTexts }) =>
        Object.keys(mailTexts).flatMap((id) =>
          [followUpSuffixes.body, followUpSuffixes.mail].map((suffix) => createMailPart(Number(id), suffix)),
        ),
    },
    getCreationDate: ({ creation_date }) => creation_date,
    list: async function* (client, options) {
      const pages = paginate((page, { signal }) => client.getFollowUps(page, { signal }), {
        ...options,
      });
      for await (const followUp of pages) yield { ...followUp, mails: [], mailTexts: {} };
    },
    read: async (client, id, { signal, ...service }) => {
      const [followUp, sent] = await Promise.all([
        client.getFollowUpById(id, { signal }).catch((error: unknown) => {
          throw toNotFoundError(error);
        }),
        sentMails.read({ ...service, id }),
      ]);
      return createFollowUpRecord(followUp, sent);
    },
    update: async (client, record, fields, { connection, baseUrl }) => {
      const details = getFollowUpDetails(record);
      const refusal = findFollowUpRefusal(record, fields, getConnection(connection)?.profile ?? 'documented');
      if (refusal !== undefined) throw new Error(`${refusal} ${t('Nothing was saved.')}`);
      const { mails: delays, ...changed } = Object.fromEntries(
        Object.entries(fields).filter(([name]) => !name.startsWith('mails/')),
      );
      let isPartlyStored = Object.keys(changed).length > 0;
      if (isPartlyStored) {
        const { name, display_name, trigger } = details;
        // The fields required to update are undocumented, so include those required to create.
        await client.createOrUpdateFollowUp({ followUpId: record.id, name, display_name, trigger, ...changed });
      }
      for (const { mail_id: mailId, ...before } of details.mails) {
        const delay = findChangedDelay(delays, mailId) ?? before;
        const hasNewText = mailFields.some((field) => getMailFieldName(mailId, field) in fields);
        if (!hasMailText(record, mailId) || (isSameValue(delay, before) && !hasNewText)) continue;
        const mail = { mailId, text: getMailText(record, mailId, fields), delay, isPartlyStored };
        await replaceMail(client, sentMails, { connection, baseUrl, id: record.id }, mail);
        isPartlyStored = true;
      }
    },
    getField: (record, name) => {
      const [, mailId, field = name] = /^mails\/(\d+)\/(.+)$/u.exec(name) ?? [];
      const details = getFollowUpDetails(record);
      const values: Fields =
        mailId === undefined ? { ...details, mails: sortMails(details.mails) } : { ...record.mailTexts[mailId] };
      return values[field];
    },
    getReadOnlyReason: () => undefined,
  };
}

function createMailPart(mailId: number, suffix: string): DocumentPart<FollowUpRecord> {
  return {
    suffix,
    file: getMailPath(mailId, suffix),
    getMissingReason: (record) =>
      hasMailText(record, mailId)
        ? undefined
        : record.mails.some(({ mail_id }) => mail_id === mailId)
          ? t`This computer hasn't sent the text of email #${mailId}, and the service never returns it. To supply the text, use "Edit Follow-up Email".`
          : t`The follow-up no longer has email #${mailId}.`,
    render: (record) => {
      const { body, ...details } = getMailText(record, mailId);
      return suffix === followUpSuffixes.body ? body : writeJson(details);
    },
    parse: (text) => {
      if (suffix === followUpSuffixes.body) return { [getMailFieldName(mailId, 'body')]: text };
      const details = readJson(text, mailSchema);
      return Object.fromEntries(mailDetailFields.map((field) => [getMailFieldName(mailId, field), details[field]]));
    },
  };
}

interface MailReplacement {
  readonly mailId: number;
  readonly text: MailText;
  readonly delay: Delay;
  /** Whether other changes of the same save were stored. */
  readonly isPartlyStored?: boolean;
}

/**
 * Replaces a mail's text once, and stores it on this machine.
 *
 * Throws `ApiError` if the service refused the request, `PartialUpdateError` if it may have stored the text, or earlier changes.
 */
export async function replaceMail(
  client: MailingClient,
  sentMails: SentMailStore,
  followUp: RecordRef,
  { mailId, text, delay, isPartlyStored = false }: MailReplacement,
): Promise<void> {
  const { delay_unit } = delay;
  if (!isDelayUnit(delay_unit))
    throw new PartialUpdateError(
      t`The delay of email #${mailId} has a unit that the service doesn't accept. Choose another unit.`,
    );
  try {
    await client.attachEmailToFollowUp({
      followUpId: followUp.id,
      delay: delay.delay,
      delay_unit,
      mail: createMailRequest(text, mailId),
    });
  } catch (error) {
    if (isUnconfirmed(error)) {
      await sentMails.markUnconfirmed(followUp, mailId);
      throw new PartialUpdateError(
        t`Email #${mailId} may have been saved: ${error.message} Your text is still here; you can safely save it again.`,
      );
    }
    throw isPartlyStored && isApiError(error)
      ? new PartialUpdateError(t`The other changes were saved, but not email #${mailId}: ${error.message}`)
      : error;
  }
  try {
    await sentMails.store(followUp, mailId, text);
  } catch (error) {
    throw new PartialUpdateError(
      t`Email #${mailId} was saved on the service, but its text couldn't be stored on this computer: ${errorText(error)}`,
    );
  }
}

/** Sorts by id, because the order in a response is arbitrary. */
function sortMails(mails: readonly MailDelay[]): readonly MailDelay[] {
  return mails.toSorted((one, other) => one.mail_id - other.mail_id);
}

function findChangedDelay(delays: unknown, mailId: number): Delay | undefined {
  const changed = Array.isArray(delays)
    ? (delays as readonly MailDelay[]).find(({ mail_id }) => mail_id === mailId)
    : undefined;
  return changed && { delay: changed.delay, delay_unit: changed.delay_unit };
}

/** Converts status 400 to "not found": the documented response to an id without a follow-up. */
function toNotFoundError(error: unknown) {
  if (!isApiError(error) || error.status !== 400) return error;
  return new ApiError({
    ...error,
    kind: 'notFound',
    reason: undefined,
    message: [
      t("Couldn't read the follow-up."),
      t("The service can't find this follow-up."),
      t('Refresh, because it may have been deleted.'),
    ].join(' '),
  });
}
