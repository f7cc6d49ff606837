import { composeParts, renderSubject } from './message.ts';
import type { Compose, Delivery, MessageParts, OutboxMessage } from './model.ts';
import { createRecipient } from './recipient.ts';
import type { MailContext } from './recipient.ts';
import type { Store } from './store.ts';

interface Batch extends Pick<MailContext, 'mail' | 'campaignId' | 'listIds' | 'sentAt'> {
  readonly recipients: Uint32Array;
}

/** Messages that the service "sent". They are composed on demand, so that a delivery to 50,000 recipients stores its text once. */
export class Outbox {
  readonly #store: () => Store;
  readonly #baseUrl: () => string;
  readonly #compose: Compose;
  readonly #batches: (Batch & { readonly firstId: number })[] = [];
  readonly #listeners = new Set<(delivery: Delivery) => void>();
  #count = 0;

  /** `store` and `baseUrl` are read when a message is composed. */
  constructor(store: () => Store, baseUrl: () => string, compose: Compose) {
    this.#store = store;
    this.#baseUrl = baseUrl;
    this.#compose = compose;
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
    return Array.from({ length: size }, (_, at) => this.get(offset + 1 + at) ?? []).flat();
  }

  get(id: number): OutboxMessage | undefined {
    const context = this.#getContext(id);
    if (!context) return undefined;
    const { campaignId, listIds, sentAt, recipient } = context;
    const subject = renderSubject(context);
    return { id, campaignId, to: recipient.person.email, subject, date: new Date(sentAt), listIds };
  }

  /** Returns the message in RFC 5322 format with CRLF line ends. Rejects with a RangeError for an id that does not exist. */
  async eml(id: number): Promise<string> {
    return (await this.parts(id)).source;
  }

  /** Returns the message and its parts. Rejects like `eml`. */
  async parts(id: number): Promise<MessageParts> {
    const context = this.#getContext(id);
    if (!context) throw new RangeError(`The outbox holds no message ${id}.`);
    return composeParts({ ...context, id }, this.#compose);
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

  #getContext(id: number): MailContext | undefined {
    const batch = this.#batches.findLast(({ firstId }) => firstId <= id);
    const userId = batch?.recipients[id - batch.firstId];
    if (!batch || userId === undefined) return undefined;
    return { ...batch, recipient: createRecipient(this.#store(), userId, batch.listIds), baseUrl: this.#baseUrl() };
  }
}
