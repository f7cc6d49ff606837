import { t } from '@vscode/l10n';
import { isRefused } from '../../service/client/shapes.ts';
import type { RecordKey, RecordRef, ServiceRef } from '../../platform/connections/model.ts';
import type { Campaign, MailingClient } from '../../service/client/index.ts';
import { getSubjectKey, isSameEntry, isSameService, type Journal } from '../../sync/requests/journal.ts';
import type { SendEntry } from '../../sync/requests/kinds.ts';
import { recordShowsSent, type SendConnections } from './sendState.ts';

/**
 * The outcome of a send request. `unknown`: the response was lost, and the campaign's record doesn't show that it was
 * sent, or can't be read. There is no "not sent": `send` throws if the request never reached the service or was
 * refused.
 */
export type SendOutcome = 'sent' | 'unknown';

export interface SendRequest extends Pick<
  SendEntry,
  'connection' | 'baseUrl' | 'what' | 'campaignId' | 'name' | 'before'
> {
  /** Validates the record right before the request. If it throws, nothing is sent. */
  check(campaign: Campaign, client: MailingClient): void | Promise<void>;
  /** The unconfirmed send that the user agreed to repeat. */
  readonly resendOf?: SendEntry | undefined;
}

interface SendObserver {
  /** Rejects if the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  /** Called when the recorded state of a send changes. */
  onChanged(entry: SendEntry): void;
  /** Called when watching a campaign ends. */
  onSettled(entry: SendEntry, outcome: SendOutcome): void;
}

/** Checks that run while the user waits. */
const IMMEDIATE_CHECKS = 3;
const FIRST_PAUSE_MS = 1000;
/** The pause between background checks doubles up to this limit. */
const MAX_PAUSE_MS = 60_000;
/** How long an unconfirmed campaign is watched. */
export const WATCH_MS = 15 * 60_000;

export function createSendInProgressError(): Error {
  return new Error(
    t('This email is already being sent from this or another window, so nothing else was sent. Wait until it is done.'),
  );
}

function createOutcomeChangedError() {
  return new Error(
    t(
      'The earlier send was confirmed or repeated in the meantime, so nothing was sent now. Check the campaign before you send it again.',
    ),
  );
}

interface TrackedSend {
  readonly entry: SendEntry;
  readonly watching: AbortController;
}

/**
 * Sends each campaign once. If a response is lost, nothing is repeated: the campaign's record is checked in the
 * background, with growing pauses, until it shows the send or the time is over. All windows on a machine share their
 * pending sends, including those of earlier windows.
 */
export class CampaignSender {
  readonly #journal: Journal<SendEntry>;
  readonly #connections: SendConnections;
  readonly #observer: SendObserver;
  readonly #running = new Set<string>();
  readonly #tracked = new Map<string, TrackedSend>();
  readonly #closed = new AbortController();

  constructor(journal: Journal<SendEntry>, connections: SendConnections, observer: SendObserver) {
    this.#journal = journal;
    this.#connections = connections;
    this.#observer = observer;
  }

  /**
   * Sends a campaign with one request, right after reading and validating its record. Throws only if nothing was sent:
   * the error of `check`, an `ApiError` with `outcome` `refused`, or an `Error` if a send is already running or can't
   * be recorded.
   */
  async send({ check, resendOf, ...order }: SendRequest): Promise<SendOutcome> {
    const times = this.#journal.start();
    const entry: SendEntry = { ...order, ...times, watchUntil: times.asked + WATCH_MS };
    const key = getSubjectKey(entry);
    if (this.#running.has(key)) throw createSendInProgressError();
    this.#running.add(key);
    try {
      if (!(await this.#journal.acquire(entry, resendOf)))
        throw resendOf === undefined ? createSendInProgressError() : createOutcomeChangedError();
      if (resendOf !== undefined) this.#stopTracking(resendOf);
      return await this.#request(entry, check, resendOf);
    } finally {
      this.#running.delete(key);
    }
  }

  /**
   * Returns the unconfirmed send of any window, after checking whether the campaign's record confirms it by now.
   * Throws if another window may still be waiting for the response.
   */
  async findUnconfirmed({ connection, baseUrl }: ServiceRef, what: string): Promise<SendEntry | undefined> {
    const entry = await this.#journal.find({ connection, baseUrl, what });
    if (entry === undefined) return undefined;
    // The connection that sent it may have been removed.
    if (!(await recordShowsSent(this.#connections, { ...entry, connection, baseUrl }))) {
      if (this.#journal.isInFlight(entry)) throw createSendInProgressError();
      return entry;
    }
    await this.#journal.release(entry);
    this.#stopTracking(entry);
    return undefined;
  }

  /** Returns whether this window tracks an unconfirmed send of this campaign. */
  isTracked({ connection, id }: RecordKey): boolean {
    const service = this.#connections.get(connection);
    return service !== undefined && this.#findTracked(service, id).length > 0;
  }

  /**
   * Returns whether any window on this machine has an unconfirmed send of this campaign, or is about to request one.
   */
  async isUnconfirmed({ id, ...service }: RecordRef): Promise<boolean> {
    return (await this.#journal.all('skipDamaged')).some(
      (entry) => isSameService(entry, service) && entry.campaignId === id,
    );
  }

  /**
   * Resumes sends that windows left unconfirmed.
   * @param withRunning includes those whose window may still get the response: after a start, it may have been this one
   */
  async resume(withRunning: boolean): Promise<void> {
    const entries = await this.#journal.all('skipDamaged');
    for (const { entry } of [...this.#tracked.values()])
      if (!entries.some((other) => isSameEntry(entry, other))) this.#stopTracking(entry);
    for (const entry of entries) {
      const [key, isRunning] = [getSubjectKey(entry), !withRunning && this.#journal.isInFlight(entry)];
      if (!isRunning && !this.#running.has(key) && !this.#tracked.has(key)) this.#startWatching(entry);
    }
  }

  /** Stops checking a campaign. Its send stays recorded as unconfirmed. */
  async stopWatching(campaign: RecordRef): Promise<void> {
    for (const { entry, watching } of this.#findTracked(campaign, campaign.id)) {
      watching.abort();
      await this.#journal.record(entry, { watchUntil: this.#journal.now() });
    }
  }

  /** Removes the entries of a deleted campaign. */
  async handleDeleted(campaign: RecordRef): Promise<void> {
    for (const { entry } of this.#findTracked(campaign, campaign.id)) {
      await this.#journal.release(entry);
      this.#stopTracking(entry);
    }
  }

  /** Stops all checks. The entries stay for the next window. */
  dispose(): void {
    this.#closed.abort();
    for (const { watching } of this.#tracked.values()) watching.abort();
    this.#tracked.clear();
  }

  async #request(entry: SendEntry, check: SendRequest['check'], resendOf: SendEntry | undefined): Promise<SendOutcome> {
    let isAsked = false;
    try {
      await this.#connections.run(entry, async (client) => {
        await check(await client.getCampaignById(entry.campaignId), client);
        await this.#journal.renew(entry);
        isAsked = true;
        await client.sendCampaign(entry.campaignId);
      });
    } catch (error) {
      if (isAsked && !isRefused(error)) return this.#checkNow(entry);
      // The earlier send is still unconfirmed.
      const isReleased = await this.#release(entry, resendOf);
      if (resendOf !== undefined && isReleased) this.#startWatching(resendOf);
      throw error;
    }
    await this.#release(entry);
    return 'sent';
  }

  /** Checks a few times while the user waits, then continues in the background. */
  async #checkNow(entry: SendEntry): Promise<SendOutcome> {
    await this.#journal.settle(entry).catch(() => undefined);
    for (let attempt = 0; attempt < IMMEDIATE_CHECKS; attempt += 1) {
      if (attempt > 0) await this.#wait(FIRST_PAUSE_MS, this.#closed.signal);
      if (await recordShowsSent(this.#connections, entry)) {
        await this.#release(entry);
        return 'sent';
      }
    }
    if (!this.#closed.signal.aborted) this.#startWatching(entry);
    return 'unknown';
  }

  #startWatching(entry: SendEntry) {
    const watching = new AbortController();
    this.#tracked.set(getSubjectKey(entry), { entry, watching });
    this.#observer.onChanged(entry);
    if (this.#journal.now() < entry.watchUntil) void this.#watch(entry, watching.signal);
  }

  /** Checks the record until it shows the send, the entry was removed, or the time is over. */
  async #watch(entry: SendEntry, signal: AbortSignal) {
    for (let attempt = 1; ; attempt += 1) {
      await this.#wait(Math.min(FIRST_PAUSE_MS * 2 ** attempt, MAX_PAUSE_MS), signal);
      const isOver = this.#journal.now() >= entry.watchUntil;
      // A connection that was removed or changed its address can't confirm anything.
      if (signal.aborted || this.#connections.get(entry.connection)?.baseUrl !== entry.baseUrl) return;
      const isSent = await recordShowsSent(this.#connections, entry);
      if (signal.aborted) return;
      // Another window may have confirmed the send. If the disk refuses, this one goes on.
      if (!(await this.#journal.has(entry).catch(() => true))) return this.#stopTracking(entry);
      if (isSent) {
        const isFirst = await this.#release(entry);
        this.#stopTracking(entry);
        return isFirst ? this.#observer.onSettled(entry, 'sent') : undefined;
      }
      if (isOver) return this.#observer.onSettled(entry, 'unknown');
    }
  }

  /**
   * Removes an entry; true if no other window did. If the disk refuses, the next send of this campaign checks it
   * again.
   */
  #release(entry: SendEntry, restored?: SendEntry) {
    return this.#journal.release(entry, restored).catch(() => true);
  }

  /** Resolves on abort too: callers check the signal. */
  #wait(ms: number, signal: AbortSignal) {
    return this.#observer.wait(ms, signal).catch(() => undefined);
  }

  #stopTracking(entry: SendEntry) {
    const tracked = this.#tracked.get(getSubjectKey(entry));
    if (tracked === undefined || !isSameEntry(tracked.entry, entry)) return;
    tracked.watching.abort();
    this.#tracked.delete(getSubjectKey(entry));
    this.#observer.onChanged(entry);
  }

  #findTracked(service: Pick<ServiceRef, 'baseUrl'>, campaignId: number): readonly TrackedSend[] {
    return [...this.#tracked.values()].filter(
      ({ entry }) => isSameService(entry, service) && entry.campaignId === campaignId,
    );
  }
}
