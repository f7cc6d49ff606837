import type { MailingClient } from '../../../service/client/index.ts';
import { formatRecipients, type TestList } from './model.ts';

/** A list that may not receive tests. The message says why. */
export class UnsuitableListError extends Error {}

/** Why a list is too large for a test, as a clause. */
export function describeTooLarge(limit: number): string {
  return `has more than ${formatRecipients(limit)} (mailing.test.maxRecipients)`;
}

/** `expected`: how many there were a moment ago. Where there are as many now, reading them takes half the time. */
interface ReadOptions {
  readonly signal?: AbortSignal;
  readonly expectedCount?: number;
}

/**
 * Email addresses of a list's subscribers, `limit` of them at most and one more where there are more. Throws `ApiError`.
 */
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

/** The subscribers of a test list. Throws `UnsuitableList` where it has none, or more than a test may reach. */
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
