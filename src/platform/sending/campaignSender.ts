import { isApiError } from '../../service/client/errors.ts';
import type { Campaign, MailingClient } from '../../service/client/index.ts';
import { isSameEntry, getSubjectKey } from './journal.ts';
import { wasSent, type SendEntry, type SendJournal } from './sendJournal.ts';

/**
 * The outcome of a send request. `unknown`: the response was lost, and the campaign's record doesn't show that it was
 * sent, or can't be read. There is no "not sent": `send` throws if the request never reached the service or was
 * refused.
 */
export type SendOutcome = 'sent' | 'unknown';

export interface SendRequest extends Omit<SendEntry, 'baseUrl' | 'asked' | 'watchUntil'> {
  /** Validates the record right before the request. If it throws, nothing is sent. */
  check(campaign: Campaign, client: MailingClient): void | Promise<void>;
  /** The unconfirmed send that the user agreed to repeat. */
  readonly resendOf?: SendEntry | undefined;
}

export interface SendConnections {
  get(id: string): { readonly baseUrl: string } | undefined;
  run<T>(id: string, operation: (client: MailingClient) => Promise<T>): Promise<T>;
}

export interface SendHost {
  /** Rejects if the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** Returns ms since the epoch. */
  now(): number;
  /** Called when the known state of a send changes. */
  onChanged(note: SendEntry): void;
  /** Called when watching a campaign ends. */
  onSettled(note: SendEntry, outcome: SendOutcome): void;
}

/** Checks that run while the user waits. */
const IMMEDIATE_CHECKS = 3;
const FIRST_PAUSE_MS = 1000;
/** The pause between background checks doubles up to this limit. */
const MAX_PAUSE_MS = 60_000;
/** How long an unconfirmed campaign is watched. */
export const WATCH_MS = 15 * 60_000;
/** After this time, a request of another window has its response or never gets one. */
const RESPONSE_TIMEOUT_MS = 2 * 60_000;

interface TrackedSend {
  readonly note: SendEntry;
  readonly watching: AbortController;
}

/**
 * Sends each campaign once. If a response is lost, nothing is repeated: the campaign's record is checked in the
 * background, with growing pauses, until it shows the send or the time is over. All windows on a machine share their
 * pending sends, including those of earlier windows.
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
   * Sends a campaign with one request, right after reading and validating its record. Throws only if nothing was sent:
   * the error of `check`, an `ApiError` with `outcome` `refused`, or an `Error` if a send is already running or can't
   * be recorded.
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

  /** Returns the unconfirmed send of any window, after checking whether the campaign's record confirms it by now. */
  async findUnconfirmed(connection: string, what: string): Promise<SendEntry | undefined> {
    const note = await this.#journal.find({ connection, baseUrl: this.#baseUrl(connection), what });
    // The connection that sent it may have been removed.
    if (note === undefined || !(await this.#recordShowsSent({ ...note, connection }))) return note;
    await this.#journal.release(note);
    this.#stopTracking(note);
    return undefined;
  }

  /** Returns whether this window tracks an unconfirmed send of this campaign. */
  isTracked({ connection, id }: { readonly connection: string; readonly id: number }): boolean {
    return this.#findTracked(connection, id).length > 0;
  }

  /**
   * Returns whether any window on this machine has an unconfirmed send of this campaign, or is about to request one.
   */
  async isUnconfirmed({ connection, id }: { readonly connection: string; readonly id: number }): Promise<boolean> {
    const baseUrl = this.#baseUrl(connection);
    return (await this.#journal.all()).some((note) => note.baseUrl === baseUrl && note.campaignId === id);
  }

  /**
   * Resumes sends that windows left unconfirmed, except those younger than `youngest` ms: another window may still get
   * the response.
   */
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

  /** Resumes what other windows left while this one was in the background. */
  resumeOtherWindows(): Promise<void> {
    return this.resume(RESPONSE_TIMEOUT_MS);
  }

  /** Stops checking a campaign. Its send stays recorded as unconfirmed. */
  async stopWatching(connection: string, campaignId: number): Promise<void> {
    for (const { note, watching } of this.#findTracked(connection, campaignId)) {
      watching.abort();
      await this.#journal.setWatchUntil(note, this.#host.now());
    }
  }

  /** Removes the entries of a deleted campaign. */
  async handleDeleted(connection: string, campaignId: number): Promise<void> {
    for (const { note } of this.#findTracked(connection, campaignId)) {
      await this.#journal.release(note);
      this.#stopTracking(note);
    }
  }

  /** Stops all checks. The entries stay for the next window. */
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
      // The earlier send is still unconfirmed.
      const isReleased = await this.#release(note, again);
      if (again !== undefined && isReleased) this.#startWatching(again);
      throw error;
    }
    await this.#release(note);
    return 'sent';
  }

  /** Checks a few times while the user waits, then continues in the background. */
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
      // A connection that was removed or changed its address can't confirm anything.
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

  /**
   * Removes an entry; true if no other window did. If the disk refuses, the next send of this campaign checks it
   * again.
   */
  #release(note: SendEntry, restored?: SendEntry): Promise<boolean> {
    return this.#journal.release(note, restored).catch(() => true);
  }

  /** Resolves on abort too: callers check the signal. */
  #wait(ms: number, signal: AbortSignal): Promise<void> {
    return this.#host.wait(ms, signal).catch(() => undefined);
  }

  /**
   * Returns whether the entry still exists: another window may have confirmed the send. Unreadable disks count as yes.
   */
  #hasEntry(note: SendEntry): Promise<boolean> {
    return this.#journal.has(note).catch(() => true);
  }

  /** Returns whether the campaign's record shows the send. A failed request counts as no. */
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
