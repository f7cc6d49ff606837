import { randomUUID } from 'node:crypto';
import type { Campaign, MailingClient } from '../../../service/client/index.ts';
import { isApiError } from '../../../service/client/guards.ts';
import type { SendConnections, CampaignSender } from '../campaignSender.ts';
import { LATE_RECORD_MS, TEST_TIMEOUT_MS, type TestEntry, type TestJournal } from './testJournal.ts';

/** Prefix of a campaign's journal entry; the unique mark in the campaign's name follows. */
const CAMPAIGN_ENTRY_PREFIX = 'campaigns/';

export interface TestDraft {
  /** Unique among all campaigns. */
  readonly name: string;
  /** Records the campaign's id once the service has returned it. */
  recordId(campaignId: number): Promise<void>;
}

/** An unsent test campaign that is still on the service. */
export interface Leftover {
  readonly connection: string;
  readonly campaignId: number;
  readonly name: string;
  readonly entry: TestEntry;
}

/**
 * Campaigns created for tests. A journal entry is written first, so that unsent campaigns can be found and deleted
 * later, even if the response to their creation or deletion was lost.
 */
export class TestCampaigns {
  readonly #journal: TestJournal;
  readonly #connections: SendConnections;
  readonly #sender: Pick<CampaignSender, 'isUnconfirmed'>;
  readonly #now: () => number;
  /** Campaigns in use by this window. */
  readonly #inUse = new Set<string>();

  constructor(
    journal: TestJournal,
    connections: SendConnections,
    sends: Pick<CampaignSender, 'isUnconfirmed'>,
    now: () => number = Date.now,
  ) {
    this.#journal = journal;
    this.#connections = connections;
    this.#sender = sends;
    this.#now = now;
  }

  /**
   * Runs a test that creates a campaign and sends it. If the test throws, nothing was sent and the campaign is
   * deleted.
   */
  async withCampaign<T>(connection: string, mailName: string, test: (draft: TestDraft) => Promise<T>): Promise<T> {
    const mark = randomUUID().slice(-12);
    const name = `[Test] ${mailName} ${new Date().toISOString().slice(0, 16).replace('T', ' ')} #${mark}`;
    const baseUrl = this.#connections.get(connection)?.baseUrl ?? '';
    let entry: TestEntry = {
      connection,
      baseUrl,
      what: CAMPAIGN_ENTRY_PREFIX + mark,
      asked: this.#now(),
      name,
      addresses: [],
    };
    await this.#journal.acquire(entry);
    this.#inUse.add(entry.what);
    try {
      const result = await test({
        name,
        recordId: async (campaignId) => {
          entry = { ...entry, campaignId };
          await this.#journal.recordOutcome(entry);
        },
      });
      await this.#releaseEntry(entry);
      return result;
    } catch (error) {
      if (await this.#tryDelete(entry, error)) await this.#releaseEntry(entry);
      throw error;
    } finally {
      this.#inUse.delete(entry.what);
    }
  }

  /** Returns campaigns left by earlier tests, except those that another window may be using. */
  async findLeftovers(): Promise<readonly Leftover[]> {
    const entries = (await this.#journal.all()).filter(
      ({ what, asked }) =>
        what.startsWith(CAMPAIGN_ENTRY_PREFIX) && this.#now() - asked > TEST_TIMEOUT_MS && !this.#inUse.has(what),
    );
    const found = await Promise.all(entries.map((entry) => this.#findLeftover(entry).catch(() => undefined)));
    return found.filter((each) => each !== undefined);
  }

  /** Deletes a campaign; returns false if it was renamed or sent since. Throws `ApiError`. */
  async delete({ entry, campaignId }: Leftover): Promise<boolean> {
    const left = await this.#findLeftover({ ...entry, campaignId });
    if (left === undefined) return false;
    await this.#connections.run(entry.connection, (client) => client.deleteCampaign(campaignId));
    await this.#releaseEntry(entry);
    return true;
  }

  /** Stops offering to delete a campaign. */
  async dismiss({ entry }: Leftover): Promise<void> {
    await this.#journal.release(entry);
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
      return isApiError(failure) && failure.kind === 'notFound';
    }
  }

  async #findLeftover(entry: TestEntry): Promise<Leftover | undefined> {
    const { connection, baseUrl, asked } = entry;
    if (this.#connections.get(connection)?.baseUrl !== baseUrl) return undefined;
    const campaign = await this.#connections.run(connection, (client) => findCampaign(client, entry));
    if (campaign !== undefined && isUnsentDraft(campaign, entry)) {
      const isSending = await this.#sender.isUnconfirmed({ connection, id: campaign.id });
      return isSending ? undefined : { connection, campaignId: campaign.id, name: campaign.name ?? '', entry };
    }
    // If the response to its creation was lost, it may still appear.
    if (campaign !== undefined || entry.campaignId !== undefined || this.#now() - asked > LATE_RECORD_MS)
      await this.#releaseEntry(entry);
    return undefined;
  }

  async #releaseEntry(entry: TestEntry): Promise<void> {
    await this.#journal.release(entry).catch(() => undefined);
  }
}

/** Returns the campaign of an entry; undefined if it doesn't exist. Throws `ApiError`. */
async function findCampaign(
  client: MailingClient,
  { name, what, campaignId }: TestEntry,
): Promise<Campaign | undefined> {
  if (campaignId === undefined) {
    const found = await client.getCampaigns({ limit: 20, filters: { name } });
    return found.find((campaign) => hasMark(campaign, what));
  }
  try {
    return await client.getCampaignById(campaignId);
  } catch (error) {
    if (isApiError(error) && error.kind === 'notFound') return undefined;
    throw error;
  }
}

function hasMark({ name }: Campaign, what: string): boolean {
  return name?.includes(what.slice(CAMPAIGN_ENTRY_PREFIX.length)) === true;
}

/** Returns whether a record is the unsent campaign of an entry. A renamed campaign belongs to the user. */
function isUnsentDraft(campaign: Campaign, { what }: TestEntry): boolean {
  return hasMark(campaign, what) && campaign.sent !== 1 && campaign.active !== 1;
}
