import { randomUUID } from 'node:crypto';
import type { MailingClient, Template } from '../../../service/client/index.ts';
import { isApiError } from '../../../service/client/shapes.ts';
import { escapeMessage } from '../../ui/text.ts';
import type { CampaignSender } from '../campaignSender.ts';
import { RESPONSE_TIMEOUT_MS, toSubject, type Journal, type SendConnections, type TestEntry } from '../journal.ts';

/** A record whose creation got no response may still appear within this time. */
const LATE_RECORD_MS = 15 * 60_000;

/** What tests create. Journal entries are named `templates/` or `campaigns/`, and the mark in the record's name. */
type RecordKind = 'templates' | 'campaigns';

/** A record for one test. */
export interface TestRecord {
  /** The record's name contains it. Unique among all records. */
  readonly mark: string;
  /** Records the id once the service has returned it. */
  recordId(id: number): Promise<void>;
}

/** A record that a test left on the service. */
export interface Leftover {
  readonly id: number;
  readonly name: string;
  readonly entry: TestEntry;
}

/** Reads the record of an entry; undefined if it doesn't exist. Throws `ApiError`. */
const findRecord: Readonly<
  Record<RecordKind, (client: MailingClient, mark: string, entry: TestEntry) => Promise<FoundTestRecord | undefined>>
> = {
  templates: (client, mark, { templateId }) =>
    templateId === undefined ? findTemplate(client, mark) : client.getOneTemplate(templateId),
  campaigns: async (client, mark, { name: filter, campaignId }) =>
    campaignId === undefined
      ? (await client.getCampaigns({ limit: 20, filters: { name: filter } })).find(({ name }) => name?.includes(mark))
      : client.getCampaignById(campaignId),
};

/** Finds the template of a test by the mark in its name. Throws `ApiError`. */
export async function findTemplate(client: MailingClient, mark: string): Promise<Template | undefined> {
  return (await client.getTemplates({ search: mark, limit: 20 })).find(({ name }) => name?.includes(mark));
}

interface FoundTestRecord {
  readonly id: number;
  readonly name?: string | null;
  readonly sent?: number | null;
  readonly active?: number | null;
}

/**
 * Templates and campaigns created for tests. A journal entry is written first, so that they can be found and deleted
 * later, even if the response to their creation or deletion was lost, or the window crashed.
 */
export class TestRecords {
  readonly #journal: Journal<TestEntry>;
  readonly #connections: SendConnections;
  readonly #sender: Pick<CampaignSender, 'isUnconfirmed'>;
  /** Entries of records that this window is using. */
  readonly #inUse = new Set<string>();

  constructor(
    journal: Journal<TestEntry>,
    connections: SendConnections,
    sender: Pick<CampaignSender, 'isUnconfirmed'>,
  ) {
    this.#journal = journal;
    this.#connections = connections;
    this.#sender = sender;
  }

  /** Runs a test that creates a template, which is deleted afterwards. `name`: the name of the tested email. */
  withTemplate<T>(connection: string, name: string, test: (record: TestRecord) => Promise<T>): Promise<T> {
    return this.#withRecord(
      'templates',
      { connection, name, mark: `mailing-studio-${randomUUID()}` },
      async (record) => {
        try {
          return await test(record);
        } finally {
          await this.#deleteTemplate(record.entry).catch(() => undefined);
        }
      },
    );
  }

  /**
   * Runs a test that creates a campaign and sends it. If the test throws, nothing was sent and the campaign is
   * deleted.
   */
  withCampaign<T>(
    connection: string,
    mailName: string,
    test: (record: TestRecord & { readonly name: string }) => Promise<T>,
  ): Promise<T> {
    const mark = randomUUID().slice(-12);
    const name = `[Test] ${mailName} ${new Date().toISOString().slice(0, 16).replace('T', ' ')} #${mark}`;
    return this.#withRecord('campaigns', { connection, name, mark }, async (record) => {
      try {
        const result = await test({ name, mark, recordId: record.recordId });
        await this.#release(record.entry);
        return result;
      } catch (error) {
        if (await this.#tryDelete(record.entry, error)) await this.#release(record.entry);
        throw error;
      }
    });
  }

  /** Deletes the templates of other windows, except those still in use. */
  async deleteTemplates(): Promise<void> {
    for (const entry of await this.#findAbandoned('templates'))
      await this.#deleteTemplate(entry).catch(() => undefined);
  }

  /** Returns campaigns left by earlier tests, except those that another window may be using. */
  async findLeftovers(): Promise<readonly Leftover[]> {
    const entries = await this.#findAbandoned('campaigns');
    const found = await Promise.all(entries.map((entry) => this.#findLeftover(entry).catch(() => undefined)));
    return found.filter((each) => each !== undefined);
  }

  /** Deletes a campaign; returns false if it was renamed or sent since. Throws `ApiError`. */
  async delete({ entry, id }: Leftover): Promise<boolean> {
    if ((await this.#findLeftover({ ...entry, campaignId: id })) === undefined) return false;
    await this.#connections.run(entry.connection, (client) => client.deleteCampaign(id));
    await this.#release(entry);
    return true;
  }

  /** Stops offering to delete a campaign. */
  async dismiss({ entry }: Leftover): Promise<void> {
    await this.#journal.release(entry);
  }

  async #withRecord<T>(
    kind: RecordKind,
    { connection, name, mark }: { readonly connection: string; readonly name: string; readonly mark: string },
    task: (record: TestRecord & { readonly entry: TestEntry }) => Promise<T>,
  ): Promise<T> {
    const subject = toSubject(this.#connections, connection, `${kind}/${mark}`);
    let entry: TestEntry = { ...subject, asked: this.#journal.now(), name, addresses: [] };
    await this.#journal.acquire(entry);
    this.#inUse.add(entry.what);
    try {
      return await task({
        mark,
        get entry() {
          return entry;
        },
        recordId: async (id) => {
          entry = { ...entry, ...(kind === 'templates' ? { templateId: id } : { campaignId: id }) };
          await this.#journal.recordOutcome(entry);
        },
      });
    } finally {
      this.#inUse.delete(entry.what);
    }
  }

  /** Returns the entries that no window is using. */
  async #findAbandoned(kind: RecordKind): Promise<readonly TestEntry[]> {
    return (await this.#journal.all()).filter(
      ({ what, asked }) =>
        what.startsWith(`${kind}/`) && this.#journal.now() - asked > RESPONSE_TIMEOUT_MS && !this.#inUse.has(what),
    );
  }

  async #deleteTemplate(entry: TestEntry): Promise<void> {
    const template = await this.#findLeftover(entry);
    if (template === undefined) return;
    await this.#connections.run(entry.connection, (client) => client.deleteTemplate(template.id));
    await this.#release(entry);
  }

  /**
   * Deletes the campaign of a test that failed with `error`. Returns false if it may still exist, or appear, on the
   * service.
   */
  async #tryDelete({ connection, campaignId }: TestEntry, error: unknown): Promise<boolean> {
    if (campaignId === undefined) return !isApiError(error) || error.outcome === 'refused';
    try {
      await this.#connections.run(connection, (client) => client.deleteCampaign(campaignId));
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
    const { connection, baseUrl, asked, what, templateId, campaignId } = entry;
    if (this.#connections.get(connection)?.baseUrl !== baseUrl) return undefined;
    const kind = what.startsWith('templates/') ? 'templates' : 'campaigns';
    const mark = what.slice(kind.length + 1);
    const record = await this.#connections
      .run(connection, (client) => findRecord[kind](client, mark, entry))
      .catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
        return undefined;
      });
    if (record?.name?.includes(mark)) {
      const leftover = { id: record.id, name: record.name, entry };
      if (kind === 'templates') return leftover;
      if (record.sent !== 1 && record.active !== 1)
        return (await this.#sender.isUnconfirmed({ connection, id: record.id })) ? undefined : leftover;
    }
    const isLate = this.#journal.now() - asked > LATE_RECORD_MS;
    if (record !== undefined || (templateId ?? campaignId) !== undefined || isLate) await this.#release(entry);
    return undefined;
  }

  async #release(entry: TestEntry): Promise<void> {
    await this.#journal.release(entry).catch(() => undefined);
  }
}

function isNotFound(error: unknown): boolean {
  return isApiError(error) && error.kind === 'notFound';
}

export interface LeftoverHost {
  warn(message: string, ...buttons: readonly string[]): Promise<string | undefined>;
  showError(error: unknown, connection: string): void;
  getConnectionName(connection: string): string;
  onDeleted(connection: string): void;
}

/** Offers to delete campaigns left by tests, each once per window. */
export class LeftoverOffers {
  readonly #records: TestRecords;
  readonly #host: LeftoverHost;
  readonly #offered = new Set<string>();

  constructor(records: TestRecords, host: LeftoverHost) {
    this.#records = records;
    this.#host = host;
  }

  /** Resolves when all offers are answered. */
  async offerAll(): Promise<void> {
    const left = (await this.#records.findLeftovers()).filter(({ entry }) => !this.#offered.has(entry.what));
    for (const { entry } of left) this.#offered.add(entry.what);
    await Promise.all(left.map((each) => this.#offer(each)));
  }

  async #offer(leftover: Leftover): Promise<void> {
    const { connection } = leftover.entry;
    const [remove, keep] = ['Delete Campaign', 'Keep Campaign'];
    const [name, service] = [escapeMessage(leftover.name), escapeMessage(this.#host.getConnectionName(connection))];
    try {
      const choice = await this.#host.warn(
        `A test left the draft "${name}" on ${service}. It wasn't sent.`,
        remove,
        keep,
      );
      if (choice === keep) await this.#records.dismiss(leftover);
      if (choice !== remove) return;
      if (await this.#records.delete(leftover)) this.#host.onDeleted(connection);
      else void this.#host.warn(`"${name}" changed on ${service}, so it wasn't deleted.`);
    } catch (error) {
      this.#host.showError(error, connection);
    }
  }
}
