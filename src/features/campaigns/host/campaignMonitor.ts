import type * as vscode from 'vscode';
import type { Connections } from '../../../platform/connections/connections.ts';
import type { Audience, CampaignToPage } from '../protocol.ts';
import type { RecordRef } from '../../../platform/connections/model.ts';
import { formatAmount } from '../../../platform/ui/format.ts';
import { errorText } from '../../../platform/ui/errors.ts';
import { getCampaignState } from '../model.ts';
import { describeCampaignState } from '../wording.ts';
import { countAudience } from '../plan.ts';

/** Limits the requests of an open form: each page of 500 subscribers is a request. */
const MAX_SUBSCRIBERS_COUNTED = 5000;
const COUNT_DEBOUNCE_MS = 400;

/** Reads the audience of the selected lists and the status of the campaign for a form. */
export class CampaignMonitor implements vscode.Disposable {
  readonly #connections: Connections;
  readonly #record: RecordRef;
  readonly #post: (message: CampaignToPage) => void;
  readonly #closed = new AbortController();
  #audience: Audience = { kind: 'none' };
  #status: Extract<CampaignToPage, { type: 'status' }> = { type: 'status', isRecord: true };
  #countedKey: string | undefined;
  #countAbort: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(connections: Connections, record: RecordRef, post: (message: CampaignToPage) => void) {
    this.#connections = connections;
    this.#record = record;
    this.#post = post;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#closed.abort();
    this.#countAbort?.abort();
  }

  /** Posts the last audience and status, for a page that was loaded. */
  postAll(): void {
    this.#post({ type: 'audience', audience: this.#audience });
    this.#post(this.#status);
  }

  /** Reads the status of the campaign. Ignores failures, because loading the lists reports them. */
  async readStatus(): Promise<void> {
    const { connection, id } = this.#record;
    try {
      const campaign = await this.#connections.run(connection, (client) =>
        client.getCampaignById(id, { signal: this.#closed.signal }),
      );
      const status = { state: getCampaignState(campaign), label: describeCampaignState(campaign) };
      this.#status = { type: 'status', isRecord: true, status };
    } catch {
      return;
    }
    if (!this.#closed.signal.aborted) this.#post(this.#status);
  }

  /** Counts the audience of these lists after a debounce, and cancels a count in progress. */
  scheduleCount(listIds: readonly number[], force = false): void {
    const key = JSON.stringify(listIds);
    if (key === this.#countedKey && !force) return;
    this.#countedKey = key;
    clearTimeout(this.#timer);
    this.#countAbort?.abort();
    if (listIds.length === 0) return this.#setAudience({ kind: 'none' });
    this.#setAudience({ kind: 'counting' });
    const counting = (this.#countAbort = new AbortController());
    this.#timer = setTimeout(() => void this.#count(listIds, counting.signal), COUNT_DEBOUNCE_MS);
  }

  async #count(listIds: readonly number[], signal: AbortSignal): Promise<void> {
    try {
      const { count, exact } = await this.#connections.run(this.#record.connection, (client) =>
        countAudience(client, listIds, { limit: MAX_SUBSCRIBERS_COUNTED, signal }),
      );
      if (!signal.aborted) this.#setAudience({ kind: 'counted', recipients: formatAmount(count, 'recipient'), exact });
    } catch (error) {
      if (!signal.aborted) this.#setAudience({ kind: 'failed', message: errorText(error) });
    }
  }

  #setAudience(audience: Audience): void {
    this.#audience = audience;
    if (!this.#closed.signal.aborted) this.#post({ type: 'audience', audience });
  }
}
