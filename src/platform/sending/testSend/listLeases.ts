import type { Campaign } from '../../../service/client/index.ts';
import { keyOf } from '../journal.ts';
import { marksOf, wasSent } from '../sendNotes.ts';
import type { SendConnections, SendOutcome } from '../sends.ts';
import { SENDING_MS, type TestNote, type TestNotes } from './testNotes.ts';

/** The entry of a list is named after the list's id. */
const kind = 'lists/';

/** `unconfirmed`: a test may still go out to whoever is on the list. */
export type ListState = 'free' | 'busy' | 'unconfirmed';

/** How a test uses a list. */
interface ListUse extends Pick<TestNote, 'connection' | 'name' | 'addresses'> {
  readonly list: { readonly id: number; readonly name: string };
}

/** A list that only one test may use. */
export interface ListLease {
  /** Records the campaign that is about to be sent to the list. Throws if the list is no longer this test's: nothing may be sent then. */
  use(campaign: Campaign): Promise<void>;
}

/**
 * Reserves lists of Mailing Studio's own for one test each, until its sending is confirmed. A service may process an unconfirmed sending
 * late, and send it to whoever is on the list by then.
 */
export class ListLeases {
  readonly #notes: TestNotes;
  readonly #connections: SendConnections;
  readonly #now: () => number;
  /** Lists that a test of this window uses. */
  readonly #used = new Set<string>();

  constructor(notes: TestNotes, connections: SendConnections, now: () => number = Date.now) {
    this.#notes = notes;
    this.#connections = connections;
    this.#now = now;
  }

  async state(connection: string, listId: number): Promise<ListState> {
    const subject = { connection, baseUrl: this.#baseUrl(connection), what: `${kind}${listId}` };
    const note = await this.#notes.find(subject);
    if (note === undefined) return 'free';
    if (this.#used.has(keyOf(note))) return 'busy';
    // Without a campaign nothing was sent to it: its test has just begun, or its window crashed.
    if (note.campaignId === undefined && this.#now() - note.asked < SENDING_MS) return 'busy';
    if (!(await this.#isOver({ ...note, connection }))) return 'unconfirmed';
    await this.#notes.release(note);
    return 'free';
  }

  /** Reserves a list for the time of a test, and longer if that is unconfirmed. Throws if another test uses the list. */
  async during<T extends { readonly outcome: SendOutcome }>(
    { connection, list, name, addresses }: ListUse,
    test: (lease: ListLease) => Promise<T>,
  ): Promise<T> {
    const what = `${kind}${list.id}`;
    const note: TestNote = {
      connection,
      baseUrl: this.#baseUrl(connection),
      what,
      asked: this.#now(),
      name,
      addresses,
    };
    const busy = listIsBusy(list.name);
    if (!(await this.#notes.acquire(note))) throw busy;
    this.#used.add(keyOf(note));
    let isConfirmed = true;
    try {
      const delivery = await test({
        use: async (campaign) => {
          if (!(await this.#notes.recordOutcome({ ...note, campaignId: campaign.id, before: marksOf(campaign) })))
            throw busy;
        },
      });
      isConfirmed = delivery.outcome === 'sent';
      return delivery;
    } finally {
      this.#used.delete(keyOf(note));
      if (isConfirmed) await this.#notes.release(note).catch(() => undefined);
    }
  }

  async #isOver({ connection, campaignId, before }: TestNote): Promise<boolean> {
    if (campaignId === undefined || before === undefined) return true;
    const reading = this.#connections.run(connection, (client) => client.getCampaignById(campaignId));
    const campaign = await reading.catch(() => undefined);
    return campaign !== undefined && wasSent(before, campaign);
  }

  #baseUrl(connection: string): string {
    return this.#connections.get(connection)?.baseUrl ?? '';
  }
}

export function listIsBusy(name: string): Error {
  return new Error(`Another test is using the list "${name}". Nothing was sent: wait a moment.`);
}
