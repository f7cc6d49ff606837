import { ApiError, isApiError } from '../../service/client/errors.ts';
import { paginate, type FollowUpWithMails, type MailingClient } from '../../service/client/index.ts';
import type { Connection } from '../../platform/connections/model.ts';
import { readJson, writeJson } from '../../platform/documents/json.ts';
import { PartialUpdateError, isSameValue, type CallContext, type Fields } from '../../platform/documents/model.ts';
import { mailSchema, savedSchema } from './detailsSchema.ts';
import { mailField, mailFile, type FollowUpRecord, type FollowUpStorage } from './documents.ts';
import { mailDetails, mailFields, mailRequest, mailTextOf, type MailText } from './mailText.ts';
import { isDelayUnit, conditionOf, detailsOf, suffixes, type Delay, type MailDelay } from './model.ts';
import { refuse } from './refusals.ts';
import type { FollowUpPlace, KeptMail, SentMails } from './sentMails.ts';

/** What is known of a connection. */
export type Connected = (connection: string) => Pick<Connection, 'baseUrl' | 'profile'> | undefined;

/** Reads follow-ups with what this machine knows of their mails, and stores what was changed in their documents. */
export class Storage implements FollowUpStorage {
  readonly #sent: SentMails;
  readonly #connected: Connected;

  constructor(sent: SentMails, connected: Connected) {
    this.#sent = sent;
    this.#connected = connected;
  }

  place(connection: string, followUpId: number): FollowUpPlace {
    return { connection, baseUrl: this.#connected(connection)?.baseUrl ?? '', followUpId };
  }

  /** The texts of a follow-up's mails that this machine sent last. */
  kept(connection: string, followUpId: number): Promise<ReadonlyMap<number, KeptMail>> {
    return this.#sent.read(this.place(connection, followUpId));
  }

  async read(client: MailingClient, id: number, { connection, signal }: CallContext): Promise<FollowUpRecord> {
    const [followUp, kept] = await Promise.all([
      client.getFollowUpById(id, { ...(signal && { signal }) }).catch((error: unknown) => {
        throw asNotFound(error);
      }),
      this.kept(connection, id),
    ]);
    return recordOf(followUp, kept);
  }

  async *list(client: MailingClient, options: { signal?: AbortSignal }): AsyncIterable<FollowUpRecord> {
    const pages = paginate((page, { signal }) => client.getFollowUps(page, { signal }), { pageSize: 100, ...options });
    for await (const followUp of pages) yield recordOf({ ...followUp, mails: [] }, new Map());
  }

  async update(
    client: MailingClient,
    record: FollowUpRecord,
    fields: Fields,
    { connection }: CallContext,
  ): Promise<void> {
    const details = detailsOf(record);
    const refusal = refuse(record, fields, this.#connected(connection)?.profile ?? 'documented');
    if (refusal !== undefined) throw new Error(`${refusal} Nothing was sent.`);
    const { mails: delays, ...changed } = Object.fromEntries(
      Object.entries(fields).filter(([name]) => !name.startsWith('mails/')),
    );
    const isChanged = Object.keys(changed).length > 0;
    if (isChanged) {
      const { name, display_name, trigger } = details;
      // Which of the fields an update needs is not documented: those that a creation needs go with it.
      await client.createOrUpdateFollowUp({ followUpId: record.id, name, display_name, trigger, ...changed });
    }
    let stored = isChanged;
    for (const { mail_id, ...before } of details.mails) {
      const delay = newDelay(delays, mail_id) ?? before;
      const text = newText(record, fields, mail_id);
      if (text === undefined || (isSameValue(delay, before) && !hasText(fields, mail_id))) continue;
      await this.#store(client, this.place(connection, record.id), { mailId: mail_id, text, delay, stored });
      stored = true;
    }
  }

  /** Sends a mail once, and keeps what was sent. */
  async #store(
    client: MailingClient,
    place: FollowUpPlace,
    { mailId, text, delay, stored }: { mailId: number; text: MailText; delay: Delay; stored: boolean },
  ): Promise<void> {
    const { delay_unit } = delay;
    if (!isDelayUnit(delay_unit))
      throw new PartialUpdateError(`Mail #${mailId} has a delay in a unit that can't be sent. Choose another one.`);
    try {
      await client.attachEmailToFollowUp({
        followUpId: place.followUpId,
        delay: delay.delay,
        delay_unit,
        mail: mailRequest(text, mailId),
      });
    } catch (error) {
      if (!isApiError(error)) throw error;
      if (error.outcome === 'unknown') {
        await this.#sent.doubt(place, mailId, Date.now());
        throw new PartialUpdateError(
          `Mail #${mailId}: ${error.message} Nobody can tell, because the service never returns a mail's text. ` +
            'Your text is safe here: to save it again does no harm.',
        );
      }
      throw stored
        ? new PartialUpdateError(`The other changes were stored, but not mail #${mailId}: ${error.message}`)
        : error;
    }
    try {
      await this.#sent.keep(place, mailId, text, Date.now());
    } catch (error) {
      throw new PartialUpdateError(
        `The service took mail #${mailId}, but this machine can't keep its text: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  async parseDetails(text: string): Promise<Fields> {
    const details = await readJson(text, async () => savedSchema);
    return { ...details, condition: conditionOf(details.condition), mails: sorted(details.mails) };
  }

  async parseMail(mailId: number, text: string): Promise<Fields> {
    const details = await readJson(text, async () => mailSchema);
    return Object.fromEntries(mailDetails.map((field) => [mailField(mailId, field), details[field]]));
  }
}

/** A follow-up with what its documents show. */
export function recordOf(followUp: FollowUpWithMails, kept: ReadonlyMap<number, KeptMail>): FollowUpRecord {
  const details = detailsOf(followUp);
  const known = followUp.mails.flatMap(({ mail_id }) => {
    const mail = kept.get(mail_id);
    return mail === undefined ? [] : [[mail_id, mail.text] as const];
  });
  const texts = known.flatMap(([id, text]) => [
    [mailFile(id, suffixes.body), text.body],
    [mailFile(id, suffixes.mail), writeJson(Object.fromEntries(mailDetails.map((field) => [field, text[field]])))],
  ]);
  const values = known.flatMap(([id, text]) => mailFields.map((field) => [mailField(id, field), text[field]]));
  return {
    ...followUp,
    view: {
      created: timeOf(followUp.creation_date),
      texts: { [suffixes.details]: writeJson(details), ...Object.fromEntries(texts) },
      values: { ...details, mails: sorted(details.mails), ...Object.fromEntries(values) },
    },
  };
}

/** In one order, because that of an answer says nothing. */
function sorted(mails: readonly MailDelay[]): readonly MailDelay[] {
  return mails.toSorted((one, other) => one.mail_id - other.mail_id);
}

function newDelay(delays: unknown, mailId: number): Delay | undefined {
  const found = Array.isArray(delays)
    ? (delays as readonly MailDelay[]).find(({ mail_id }) => mail_id === mailId)
    : undefined;
  return found && { delay: found.delay, delay_unit: found.delay_unit };
}

function hasText(fields: Fields, mailId: number): boolean {
  return mailFields.some((field) => mailField(mailId, field) in fields);
}

/** A mail's text with its changes; undefined where nothing is known of it. */
function newText({ view }: FollowUpRecord, fields: Fields, mailId: number): MailText | undefined {
  if (!(mailFile(mailId, suffixes.body) in view.texts)) return undefined;
  return mailTextOf(
    Object.fromEntries(
      mailFields.map((field) => [field, fields[mailField(mailId, field)] ?? view.values[mailField(mailId, field)]]),
    ),
  );
}

/** The documented error of the route is 400. A request with an id is refused so where there is no such follow-up. */
function asNotFound(error: unknown): unknown {
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

/** Date-time of the service (`YYYY-MM-DD HH:MM:SS`, in its own unnamed zone) in ms since the epoch, taken as UTC. */
function timeOf(dateTime: string | null): number | undefined {
  const time = Date.parse(`${dateTime?.replace(' ', 'T')}Z`);
  return Number.isNaN(time) ? undefined : time;
}
