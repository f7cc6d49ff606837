import type { Campaign } from '../../../service/client/index.ts';
import { getSubjectKey } from '../journal.ts';
import { getSendState, wasSent } from '../sendJournal.ts';
import type { SendConnections, SendOutcome } from '../campaignSender.ts';
import { TEST_TIMEOUT_MS, type TestEntry, type TestJournal } from './testJournal.ts';

/** The entry of a list is named after the list's id. */
const LIST_ENTRY_PREFIX = 'lists/';

/** `unconfirmed`: a test may still go out to whoever is on the list. */
export type ListState = 'free' | 'busy' | 'unconfirmed';

/** How a test uses a list. */
interface ListUse extends Pick<TestEntry, 'connection' | 'name' | 'addresses'> {
  readonly list: { readonly id: number; readonly name: string };
}

/** A list that only one test may use. */
export interface ListLease {
  /** Records the campaign that is about to be sent to the list. Throws if the list is no longer this test's: nothing may be sent then. */
  recordCampaign(campaign: Campaign): Promise<void>;
}

/**
 * Reserves lists of Mailing Studio's own for one test each, until its sending is confirmed. A service may process an unconfirmed sending
 * late, and send it to whoever is on the list by then.
 */
export class ListLeases {
  readonly #journal: TestJournal;
  readonly #connections: SendConnections;
  readonly #now: () => number;
  /** Lists that a test of this window uses. */
  readonly #inUse = new Set<string>();

  constructor(notes: TestJournal, connections: SendConnections, now: () => number = Date.now) {
    this.#journal = notes;
    this.#connections = connections;
    this.#now = now;
  }

  async getState(connection: string, listId: number): Promise<ListState> {
    const subject = { connection, baseUrl: this.#baseUrl(connection), what: `${LIST_ENTRY_PREFIX}${listId}` };
    const note = await this.#journal.find(subject);
    if (note === undefined) return 'free';
    if (this.#inUse.has(getSubjectKey(note))) return 'busy';
    // Without a campaign nothing was sent to it: its test has just begun, or its window crashed.
    if (note.campaignId === undefined && this.#now() - note.asked < TEST_TIMEOUT_MS) return 'busy';
    if (!(await this.#isFinished({ ...note, connection }))) return 'unconfirmed';
    await this.#journal.release(note);
    return 'free';
  }

  /** Reserves a list for the time of a test, and longer if that is unconfirmed. Throws if another test uses the list. */
  async withLease<T extends { readonly outcome: SendOutcome }>(
    { connection, list, name, addresses }: ListUse,
    test: (lease: ListLease) => Promise<T>,
  ): Promise<T> {
    const what = `${LIST_ENTRY_PREFIX}${list.id}`;
    const note: TestEntry = {
      connection,
      baseUrl: this.#baseUrl(connection),
      what,
      asked: this.#now(),
      name,
      addresses,
    };
    const busy = createListBusyError(list.name);
    if (!(await this.#journal.acquire(note))) throw busy;
    this.#inUse.add(getSubjectKey(note));
    let isConfirmed = true;
    try {
      const delivery = await test({
        recordCampaign: async (campaign) => {
          if (
            !(await this.#journal.recordOutcome({ ...note, campaignId: campaign.id, before: getSendState(campaign) }))
          )
            throw busy;
        },
      });
      isConfirmed = delivery.outcome === 'sent';
      return delivery;
    } finally {
      this.#inUse.delete(getSubjectKey(note));
      if (isConfirmed) await this.#journal.release(note).catch(() => undefined);
    }
  }

  async #isFinished({ connection, campaignId, before }: TestEntry): Promise<boolean> {
    if (campaignId === undefined || before === undefined) return true;
    const reading = this.#connections.run(connection, (client) => client.getCampaignById(campaignId));
    const campaign = await reading.catch(() => undefined);
    return campaign !== undefined && wasSent(before, campaign);
  }

  #baseUrl(connection: string): string {
    return this.#connections.get(connection)?.baseUrl ?? '';
  }
}

export function createListBusyError(name: string): Error {
  return new Error(`Another test is using the list "${name}". Nothing was sent: wait a moment.`);
}
