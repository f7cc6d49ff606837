import type { Campaign } from '../../../service/client/index.ts';
import { getSubjectKey } from '../journal.ts';
import { getSendState, wasSent } from '../sendJournal.ts';
import type { SendConnections, SendOutcome } from '../campaignSender.ts';
import { TEST_TIMEOUT_MS, type TestEntry, type TestJournal } from './testJournal.ts';

/** Prefix of a list's journal entry; the list id follows. */
const LIST_ENTRY_PREFIX = 'lists/';

/** `unconfirmed`: the service may still send a test to everyone on the list. */
export type ListState = 'free' | 'busy' | 'unconfirmed';

interface ListUse extends Pick<TestEntry, 'connection' | 'name' | 'addresses'> {
  readonly list: { readonly id: number; readonly name: string };
}

/** Exclusive use of a list by one test. */
export interface ListLease {
  /**
   * Records the campaign that is about to be sent to the list. Throws if the lease was lost: nothing may be sent then.
   */
  recordCampaign(campaign: Campaign): Promise<void>;
}

/**
 * Reserves lists of Mailing Studio for one test each until its send is confirmed. A service may process an unconfirmed
 * send late, and send it to everyone on the list by then.
 */
export class ListLeases {
  readonly #journal: TestJournal;
  readonly #connections: SendConnections;
  readonly #now: () => number;
  /** Lists in use by tests of this window. */
  readonly #inUse = new Set<string>();

  constructor(journal: TestJournal, connections: SendConnections, now: () => number = Date.now) {
    this.#journal = journal;
    this.#connections = connections;
    this.#now = now;
  }

  async getState(connection: string, listId: number): Promise<ListState> {
    const subject = { connection, baseUrl: this.#baseUrl(connection), what: `${LIST_ENTRY_PREFIX}${listId}` };
    const entry = await this.#journal.find(subject);
    if (entry === undefined) return 'free';
    if (this.#inUse.has(getSubjectKey(entry))) return 'busy';
    // Without a campaign nothing was sent: the test has just started, or its window crashed.
    if (entry.campaignId === undefined && this.#now() - entry.asked < TEST_TIMEOUT_MS) return 'busy';
    if (!(await this.#isFinished({ ...entry, connection }))) return 'unconfirmed';
    await this.#journal.release(entry);
    return 'free';
  }

  /**
   * Reserves a list during a test, and keeps it reserved if the send is unconfirmed. Throws if another test uses the
   * list.
   */
  async withLease<T extends { readonly outcome: SendOutcome }>(
    { connection, list, name, addresses }: ListUse,
    test: (lease: ListLease) => Promise<T>,
  ): Promise<T> {
    const what = `${LIST_ENTRY_PREFIX}${list.id}`;
    const entry: TestEntry = {
      connection,
      baseUrl: this.#baseUrl(connection),
      what,
      asked: this.#now(),
      name,
      addresses,
    };
    const busy = createListBusyError(list.name);
    if (!(await this.#journal.acquire(entry))) throw busy;
    this.#inUse.add(getSubjectKey(entry));
    let isConfirmed = true;
    try {
      const delivery = await test({
        recordCampaign: async (campaign) => {
          if (
            !(await this.#journal.recordOutcome({ ...entry, campaignId: campaign.id, before: getSendState(campaign) }))
          )
            throw busy;
        },
      });
      isConfirmed = delivery.outcome === 'sent';
      return delivery;
    } finally {
      this.#inUse.delete(getSubjectKey(entry));
      if (isConfirmed) await this.#journal.release(entry).catch(() => undefined);
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
