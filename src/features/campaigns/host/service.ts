import type * as vscode from 'vscode';
import type { Connections } from '../../../platform/connections/connections.ts';
import type { Audience, Standing } from '../protocol.ts';
import type { RecordRef } from '../../../platform/connections/record.ts';
import { formatAmount } from '../../../platform/ui/format.ts';
import { errorText } from '../../../platform/ui/errors.ts';
import { stateOf, stateWords } from '../model.ts';
import { countAudience } from '../plan.ts';

/** More subscribers than this are not counted while a form is open: each five hundred are a request. */
const countLimit = 5000;
/** How long the choice of lists must rest before it is counted, in ms. */
const countPause = 400;

/** Who is told what the service says. */
interface ServiceFollower {
  audience(audience: Audience): void;
  standing(standing: Standing): void;
}

/** What the service says that a form shows beside the lists: the audience of the chosen ones, and what the campaign waits for. */
export class FormService implements vscode.Disposable {
  readonly #connections: Connections;
  readonly #record: RecordRef;
  readonly #told: ServiceFollower;
  readonly #closed = new AbortController();
  #audience: Audience = { kind: 'none' };
  #standing: Standing | undefined;
  #counted: string | undefined;
  #counting: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(connections: Connections, record: RecordRef, told: ServiceFollower) {
    this.#connections = connections;
    this.#record = record;
    this.#told = told;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#closed.abort();
    this.#counting?.abort();
  }

  /** Tells all that is known so far. */
  tell(): void {
    this.#told.audience(this.#audience);
    if (this.#standing) this.#told.standing(this.#standing);
  }

  /** Reads what the campaign waits for. Where that fails, the form does without: the lists tell of the failure. */
  async readStanding(): Promise<void> {
    const { connection, id } = this.#record;
    try {
      const campaign = await this.#connections.run(connection, (client) =>
        client.getCampaignById(id, { signal: this.#closed.signal }),
      );
      this.#standing = { state: stateOf(campaign), words: stateWords(campaign) };
    } catch {
      return;
    }
    if (!this.#closed.signal.aborted) this.#told.standing(this.#standing);
  }

  /** Counts the audience of these lists, once they rest; what was being counted is given up. */
  count(listIds: readonly number[], again = false): void {
    const key = JSON.stringify(listIds);
    if (key === this.#counted && !again) return;
    this.#counted = key;
    clearTimeout(this.#timer);
    this.#counting?.abort();
    if (listIds.length === 0) return this.#setAudience({ kind: 'none' });
    this.#setAudience({ kind: 'counting' });
    const counting = (this.#counting = new AbortController());
    this.#timer = setTimeout(() => void this.#count(listIds, counting.signal), countPause);
  }

  async #count(listIds: readonly number[], signal: AbortSignal): Promise<void> {
    try {
      const { count, exact } = await this.#connections.run(this.#record.connection, (client) =>
        countAudience(client, listIds, { limit: countLimit, signal }),
      );
      if (!signal.aborted) this.#setAudience({ kind: 'counted', recipients: formatAmount(count, 'recipient'), exact });
    } catch (error) {
      if (!signal.aborted) this.#setAudience({ kind: 'failed', message: errorText(error) });
    }
  }

  #setAudience(audience: Audience): void {
    this.#audience = audience;
    if (!this.#closed.signal.aborted) this.#told.audience(audience);
  }
}
