import type { Campaign } from '../../../service/client/index.ts';
import type { SendOutcome } from '../campaignSender.ts';
import {
  RESPONSE_TIMEOUT_MS,
  getSendState,
  getSubjectKey,
  recordShowsSent,
  toSubject,
  type Journal,
  type SendConnections,
  type TestEntry,
} from '../journal.ts';

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
  readonly #journal: Journal<TestEntry>;
  readonly #connections: SendConnections;
  /** Lists in use by tests of this window. */
  readonly #inUse = new Set<string>();

  constructor(journal: Journal<TestEntry>, connections: SendConnections) {
    this.#journal = journal;
    this.#connections = connections;
  }

  async getState(connection: string, listId: number): Promise<ListState> {
    const entry = await this.#journal.find(toSubject(this.#connections, connection, `lists/${listId}`));
    if (entry === undefined) return 'free';
    if (this.#inUse.has(getSubjectKey(entry))) return 'busy';
    const { campaignId, before, asked } = entry;
    // Without a campaign nothing was sent: the test has just started, or its window crashed.
    if (campaignId === undefined || before === undefined) {
      if (this.#journal.now() - asked < RESPONSE_TIMEOUT_MS) return 'busy';
    } else if (!(await recordShowsSent(this.#connections, { connection, campaignId, before }))) return 'unconfirmed';
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
    const subject = toSubject(this.#connections, connection, `lists/${list.id}`);
    const entry: TestEntry = { ...subject, asked: this.#journal.now(), name, addresses };
    const busy = createListBusyError(list.name);
    if (!(await this.#journal.acquire(entry))) throw busy;
    this.#inUse.add(getSubjectKey(entry));
    let isConfirmed = true;
    try {
      const delivery = await test({
        recordCampaign: async (campaign) => {
          const recorded = { ...entry, campaignId: campaign.id, before: getSendState(campaign) };
          if (!(await this.#journal.recordOutcome(recorded))) throw busy;
        },
      });
      isConfirmed = delivery.outcome === 'sent';
      return delivery;
    } finally {
      this.#inUse.delete(getSubjectKey(entry));
      if (isConfirmed) await this.#journal.release(entry).catch(() => undefined);
    }
  }
}

export function createListBusyError(name: string): Error {
  return new Error(`Another test is using the list "${name}". Nothing was sent: wait a moment.`);
}
