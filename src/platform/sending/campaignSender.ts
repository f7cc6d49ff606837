import { isApiError } from '../../service/client/errors.ts';
import type { Campaign, MailingClient } from '../../service/client/index.ts';
import { isSameEntry, getSubjectKey } from './journal.ts';
import { wasSent, type SendEntry, type SendJournal } from './sendJournal.ts';

/**
 * What is known after a campaign was told to go out. `unknown`: the answer was lost, and the campaign's record does not show that it was
 * sent, or can't be read. That it was not sent is never known then: where the service never got it, or said no, `send` throws.
 */
export type SendOutcome = 'sent' | 'unknown';

/** A campaign that is to go out. */
export interface SendRequest extends Omit<SendEntry, 'baseUrl' | 'asked' | 'watchUntil'> {
  /** Looks at the record of right before the request, and at more where it likes. What it throws is the reason that nothing is sent. */
  check(campaign: Campaign, client: MailingClient): void | Promise<void>;
  /** The lost sending that the user knows of, and agreed to send again in spite of it. */
  readonly resendOf?: SendEntry | undefined;
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
  onChanged(note: SendEntry): void;
  /** What came of watching a campaign. */
  onSettled(note: SendEntry, outcome: SendOutcome): void;
}

/** How often the record is looked at while the user waits, and the pause between, in ms. */
const IMMEDIATE_CHECKS = 3;
const FIRST_PAUSE_MS = 1000;
/** The pause between looks in the background: it doubles up to this, in ms. */
const MAX_PAUSE_MS = 60_000;
/** How long a campaign is watched, in ms. */
export const WATCH_MS = 15 * 60_000;
/** A request of another window has its answer after this, or none, in ms. */
const RESPONSE_TIMEOUT_MS = 2 * 60_000;

interface TrackedSend {
  readonly note: SendEntry;
  readonly watching: AbortController;
}

/**
 * Sends campaigns once each. Where an answer is lost nothing is repeated: the campaign's record is watched in the background, with
 * growing pauses, until it shows that it was sent or the time is over. Windows of one machine know of each other's sendings, and of those
 * that a window before left.
 */
export class CampaignSender {
  readonly #journal: SendJournal;
  readonly #connections: SendConnections;
  readonly #host: SendHost;
  readonly #running = new Set<string>();
  readonly #tracked = new Map<string, TrackedSend>();
  readonly #closed = new AbortController();

  constructor(notes: SendJournal, connections: SendConnections, host: SendHost) {
    this.#journal = notes;
    this.#connections = connections;
    this.#host = host;
  }

  /**
   * Sends a campaign with one request, right after its record was read again and checked. Throws only where it is known that it was not
   * sent: what `check` throws, an `ApiError` of `outcome` `refused`, or an `Error` where it is under way already or can't be noted.
   */
  async send({ check, resendOf, ...order }: SendRequest): Promise<SendOutcome> {
    const asked = this.#host.now();
    const note: SendEntry = { ...order, baseUrl: this.#baseUrl(order.connection), asked, watchUntil: asked + WATCH_MS };
    const key = getSubjectKey(note);
    if (this.#running.has(key)) throw new Error(sendInProgressMessage);
    this.#running.add(key);
    try {
      if (!(await this.#journal.acquire(note, resendOf)))
        throw new Error(resendOf === undefined ? sendInProgressMessage : outcomeChangedMessage);
      if (resendOf !== undefined) this.#stopTracking(resendOf);
      return await this.#request(note, check, resendOf);
    } finally {
      this.#running.delete(key);
    }
  }

  /** What this window or another told to go out, and is not known to have gone out. What its record shows by now is known. */
  async findUnconfirmed(connection: string, what: string): Promise<SendEntry | undefined> {
    const note = await this.#journal.find({ connection, baseUrl: this.#baseUrl(connection), what });
    // The connection that it was sent by may be gone.
    if (note === undefined || !(await this.#recordShowsSent({ ...note, connection }))) return note;
    await this.#journal.release(note);
    this.#stopTracking(note);
    return undefined;
  }

  /** Whether the answer to sending this campaign was lost, and it is not known what came of it. */
  isTracked({ connection, id }: { readonly connection: string; readonly id: number }): boolean {
    return this.#findTracked(connection, id).length > 0;
  }

  /** Whether any window of this machine has requested this campaign's sending, or is about to, and its outcome is unknown. */
  async isUnconfirmed({ connection, id }: { readonly connection: string; readonly id: number }): Promise<boolean> {
    const baseUrl = this.#baseUrl(connection);
    return (await this.#journal.all()).some((note) => note.baseUrl === baseUrl && note.campaignId === id);
  }

  /** Takes up what windows left behind. Sendings younger than `youngest` ms may still get their answer in another window. */
  async resume(youngest = 0): Promise<void> {
    const notes = await this.#journal.all();
    for (const { note } of [...this.#tracked.values()])
      if (!notes.some((other) => isSameEntry(note, other))) this.#stopTracking(note);
    for (const note of notes) {
      const isYoung = this.#host.now() - note.asked < youngest;
      if (!isYoung && !this.#running.has(getSubjectKey(note)) && !this.#tracked.has(getSubjectKey(note)))
        this.#startWatching(note);
    }
  }

  /** Takes up what other windows left behind while this one was not looked at. */
  resumeOtherWindows(): Promise<void> {
    return this.resume(RESPONSE_TIMEOUT_MS);
  }

  /** Looks at the campaign no more. That it is not known what came of it is kept. */
  async stopWatching(connection: string, campaignId: number): Promise<void> {
    for (const { note, watching } of this.#findTracked(connection, campaignId)) {
      watching.abort();
      await this.#journal.setWatchUntil(note, this.#host.now());
    }
  }

  /** Forgets a campaign that is deleted. */
  async handleDeleted(connection: string, campaignId: number): Promise<void> {
    for (const { note } of this.#findTracked(connection, campaignId)) {
      await this.#journal.release(note);
      this.#stopTracking(note);
    }
  }

  /** Ends what runs. The notes stay for the next window. */
  dispose(): void {
    this.#closed.abort();
    for (const { watching } of this.#tracked.values()) watching.abort();
    this.#tracked.clear();
  }

  async #request(note: SendEntry, check: SendRequest['check'], again: SendEntry | undefined): Promise<SendOutcome> {
    let isAsked = false;
    try {
      await this.#connections.run(note.connection, async (client) => {
        await check(await client.getCampaignById(note.campaignId), client);
        isAsked = true;
        await client.sendCampaign(note.campaignId);
      });
    } catch (error) {
      if (isAsked && !(isApiError(error) && error.outcome === 'refused')) return this.#checkNow(note);
      // The earlier sending is as unconfirmed as it was.
      const isReleased = await this.#release(note, again);
      if (again !== undefined && isReleased) this.#startWatching(again);
      throw error;
    }
    await this.#release(note);
    return 'sent';
  }

  /** Looks some times while the user waits, and goes on in the background where that shows nothing. */
  async #checkNow(note: SendEntry): Promise<SendOutcome> {
    for (let look = 0; look < IMMEDIATE_CHECKS; look += 1) {
      if (look > 0) await this.#wait(FIRST_PAUSE_MS, this.#closed.signal);
      if (await this.#recordShowsSent(note)) {
        await this.#release(note);
        return 'sent';
      }
    }
    if (!this.#closed.signal.aborted) this.#startWatching(note);
    return 'unknown';
  }

  #startWatching(note: SendEntry): void {
    const watching = new AbortController();
    this.#tracked.set(getSubjectKey(note), { note, watching });
    this.#host.onChanged(note);
    if (this.#host.now() < note.watchUntil) void this.#watch(note, watching.signal);
  }

  async #watch(note: SendEntry, signal: AbortSignal): Promise<void> {
    for (let look = 1; ; look += 1) {
      await this.#wait(Math.min(FIRST_PAUSE_MS * 2 ** look, MAX_PAUSE_MS), signal);
      const isOver = this.#host.now() >= note.watchUntil;
      // A connection that was removed, or leads elsewhere now, has nothing to tell.
      if (signal.aborted || this.#baseUrl(note.connection) !== note.baseUrl) return;
      const isSent = await this.#recordShowsSent(note);
      if (signal.aborted) return;
      if (!(await this.#hasEntry(note))) return this.#stopTracking(note);
      if (isSent) return this.#settle(note);
      if (isOver) return this.#host.onSettled(note, 'unknown');
    }
  }

  async #settle(note: SendEntry): Promise<void> {
    const isFirst = await this.#release(note);
    this.#stopTracking(note);
    if (isFirst) this.#host.onSettled(note, 'sent');
  }

  /** Throws a note away; true where no other window did. What the disk refuses is looked at again when it is sent the next time. */
  #release(note: SendEntry, restored?: SendEntry): Promise<boolean> {
    return this.#journal.release(note, restored).catch(() => true);
  }

  /** Where the waiting is ended, what comes after it looks at the signal. */
  #wait(ms: number, signal: AbortSignal): Promise<void> {
    return this.#host.wait(ms, signal).catch(() => undefined);
  }

  /** Whether the note is still there: another window may have found out. A disk that can't be read says nothing. */
  #hasEntry(note: SendEntry): Promise<boolean> {
    return this.#journal.has(note).catch(() => true);
  }

  /** Whether the campaign's record shows that it was sent. A service that can't be asked shows nothing. */
  async #recordShowsSent(note: SendEntry): Promise<boolean> {
    const { connection, campaignId, before } = note;
    const reading = this.#connections.run(connection, (client) => client.getCampaignById(campaignId));
    const campaign = await reading.catch(() => undefined);
    return campaign !== undefined && wasSent(before, campaign);
  }

  #stopTracking(note: SendEntry): void {
    const lost = this.#tracked.get(getSubjectKey(note));
    if (lost === undefined || !isSameEntry(lost.note, note)) return;
    lost.watching.abort();
    this.#tracked.delete(getSubjectKey(note));
    this.#host.onChanged(note);
  }

  #findTracked(connection: string, campaignId: number): readonly TrackedSend[] {
    const baseUrl = this.#baseUrl(connection);
    return [...this.#tracked.values()].filter(({ note }) => note.baseUrl === baseUrl && note.campaignId === campaignId);
  }

  #baseUrl(connection: string): string {
    return this.#connections.get(connection)?.baseUrl ?? '';
  }
}

const sendInProgressMessage =
  'It is being sent already, from here or from another window. Nothing more was sent: wait until it is known what became of it.';
const outcomeChangedMessage =
  'Since you were asked, something came of what was sent before. Nothing more was sent: look before you send it again.';
