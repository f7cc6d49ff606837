import { t } from '@vscode/l10n';
import { randomUUID } from 'node:crypto';
import type { ServiceRef } from '../../../platform/connections/model.ts';
import type { Campaign, MailingClient, Template } from '../../../service/client/index.ts';
import { isApiError, isUnconfirmed } from '../../../service/client/shapes.ts';
import { getSubjectKey, type Journal } from '../../../sync/requests/journal.ts';
import type { TestEntry } from '../../../sync/requests/kinds.ts';
import { escapeMessage } from '../../../service/text.ts';
import { type CampaignSender, createSendInProgressError, type SendOutcome } from '../campaignSender.ts';
import { TEST_PREFIX, type TestList } from './recipients.ts';
import { getSendState, recordShowsSent, type SendConnections } from '../sendState.ts';

/** A record whose creation got no response may still appear within this time. */
const LATE_RECORD_MS = 15 * 60_000;

/** What tests create. Journal entries are named `templates/` or `campaigns/`, and the mark in the record's name. */
type RecordKind = 'templates' | 'campaigns';

/** A record for one test. */
export interface TestRecord {
  /** Contains the mark. */
  readonly name: string;
  /** Unique among all records. */
  readonly mark: string;
  /** Records the id once the service has returned it. */
  recordId(id: number): Promise<void>;
  /** Tells other windows right before a request that this test still runs. Throws if one has taken over. */
  renew(): Promise<void>;
}

/** A record that a test left on the service. */
interface Leftover {
  readonly id: number;
  readonly name: string;
  readonly entry: TestEntry;
}

/** Reads the record of an entry; undefined if it doesn't exist. Throws `ApiError`. */
const findRecord: Readonly<
  Record<RecordKind, (client: MailingClient, mark: string, entry: TestEntry) => Promise<FoundTestRecord | undefined>>
> = {
  templates: (client, mark, { id }) => (id === undefined ? findTemplate(client, mark) : client.getOneTemplate(id)),
  campaigns: async (client, mark, { name: filter, id }) =>
    id === undefined
      ? (await client.getCampaigns({ limit: 20, filters: { name: filter } })).find(({ name }) => name?.includes(mark))
      : client.getCampaignById(id),
};

/** Finds the template of a test by the mark in its name. Throws `ApiError`. */
export async function findTemplate(client: MailingClient, mark: string): Promise<Template | undefined> {
  return (await client.getTemplates({ search: mark, limit: 20 })).find(({ name }) => name?.includes(mark));
}

type FoundTestRecord = Pick<Campaign, 'id'> & Partial<Pick<Campaign, 'name' | 'sent' | 'active'>>;

interface EntryFields extends Pick<TestEntry, 'name' | 'addresses'> {
  readonly service: ServiceRef;
}

/** `unconfirmed`: the service may still send a test to everyone on the list. */
type ListState = 'free' | 'busy' | 'unconfirmed';

/** Records the campaign that is about to be sent to a reserved list. Throws if the list was lost: nothing may be sent then. */
export type RecordCampaign = (campaign: Campaign) => Promise<void>;

/** How leftovers are offered for deletion. */
export interface LeftoverPrompts {
  warn(message: string, ...buttons: readonly string[]): Promise<string | undefined>;
  showError(error: unknown): void;
  onDeleted(connection: string): void;
}

/**
 * Templates and campaigns created for tests, and lists reserved for them. A journal entry is written first, so that records can be found and
 * deleted later, even if the response to their creation or deletion was lost, or the window crashed.
 */
export class TestRecords {
  readonly journal: Journal<TestEntry>;
  readonly #connections: SendConnections;
  readonly #sender: Pick<CampaignSender, 'isUnconfirmed'>;
  /** Subjects of the records and lists that this window is using. */
  readonly #inUse = new Set<string>();
  /** Subjects of the leftovers that this window has offered to delete. */
  readonly #offered = new Set<string>();

  constructor(
    journal: Journal<TestEntry>,
    connections: SendConnections,
    sender: Pick<CampaignSender, 'isUnconfirmed'>,
  ) {
    this.journal = journal;
    this.#connections = connections;
    this.#sender = sender;
  }

  /** Runs a test that creates a template, which is deleted afterwards. */
  withTemplate<T>(service: ServiceRef, mailName: string, test: (record: TestRecord) => Promise<T>): Promise<T> {
    const mark = `mailing-studio-${randomUUID()}`;
    const created = { service, name: `${TEST_PREFIX}${mailName} ${mark}`, mark };
    return this.#withRecord('templates', created, async (record) => {
      try {
        return await test(record);
      } finally {
        await this.#deleteTemplate(record.entry).catch(() => undefined);
      }
    });
  }

  /**
   * Runs a test that creates a campaign and sends it. If the test throws, nothing was sent and the campaign is
   * deleted.
   */
  withCampaign<T>(service: ServiceRef, mailName: string, test: (record: TestRecord) => Promise<T>): Promise<T> {
    const mark = randomUUID().slice(-12);
    const name = `${TEST_PREFIX}${mailName} ${new Date().toISOString().slice(0, 16).replace('T', ' ')} #${mark}`;
    return this.#withRecord('campaigns', { service, name, mark }, async (record) => {
      try {
        const result = await test(record);
        await this.#release(record.entry);
        return result;
      } catch (error) {
        if (await this.#tryDelete(record.entry, error)) await this.#release(record.entry);
        throw error;
      }
    });
  }

  /**
   * Returns the unconfirmed test of an email to single addresses. Throws if another window may still be waiting for a
   * response.
   */
  async findUnconfirmed({ connection, baseUrl }: ServiceRef, what: string): Promise<TestEntry | undefined> {
    const entry = await this.journal.find({ connection, baseUrl, what });
    if (entry !== undefined && this.journal.isInFlight(entry)) throw createSendInProgressError();
    return entry;
  }

  async getListState({ connection, baseUrl }: ServiceRef, listId: number): Promise<ListState> {
    const entry = await this.journal.find({ connection, baseUrl, what: `lists/${listId}` });
    if (entry === undefined) return 'free';
    if (this.#inUse.has(getSubjectKey(entry))) return 'busy';
    const { id, before } = entry;
    // Without a campaign nothing was sent, but a change of its members may still take effect.
    if (id === undefined || before === undefined) return this.journal.isInFlight(entry) ? 'busy' : 'unconfirmed';
    if (!(await recordShowsSent(this.#connections, { connection, baseUrl, campaignId: id, before })))
      return 'unconfirmed';
    await this.journal.release(entry);
    return 'free';
  }

  /**
   * Reserves a list of Mailing Studio during a test, and keeps it reserved while the send or a change of its members is unconfirmed: the
   * service may process them late, and reach addresses of a later test. Throws if another test uses the list.
   */
  async withList<T extends { readonly outcome: SendOutcome }>(
    list: TestList,
    fields: EntryFields,
    test: (recordCampaign: RecordCampaign) => Promise<T>,
  ): Promise<T> {
    const entry = this.#createEntry(`lists/${list.id}`, fields);
    const busy = createListBusyError(list.name);
    if (!(await this.journal.acquire(entry))) throw busy;
    return this.#use(entry, async () => {
      let isConfirmed = true;
      try {
        const delivery = await test(async (campaign) => {
          const recorded = { id: campaign.id, before: getSendState(campaign) };
          if ((await this.journal.record(entry, recorded)) === undefined) throw busy;
        });
        isConfirmed = delivery.outcome === 'sent';
        return delivery;
      } catch (error) {
        isConfirmed = !(error instanceof UnconfirmedMembersError);
        throw error;
      } finally {
        if (isConfirmed) await this.#release(entry);
      }
    });
  }

  /** Deletes the templates of other windows, except those still in use. */
  async deleteTemplates(): Promise<void> {
    for (const entry of await this.#findAbandoned('templates'))
      await this.#deleteTemplate(entry).catch(() => undefined);
  }

  /** Offers to delete campaigns left by tests, each once per window. Resolves when all offers are answered. */
  async offerLeftovers(prompts: LeftoverPrompts): Promise<void> {
    const entries = await this.#findAbandoned('campaigns');
    const left = await Promise.all(entries.map((entry) => this.#findLeftover(entry).catch(() => undefined)));
    const isNew = (each: Leftover | undefined): each is Leftover =>
      each !== undefined && !this.#offered.has(each.entry.what);
    await Promise.all(left.filter(isNew).map((each) => this.#offer(each, prompts)));
  }

  async #offer({ id, name, entry }: Leftover, prompts: LeftoverPrompts) {
    this.#offered.add(entry.what);
    const [remove, keep] = [t('Delete Campaign'), t('Keep Campaign')];
    const [title, service] = [
      escapeMessage(name),
      escapeMessage(this.#connections.get(entry.connection)?.name ?? entry.connection),
    ];
    try {
      const choice = await prompts.warn(
        t`A test left the draft "${title}" on ${service}. It wasn't sent.`,
        remove,
        keep,
      );
      if (choice === keep) await this.journal.release(entry);
      if (choice !== remove) return;
      if ((await this.#findLeftover({ ...entry, id })) === undefined)
        return void prompts.warn(t`"${title}" changed on ${service}, so it wasn't deleted.`);
      await this.#connections.run(entry, (client) => client.deleteCampaign(id));
      await this.#release(entry);
      prompts.onDeleted(entry.connection);
    } catch (error) {
      prompts.showError(error);
    }
  }

  #createEntry(what: string, { service: { connection, baseUrl }, ...fields }: EntryFields): TestEntry {
    return { connection, baseUrl, what, ...this.journal.start(), ...fields };
  }

  async #use<T>(entry: TestEntry, task: () => Promise<T>) {
    this.#inUse.add(getSubjectKey(entry));
    try {
      return await task();
    } finally {
      this.#inUse.delete(getSubjectKey(entry));
    }
  }

  async #withRecord<T>(
    kind: RecordKind,
    { service, name, mark }: Pick<TestRecord, 'name' | 'mark'> & Pick<EntryFields, 'service'>,
    task: (record: TestRecord & { readonly entry: TestEntry }) => Promise<T>,
  ) {
    const record = {
      name,
      mark,
      entry: this.#createEntry(`${kind}/${mark}`, { service, name, addresses: [] }),
      recordId: async (id: number) => {
        record.entry = { ...record.entry, id };
        await this.journal.record(record.entry, { id });
      },
      renew: async () => {
        record.entry = await this.journal.renew(record.entry);
      },
    };
    await this.journal.acquire(record.entry);
    return this.#use(record.entry, () => task(record));
  }

  /** Returns the entries that no window is using. */
  async #findAbandoned(kind: RecordKind): Promise<readonly TestEntry[]> {
    return (await this.journal.all('skipDamaged')).filter(
      (entry) =>
        entry.what.startsWith(`${kind}/`) && !this.journal.isInFlight(entry) && !this.#inUse.has(getSubjectKey(entry)),
    );
  }

  async #deleteTemplate(entry: TestEntry) {
    const template = await this.#findLeftover(entry);
    if (template === undefined) return;
    await this.#connections.run(entry, (client) => client.deleteTemplate(template.id));
    await this.#release(entry);
  }

  /**
   * Deletes the campaign of a test that failed with `error`. Returns false if it may still exist, or appear, on the
   * service.
   */
  async #tryDelete(entry: TestEntry, error: unknown) {
    const { id } = entry;
    if (id === undefined) return !isUnconfirmed(error);
    try {
      await this.#connections.run(entry, (client) => client.deleteCampaign(id));
      return true;
    } catch (failure) {
      return isNotFound(failure);
    }
  }

  /**
   * Returns the unsent record of an entry. Releases the entry if there is none: a renamed record belongs to the user.
   * Keeps it if a record that was requested may still appear. Throws `ApiError`.
   */
  async #findLeftover(entry: TestEntry): Promise<Leftover | undefined> {
    const { asked, what } = entry;
    if (this.#connections.get(entry.connection)?.baseUrl !== entry.baseUrl) return undefined;
    const kind = what.startsWith('templates/') ? 'templates' : 'campaigns';
    const mark = what.slice(kind.length + 1);
    const record = await this.#connections
      .run(entry, (client) => findRecord[kind](client, mark, entry))
      .catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
        return undefined;
      });
    if (record?.name?.includes(mark)) {
      const leftover = { id: record.id, name: record.name, entry };
      if (kind === 'templates') return leftover;
      if (record.sent !== 1 && record.active !== 1)
        return (await this.#sender.isUnconfirmed({ ...entry, id: record.id })) ? undefined : leftover;
    }
    const isLate = this.journal.now() - asked > LATE_RECORD_MS;
    if (record !== undefined || entry.id !== undefined || isLate) await this.#release(entry);
    return undefined;
  }

  /** If the disk refuses, the entry is released with a later test. */
  async #release(entry: TestEntry) {
    await this.journal.release(entry).catch(() => undefined);
  }
}

/** A test failed, and a change of its list's members may still take effect. */
export class UnconfirmedMembersError extends Error {}

function isNotFound(error: unknown) {
  return isApiError(error) && error.kind === 'notFound';
}

export function createListBusyError(name: string): Error {
  return new Error(t`Another test is using the list "${name}", so nothing was sent. Try again in a moment.`);
}
