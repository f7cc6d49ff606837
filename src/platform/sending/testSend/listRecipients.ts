import type { MailingClient } from '../../../service/client/index.ts';
import { formatRecipients, type TestList } from './model.ts';

/** Thrown for lists that may not receive tests. The message says why. */
export class UnsuitableListError extends Error {}

export function describeTooLarge(limit: number): string {
  return `has more than ${formatRecipients(limit)} (mailing.test.maxRecipients)`;
}

/** `expected`: the previous number of addresses. If it is still right, reading takes half the time. */
interface ReadOptions {
  readonly signal?: AbortSignal;
  readonly expectedCount?: number;
}

/** Returns the addresses of a list's subscribers, at most `limit` + 1. Throws `ApiError`. */
export async function readAddresses(
  client: MailingClient,
  listId: number,
  limit: number,
  reading: ReadOptions = {},
): Promise<readonly string[]> {
  const { paginate } = await import('../../../service/client/index.ts');
  const addresses: string[] = [];
  const pages = paginate((page, options) => client.getSubscribersFromLists([listId], page, options), {
    pageSize: limit + 1,
    ...reading,
  });
  for await (const subscriber of pages) {
    addresses.push(subscriber.email ?? `user ${subscriber.id}`);
    if (addresses.length > limit) break;
  }
  return addresses;
}

/** Returns the subscribers of a test list. Throws `UnsuitableListError` if it is empty or exceeds the limit. */
export async function readRecipients(
  client: MailingClient,
  list: TestList,
  limit: number,
  reading: ReadOptions = {},
): Promise<readonly string[]> {
  const addresses = await readAddresses(client, list.id, limit, reading);
  if (addresses.length > limit)
    throw new UnsuitableListError(
      `The list "${list.name}" ${describeTooLarge(limit)}: it is too large for a test list. Nothing was sent.`,
    );
  if (addresses.length === 0)
    throw new UnsuitableListError(
      `The list "${list.name}" has no subscribers. Nothing was sent: subscribe yourself to it, or choose another list.`,
    );
  return addresses;
}
