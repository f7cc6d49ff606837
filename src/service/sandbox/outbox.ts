import { composeParts, renderSubject } from './message.ts';
import type { Composer } from './message.ts';
import type { Delivery, MessageParts, Outbox, OutboxMessage } from './model.ts';
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

export interface OutboxControl extends Outbox {
  deliver(batch: Batch): void;
}

/** Creates an outbox. `store` and `baseUrl` are read when a message is composed. */
export function createOutbox(store: () => Store, baseUrl: () => string, composing: Composer): OutboxControl {
  const batches: (Batch & { readonly firstId: number })[] = [];
  const listeners = new Set<(delivery: Delivery) => void>();
  let count = 0;

  const findBatch = (id: number): (typeof batches)[number] | undefined => {
    let low = 0;
    let high = batches.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((batches[middle]?.firstId ?? 0) <= id) low = middle;
      else high = middle - 1;
    }
    return Number.isInteger(id) && id >= 1 && id <= count ? batches[low] : undefined;
  };
  const getContext = (batch: (typeof batches)[number], id: number): MailContext => ({
    ...batch,
    recipient: createRecipient(store(), batch.recipients[id - batch.firstId] ?? 0, batch.listIds),
    baseUrl: baseUrl(),
  });
  const get = (id: number): OutboxMessage | undefined => {
    const batch = findBatch(id);
    if (!batch) return undefined;
    const context = getContext(batch, id);
    const { email } = context.recipient.person;
    return {
      id,
      campaignId: batch.campaignId,
      to: email,
      subject: renderSubject(context),
      date: new Date(batch.sentAt),
      listIds: batch.listIds,
    };
  };
  const page = (offset: number, limit: number): OutboxMessage[] => {
    const messages: OutboxMessage[] = [];
    for (let id = offset + 1; id <= count && messages.length < limit; id += 1) {
      const message = get(id);
      if (message) messages.push(message);
    }
    return messages;
  };

  const parts = async (id: number): Promise<MessageParts> => {
    const batch = findBatch(id);
    if (!batch) throw new RangeError(`The outbox holds no message ${id}.`);
    return composeParts({ ...getContext(batch, id), id }, composing);
  };

  return {
    get count() {
      return count;
    },
    get messages() {
      return page(0, count);
    },
    page,
    get,
    eml: async (id) => (await parts(id)).source,
    parts,
    onDidDeliver(listener) {
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
    clear() {
      batches.length = 0;
      count = 0;
    },
    deliver(batch) {
      if (batch.recipients.length === 0) return;
      const firstId = count + 1;
      batches.push({ ...batch, firstId });
      count += batch.recipients.length;
      const delivery: Delivery = {
        firstId,
        count: batch.recipients.length,
        campaignId: batch.campaignId,
        subject: batch.mail.subject,
      };
      for (const listener of listeners) listener(delivery);
    },
  };
}
