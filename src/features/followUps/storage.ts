import { ApiError, isApiError } from '../../service/client/errors.ts';
import { paginate, type FollowUpWithMails, type MailingClient } from '../../service/client/index.ts';
import type { Connection } from '../../platform/connections/model.ts';
import { readJson, writeJson } from '../../platform/documents/json.ts';
import { isSameValue } from '../../platform/documents/differences.ts';
import { PartialUpdateError, type CallContext, type Fields } from '../../platform/documents/model.ts';
import { mailSchema, followUpUpdateSchema } from './detailsSchema.ts';
import { getMailFieldName, getMailPath, type FollowUpRecord, type FollowUpStorage } from './documents.ts';
import { mailDetailFields, mailFields, createMailRequest, toMailText, type MailText } from './mailText.ts';
import {
  isDelayUnit,
  normalizeCondition,
  getFollowUpDetails,
  followUpSuffixes,
  type Delay,
  type MailDelay,
} from './model.ts';
import { findFollowUpRefusal } from './refusals.ts';
import type { FollowUpKey, SentMail, SentMailStore } from './sentMailStore.ts';

/** Returns the required properties of a connection by its id. */
export type GetConnection = (connection: string) => Pick<Connection, 'baseUrl' | 'profile'> | undefined;

/** Reads follow-ups with the mail texts stored on this machine, and saves changes of their documents. */
export class Storage implements FollowUpStorage {
  readonly #sentMails: SentMailStore;
  readonly #getConnection: GetConnection;

  constructor(sentMails: SentMailStore, getConnection: GetConnection) {
    this.#sentMails = sentMails;
    this.#getConnection = getConnection;
  }

  getKey(connection: string, followUpId: number): FollowUpKey {
    return { connection, baseUrl: this.#getConnection(connection)?.baseUrl ?? '', followUpId };
  }

  /** Returns the last sent texts of a follow-up's mails. */
  readSentMails(connection: string, followUpId: number): Promise<ReadonlyMap<number, SentMail>> {
    return this.#sentMails.read(this.getKey(connection, followUpId));
  }

  async read(client: MailingClient, id: number, { connection, signal }: CallContext): Promise<FollowUpRecord> {
    const [followUp, sentMails] = await Promise.all([
      client.getFollowUpById(id, { ...(signal && { signal }) }).catch((error: unknown) => {
        throw toNotFoundError(error);
      }),
      this.readSentMails(connection, id),
    ]);
    return createFollowUpRecord(followUp, sentMails);
  }

  async *list(client: MailingClient, options: { signal?: AbortSignal }): AsyncIterable<FollowUpRecord> {
    const pages = paginate((page, { signal }) => client.getFollowUps(page, { signal }), { pageSize: 100, ...options });
    for await (const followUp of pages) yield createFollowUpRecord({ ...followUp, mails: [] }, new Map());
  }

  async update(
    client: MailingClient,
    record: FollowUpRecord,
    fields: Fields,
    { connection }: CallContext,
  ): Promise<void> {
    const details = getFollowUpDetails(record);
    const refusal = findFollowUpRefusal(record, fields, this.#getConnection(connection)?.profile ?? 'documented');
    if (refusal !== undefined) throw new Error(`${refusal} Nothing was sent.`);
    const { mails: delays, ...changed } = Object.fromEntries(
      Object.entries(fields).filter(([name]) => !name.startsWith('mails/')),
    );
    const isChanged = Object.keys(changed).length > 0;
    if (isChanged) {
      const { name, display_name, trigger } = details;
      // The fields required to update are undocumented, so include those required to create.
      await client.createOrUpdateFollowUp({ followUpId: record.id, name, display_name, trigger, ...changed });
    }
    let isPartlyStored = isChanged;
    for (const { mail_id, ...before } of details.mails) {
      const delay = findChangedDelay(delays, mail_id) ?? before;
      const text = mergeMailText(record, fields, mail_id);
      if (text === undefined || (isSameValue(delay, before) && !changesMailText(fields, mail_id))) continue;
      await this.#sendMail(client, this.getKey(connection, record.id), {
        mailId: mail_id,
        text,
        delay,
        isPartlyStored,
      });
      isPartlyStored = true;
    }
  }

  /** Sends a mail once and stores its text. */
  async #sendMail(
    client: MailingClient,
    key: FollowUpKey,
    { mailId, text, delay, isPartlyStored }: { mailId: number; text: MailText; delay: Delay; isPartlyStored: boolean },
  ): Promise<void> {
    const { delay_unit } = delay;
    if (!isDelayUnit(delay_unit))
      throw new PartialUpdateError(`Mail #${mailId} has a delay in a unit that can't be sent. Choose another one.`);
    try {
      await client.attachEmailToFollowUp({
        followUpId: key.followUpId,
        delay: delay.delay,
        delay_unit,
        mail: createMailRequest(text, mailId),
      });
    } catch (error) {
      if (!isApiError(error)) throw error;
      if (error.outcome === 'unknown') {
        await this.#sentMails.markUnconfirmed(key, mailId, Date.now());
        throw new PartialUpdateError(
          `Mail #${mailId}: ${error.message} The service never returns a mail's text, so the result can't be checked. ` +
            'Your text is still here. You can safely save it again.',
        );
      }
      throw isPartlyStored
        ? new PartialUpdateError(`The other changes were stored, but not mail #${mailId}: ${error.message}`)
        : error;
    }
    try {
      await this.#sentMails.store(key, mailId, text, Date.now());
    } catch (error) {
      throw new PartialUpdateError(
        `The service took mail #${mailId}, but this machine can't keep its text: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  async parseDetails(text: string): Promise<Fields> {
    const details = readJson(text, followUpUpdateSchema);
    return { ...details, condition: normalizeCondition(details.condition), mails: sortMails(details.mails) };
  }

  async parseMail(mailId: number, text: string): Promise<Fields> {
    const details = readJson(text, mailSchema);
    return Object.fromEntries(mailDetailFields.map((field) => [getMailFieldName(mailId, field), details[field]]));
  }
}

/** Combines a follow-up with the stored mail texts. */
export function createFollowUpRecord(
  followUp: FollowUpWithMails,
  sentMails: ReadonlyMap<number, SentMail>,
): FollowUpRecord {
  const details = getFollowUpDetails(followUp);
  const sentTexts = followUp.mails.flatMap(({ mail_id }) => {
    const mail = sentMails.get(mail_id);
    return mail === undefined ? [] : [[mail_id, mail.text] as const];
  });
  const texts = sentTexts.flatMap(([id, text]) => [
    [getMailPath(id, followUpSuffixes.body), text.body],
    [
      getMailPath(id, followUpSuffixes.mail),
      writeJson(Object.fromEntries(mailDetailFields.map((field) => [field, text[field]]))),
    ],
  ]);
  const values = sentTexts.flatMap(([id, text]) =>
    mailFields.map((field) => [getMailFieldName(id, field), text[field]]),
  );
  return {
    ...followUp,
    view: {
      created: parseDateTime(followUp.creation_date),
      texts: { [followUpSuffixes.details]: writeJson(details), ...Object.fromEntries(texts) },
      values: { ...details, mails: sortMails(details.mails), ...Object.fromEntries(values) },
    },
  };
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

function changesMailText(fields: Fields, mailId: number): boolean {
  return mailFields.some((field) => getMailFieldName(mailId, field) in fields);
}

/** Returns a mail's text with its changes; undefined if this machine has no text. */
function mergeMailText({ view }: FollowUpRecord, fields: Fields, mailId: number): MailText | undefined {
  if (!(getMailPath(mailId, followUpSuffixes.body) in view.texts)) return undefined;
  return toMailText(
    Object.fromEntries(
      mailFields.map((field) => [
        field,
        fields[getMailFieldName(mailId, field)] ?? view.values[getMailFieldName(mailId, field)],
      ]),
    ),
  );
}

/** Converts status 400 to "not found": the documented response to an id without a follow-up. */
function toNotFoundError(error: unknown): unknown {
  if (!isApiError(error) || error.status !== 400) return error;
  const { operation, outcome, status, serverMessage } = error;
  return new ApiError({
    kind: 'notFound',
    operation,
    outcome,
    status,
    ...(serverMessage !== undefined && { serverMessage }),
    message: 'Reading the follow-up failed: the service does not find it; refresh, as it may have been deleted.',
  });
}

/** Parses a date and time of the service (`YYYY-MM-DD HH:MM:SS`, unknown time zone, read as UTC) to ms since the epoch. */
function parseDateTime(dateTime: string | null): number | undefined {
  const time = Date.parse(`${dateTime?.replace(' ', 'T')}Z`);
  return Number.isNaN(time) ? undefined : time;
}
