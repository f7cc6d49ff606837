import { isApiError } from '../../service/client/errors.ts';
import type { Campaign, MailingClient } from '../../service/client/index.ts';
import { isSame, keyOf } from './journal.ts';
import { wasSent, type SendNote, type SendNotes } from './sendNotes.ts';

/**
 * What is known after a campaign was told to go out. `unknown`: the answer was lost, and the campaign's record does not show that it was
 * sent, or can't be read. That it was not sent is never known then: where the service never got it, or said no, `send` throws.
 */
export type SendOutcome = 'sent' | 'unknown';

/** A campaign that is to go out. */
export interface Order extends Omit<SendNote, 'baseUrl' | 'asked' | 'watchUntil'> {
  /** Looks at the record of right before the request, and at more where it likes. What it throws is the reason that nothing is sent. */
  check(campaign: Campaign, client: MailingClient): void | Promise<void>;
  /** The lost sending that the user knows of, and agreed to send again in spite of it. */
  readonly again?: SendNote | undefined;
}

/** What of the connections is needed. */
export interface SendConnections {
  get(id: string): { readonly baseUrl: string } | undefined;
  run<T>(id: string, operation: (client: MailingClient) => Promise<T>): Promise<T>;
}

/** What is needed from outside. */
export interface SendHost {
  /** Rejects where the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** In ms since the epoch. */
  now(): number;
  /** Another thing is known of a campaign than before. */
  changed(note: SendNote): void;
  /** What came of watching a campaign. */
  settled(note: SendNote, outcome: SendOutcome): void;
}

/** How often the record is looked at while the user waits, and the pause between, in ms. */
const firstLooks = 3;
const firstPauseMs = 1000;
/** The pause between looks in the background: it doubles up to this, in ms. */
const longestPauseMs = 60_000;
/** How long a campaign is watched, in ms. */
export const watchMs = 15 * 60_000;
/** A request of another window has its answer after this, or none, in ms. */
const answerMs = 2 * 60_000;

interface Lost {
  readonly note: SendNote;
  readonly watching: AbortController;
}

/**
 * Sends campaigns once each. Where an answer is lost nothing is repeated: the campaign's record is watched in the background, with
 * growing pauses, until it shows that it was sent or the time is over. Windows of one machine know of each other's sendings, and of those
 * that a window before left.
 */
export class Sends {
  readonly #notes: SendNotes;
  readonly #connections: SendConnections;
  readonly #host: SendHost;
  readonly #running = new Set<string>();
  readonly #lost = new Map<string, Lost>();
  readonly #closed = new AbortController();

  constructor(notes: SendNotes, connections: SendConnections, host: SendHost) {
    this.#notes = notes;
    this.#connections = connections;
    this.#host = host;
  }

  /**
   * Sends a campaign with one request, right after its record was read again and checked. Throws only where it is known that it was not
   * sent: what `check` throws, an `ApiError` of `outcome` `refused`, or an `Error` where it is under way already or can't be noted.
   */
  async send({ check, again, ...order }: Order): Promise<SendOutcome> {
    const asked = this.#host.now();
    const note: SendNote = { ...order, baseUrl: this.#baseUrl(order.connection), asked, watchUntil: asked + watchMs };
    const key = keyOf(note);
    if (this.#running.has(key)) throw new Error(underWay);
    this.#running.add(key);
    try {
      if (!(await this.#notes.acquire(note, again))) throw new Error(again === undefined ? underWay : knownMeanwhile);
      if (again !== undefined) this.#forget(again);
      return await this.#ask(note, check, again);
    } finally {
      this.#running.delete(key);
    }
  }

  /** What this window or another told to go out, and is not known to have gone out. What its record shows by now is known. */
  async lost(connection: string, what: string): Promise<SendNote | undefined> {
    const note = await this.#notes.find({ connection, baseUrl: this.#baseUrl(connection), what });
    // The connection that it was sent by may be gone.
    if (note === undefined || !(await this.#shows({ ...note, connection }))) return note;
    await this.#notes.release(note);
    this.#forget(note);
    return undefined;
  }

  /** Whether the answer to sending this campaign was lost, and it is not known what came of it. */
  isLost({ connection, id }: { readonly connection: string; readonly id: number }): boolean {
    return this.#of(connection, id).length > 0;
  }

  /** Whether any window of this machine has requested this campaign's sending, or is about to, and its outcome is unknown. */
  async isUnconfirmed({ connection, id }: { readonly connection: string; readonly id: number }): Promise<boolean> {
    const baseUrl = this.#baseUrl(connection);
    return (await this.#notes.all()).some((note) => note.baseUrl === baseUrl && note.campaignId === id);
  }

  /** Takes up what windows left behind. Sendings younger than `youngest` ms may still get their answer in another window. */
  async resume(youngest = 0): Promise<void> {
    const notes = await this.#notes.all();
    for (const { note } of [...this.#lost.values()])
      if (!notes.some((other) => isSame(note, other))) this.#forget(note);
    for (const note of notes) {
      const isYoung = this.#host.now() - note.asked < youngest;
      if (!isYoung && !this.#running.has(keyOf(note)) && !this.#lost.has(keyOf(note))) this.#startWatching(note);
    }
  }

  /** Takes up what other windows left behind while this one was not looked at. */
  resumeLater(): Promise<void> {
    return this.resume(answerMs);
  }

  /** Looks at the campaign no more. That it is not known what came of it is kept. */
  async stopWatching(connection: string, campaignId: number): Promise<void> {
    for (const { note, watching } of this.#of(connection, campaignId)) {
      watching.abort();
      await this.#notes.watch(note, this.#host.now());
    }
  }

  /** Forgets a campaign that is deleted. */
  async gone(connection: string, campaignId: number): Promise<void> {
    for (const { note } of this.#of(connection, campaignId)) {
      await this.#notes.release(note);
      this.#forget(note);
    }
  }

  /** Ends what runs. The notes stay for the next window. */
  dispose(): void {
    this.#closed.abort();
    for (const { watching } of this.#lost.values()) watching.abort();
    this.#lost.clear();
  }

  async #ask(note: SendNote, check: Order['check'], again: SendNote | undefined): Promise<SendOutcome> {
    let isAsked = false;
    try {
      await this.#connections.run(note.connection, async (client) => {
        await check(await client.getCampaignById(note.campaignId), client);
        isAsked = true;
        await client.sendCampaign(note.campaignId);
      });
    } catch (error) {
      if (isAsked && !(isApiError(error) && error.outcome === 'refused')) return this.#lookNow(note);
      // The earlier sending is as unconfirmed as it was.
      const isReleased = await this.#release(note, again);
      if (again !== undefined && isReleased) this.#startWatching(again);
      throw error;
    }
    await this.#release(note);
    return 'sent';
  }

  /** Looks some times while the user waits, and goes on in the background where that shows nothing. */
  async #lookNow(note: SendNote): Promise<SendOutcome> {
    for (let look = 0; look < firstLooks; look += 1) {
      if (look > 0) await this.#wait(firstPauseMs, this.#closed.signal);
      if (await this.#shows(note)) {
        await this.#release(note);
        return 'sent';
      }
    }
    if (!this.#closed.signal.aborted) this.#startWatching(note);
    return 'unknown';
  }

  #startWatching(note: SendNote): void {
    const watching = new AbortController();
    this.#lost.set(keyOf(note), { note, watching });
    this.#host.changed(note);
    if (this.#host.now() < note.watchUntil) void this.#watch(note, watching.signal);
  }

  async #watch(note: SendNote, signal: AbortSignal): Promise<void> {
    for (let look = 1; ; look += 1) {
      await this.#wait(Math.min(firstPauseMs * 2 ** look, longestPauseMs), signal);
      const isOver = this.#host.now() >= note.watchUntil;
      // A connection that was removed, or leads elsewhere now, has nothing to tell.
      if (signal.aborted || this.#baseUrl(note.connection) !== note.baseUrl) return;
      const isSent = await this.#shows(note);
      if (signal.aborted) return;
      if (!(await this.#isNoted(note))) return this.#forget(note);
      if (isSent) return this.#settle(note);
      if (isOver) return this.#host.settled(note, 'unknown');
    }
  }

  async #settle(note: SendNote): Promise<void> {
    const isFirst = await this.#release(note);
    this.#forget(note);
    if (isFirst) this.#host.settled(note, 'sent');
  }

  /** Throws a note away; true where no other window did. What the disk refuses is looked at again when it is sent the next time. */
  #release(note: SendNote, restored?: SendNote): Promise<boolean> {
    return this.#notes.release(note, restored).catch(() => true);
  }

  /** Where the waiting is ended, what comes after it looks at the signal. */
  #wait(ms: number, signal: AbortSignal): Promise<void> {
    return this.#host.wait(ms, signal).catch(() => undefined);
  }

  /** Whether the note is still there: another window may have found out. A disk that can't be read says nothing. */
  #isNoted(note: SendNote): Promise<boolean> {
    return this.#notes.has(note).catch(() => true);
  }

  /** Whether the campaign's record shows that it was sent. A service that can't be asked shows nothing. */
  async #shows(note: SendNote): Promise<boolean> {
    const { connection, campaignId, before } = note;
    const reading = this.#connections.run(connection, (client) => client.getCampaignById(campaignId));
    const campaign = await reading.catch(() => undefined);
    return campaign !== undefined && wasSent(before, campaign);
  }

  #forget(note: SendNote): void {
    const lost = this.#lost.get(keyOf(note));
    if (lost === undefined || !isSame(lost.note, note)) return;
    lost.watching.abort();
    this.#lost.delete(keyOf(note));
    this.#host.changed(note);
  }

  #of(connection: string, campaignId: number): readonly Lost[] {
    const baseUrl = this.#baseUrl(connection);
    return [...this.#lost.values()].filter(({ note }) => note.baseUrl === baseUrl && note.campaignId === campaignId);
  }

  #baseUrl(connection: string): string {
    return this.#connections.get(connection)?.baseUrl ?? '';
  }
}

const underWay =
  'It is being sent already, from here or from another window. Nothing more was sent: wait until it is known what became of it.';
const knownMeanwhile =
  'Since you were asked, something came of what was sent before. Nothing more was sent: look before you send it again.';
