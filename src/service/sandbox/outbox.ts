import { composeParts, renderSubject } from './message.ts';
import type { Composer } from './message.ts';
import type { Delivery, MessageParts, OutboxMessage } from './model.ts';
import { createRecipient } from './recipient.ts';
import type { MailContext } from './recipient.ts';
import type { StoredMail } from './records.ts';
import type { Store } from './store.ts';

export interface Batch {
  readonly mail: StoredMail;
  readonly campaignId: number | null;
  readonly listIds: readonly number[];
  readonly recipients: Uint32Array;
  readonly sentAt: number;
}

type StoredBatch = Batch & { readonly firstId: number };

/** Messages that the service "sent". They are composed on demand, so that a delivery to 50,000 recipients stores its text once. */
export class Outbox {
  readonly #store: () => Store;
  readonly #baseUrl: () => string;
  readonly #composing: Composer;
  readonly #batches: StoredBatch[] = [];
  readonly #listeners = new Set<(delivery: Delivery) => void>();
  #count = 0;

  /** `store` and `baseUrl` are read when a message is composed. */
  constructor(store: () => Store, baseUrl: () => string, composing: Composer) {
    this.#store = store;
    this.#baseUrl = baseUrl;
    this.#composing = composing;
  }

  get count(): number {
    return this.#count;
  }

  /** All messages, newest last, created on each access. Use `page` for a large outbox. */
  get messages(): readonly OutboxMessage[] {
    return this.page(0, this.#count);
  }

  /** Returns at most `limit` messages after the first `offset`, newest last. */
  page(offset: number, limit: number): OutboxMessage[] {
    const size = Math.max(0, Math.min(limit, this.#count - offset));
    return Array.from({ length: size }, (_, at) => this.get(offset + 1 + at)).filter(
      (message) => message !== undefined,
    );
  }

  get(id: number): OutboxMessage | undefined {
    const batch = this.#findBatch(id);
    if (!batch) return undefined;
    const context = this.#getContext(batch, id);
    const { campaignId, listIds, sentAt } = batch;
    const { email } = context.recipient.person;
    return { id, campaignId, to: email, subject: renderSubject(context), date: new Date(sentAt), listIds };
  }

  /** Returns the message in RFC 5322 format with CRLF line ends. Rejects with a RangeError for an id that does not exist. */
  async eml(id: number): Promise<string> {
    return (await this.parts(id)).source;
  }

  /** Returns the message and its parts. Rejects like `eml`. */
  async parts(id: number): Promise<MessageParts> {
    const batch = this.#findBatch(id);
    if (!batch) throw new RangeError(`The outbox holds no message ${id}.`);
    return composeParts({ ...this.#getContext(batch, id), id }, this.#composing);
  }

  /** Calls the listener once per delivery with at least one recipient. */
  onDidDeliver(listener: (delivery: Delivery) => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  clear(): void {
    this.#batches.length = 0;
    this.#count = 0;
  }

  deliver(batch: Batch): void {
    const count = batch.recipients.length;
    if (count === 0) return;
    const firstId = this.#count + 1;
    this.#batches.push({ ...batch, firstId });
    this.#count += count;
    for (const listener of this.#listeners)
      listener({ firstId, count, campaignId: batch.campaignId, subject: batch.mail.subject });
  }

  #findBatch(id: number): StoredBatch | undefined {
    if (!Number.isInteger(id) || id < 1 || id > this.#count) return undefined;
    let low = 0;
    let high = this.#batches.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#batches[middle]?.firstId ?? 0) <= id) low = middle;
      else high = middle - 1;
    }
    return this.#batches[low];
  }

  #getContext(batch: StoredBatch, id: number): MailContext {
    const recipient = createRecipient(this.#store(), batch.recipients[id - batch.firstId] ?? 0, batch.listIds);
    return { ...batch, recipient, baseUrl: this.#baseUrl() };
  }
}
