import { composeParts, renderSubject } from './message.ts';
import type { Compose, MessageParts, OutboxMessage } from './model.ts';
import { createRecipient, type MailContext } from './recipient.ts';
import type { Store } from './store.ts';

interface Batch extends Omit<MailContext, 'recipient' | 'baseUrl'> {
  readonly store: Store;
  readonly recipients: Uint32Array;
}

interface OutboxOptions {
  readonly compose: Compose;
  readonly onDidDeliver?: () => void;
}

/** Messages that the service "sent". They are composed on demand, so that a delivery to 50,000 recipients stores its text once. */
export class Outbox {
  readonly #baseUrl: string;
  readonly #options: OutboxOptions;
  readonly #batches: (Batch & { readonly firstId: number })[] = [];
  #count = 0;

  constructor(baseUrl: string, options: OutboxOptions) {
    this.#baseUrl = baseUrl;
    this.#options = options;
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

  /** Returns the source of a message. Rejects like `parts`. */
  async eml(id: number): Promise<string> {
    return (await this.parts(id)).source;
  }

  /** Returns the message and its parts. Rejects with a RangeError for an id that does not exist. */
  async parts(id: number): Promise<MessageParts> {
    const context = this.#getContext(id);
    if (!context) throw new RangeError(`The outbox holds no message ${id}.`);
    return composeParts({ ...context, id }, this.#options.compose);
  }

  clear(): void {
    this.#batches.length = 0;
    this.#count = 0;
  }

  deliver(batch: Batch): void {
    const count = batch.recipients.length;
    if (count === 0) return;
    this.#batches.push({ ...batch, firstId: this.#count + 1 });
    this.#count += count;
    this.#options.onDidDeliver?.();
  }

  #getContext(id: number): MailContext | undefined {
    const batch = this.#batches.findLast(({ firstId }) => firstId <= id);
    const userId = batch?.recipients[id - batch.firstId];
    if (!batch || userId === undefined) return undefined;
    return { ...batch, recipient: createRecipient(batch.store, userId, batch.listIds), baseUrl: this.#baseUrl };
  }
}
