import { randomUUID } from 'node:crypto';
import type { Campaign, MailingClient } from '../../../service/client/index.ts';
import { isApiError } from '../../../service/client/guards.ts';
import type { SendConnections, Sends } from '../sends.ts';
import { LATE_MS, SENDING_MS, type TestNote, type TestNotes } from './testNotes.ts';

/** The entry of a campaign is named after the mark in the campaign's name. */
const kind = 'campaigns/';

/** A campaign that a test is about to make. */
export interface TestDraft {
  /** No other campaign has this name. */
  readonly name: string;
  /** Records the campaign's id as soon as the service has answered. */
  record(campaignId: number): Promise<void>;
}

/** A campaign that was made for a test, wasn't sent, and is still on the service. */
export interface Leftover {
  readonly connection: string;
  readonly campaignId: number;
  readonly name: string;
  readonly note: TestNote;
}

/**
 * Campaigns that are made for tests. An entry is written first, so that one that wasn't sent can be found and deleted later, even if its
 * creation or its deletion got no answer.
 */
export class TestCampaigns {
  readonly #notes: TestNotes;
  readonly #connections: SendConnections;
  readonly #sends: Pick<Sends, 'isUnconfirmed'>;
  readonly #now: () => number;
  /** Those that this window needs. */
  readonly #used = new Set<string>();

  constructor(
    notes: TestNotes,
    connections: SendConnections,
    sends: Pick<Sends, 'isUnconfirmed'>,
    now: () => number = Date.now,
  ) {
    this.#notes = notes;
    this.#connections = connections;
    this.#sends = sends;
    this.#now = now;
  }

  /** Runs a test that makes a campaign and sends it. If the test throws, nothing was sent: the campaign is deleted. */
  async during<T>(connection: string, mailName: string, test: (draft: TestDraft) => Promise<T>): Promise<T> {
    const mark = randomUUID().slice(-12);
    const name = `[Test] ${mailName} ${new Date().toISOString().slice(0, 16).replace('T', ' ')} #${mark}`;
    const baseUrl = this.#connections.get(connection)?.baseUrl ?? '';
    let note: TestNote = { connection, baseUrl, what: kind + mark, asked: this.#now(), name, addresses: [] };
    await this.#notes.acquire(note);
    this.#used.add(note.what);
    try {
      const result = await test({
        name,
        record: async (campaignId) => {
          note = { ...note, campaignId };
          await this.#notes.recordOutcome(note);
        },
      });
      await this.#forget(note);
      return result;
    } catch (error) {
      if (await this.#isCleared(note, error)) await this.#forget(note);
      throw error;
    } finally {
      this.#used.delete(note.what);
    }
  }

  /** Campaigns that earlier tests left behind. Those that another window may need now are left out. */
  async leftovers(): Promise<readonly Leftover[]> {
    const notes = (await this.#notes.all()).filter(
      ({ what, asked }) => what.startsWith(kind) && this.#now() - asked > SENDING_MS && !this.#used.has(what),
    );
    const found = await Promise.all(notes.map((note) => this.#leftover(note).catch(() => undefined)));
    return found.filter((each) => each !== undefined);
  }

  /** Deletes a campaign, unless it was renamed or sent since: false then. Throws `ApiError`. */
  async delete({ note, campaignId }: Leftover): Promise<boolean> {
    const left = await this.#leftover({ ...note, campaignId });
    if (left === undefined) return false;
    await this.#connections.run(note.connection, (client) => client.deleteCampaign(campaignId));
    await this.#forget(note);
    return true;
  }

  /** Doesn't offer a campaign again. */
  async keep({ note }: Leftover): Promise<void> {
    await this.#notes.release(note);
  }

  /** Deletes the campaign of a test that failed with `error`. False if it may still be on the service, or appear there. */
  async #isCleared({ connection, campaignId }: TestNote, error: unknown): Promise<boolean> {
    if (campaignId === undefined) return !isApiError(error) || error.outcome === 'refused';
    try {
      await this.#connections.run(connection, (client) => client.deleteCampaign(campaignId));
      return true;
    } catch (failure) {
      return isApiError(failure) && failure.kind === 'notFound';
    }
  }

  async #leftover(note: TestNote): Promise<Leftover | undefined> {
    const { connection, baseUrl, asked } = note;
    if (this.#connections.get(connection)?.baseUrl !== baseUrl) return undefined;
    const campaign = await this.#connections.run(connection, (client) => read(client, note));
    if (campaign !== undefined && isUnsentDraft(campaign, note)) {
      const isSending = await this.#sends.isUnconfirmed({ connection, id: campaign.id });
      return isSending ? undefined : { connection, campaignId: campaign.id, name: campaign.name ?? '', note };
    }
    // One whose creation got no answer may still appear.
    if (campaign !== undefined || note.campaignId !== undefined || this.#now() - asked > LATE_MS)
      await this.#forget(note);
    return undefined;
  }

  async #forget(note: TestNote): Promise<void> {
    await this.#notes.release(note).catch(() => undefined);
  }
}

/** The campaign of an entry; undefined if it isn't there. Throws `ApiError`. */
async function read(client: MailingClient, { name, what, campaignId }: TestNote): Promise<Campaign | undefined> {
  if (campaignId === undefined) {
    const found = await client.getCampaigns({ limit: 20, filters: { name } });
    return found.find((campaign) => isOf(campaign, what));
  }
  try {
    return await client.getCampaignById(campaignId);
  } catch (error) {
    if (isApiError(error) && error.kind === 'notFound') return undefined;
    throw error;
  }
}

function isOf({ name }: Campaign, what: string): boolean {
  return name?.includes(what.slice(kind.length)) === true;
}

/** Whether a record is the campaign of an entry, unsent. One that somebody renamed is theirs. */
function isUnsentDraft(campaign: Campaign, { what }: TestNote): boolean {
  return isOf(campaign, what) && campaign.sent !== 1 && campaign.active !== 1;
}
