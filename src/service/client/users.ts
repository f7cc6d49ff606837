import type { MailingClient } from './client.ts';
import { MAX_PAGE_SIZE, paginate } from './paginate.ts';
import type { Subscriber } from './records.ts';

const MAX_USERS = 5000;

/**
 * Adds the custom fields of subscribers, by label. Leaves out subscribers that aren't among the first users. Returns the subscribers
 * unchanged if the service reports none of them.
 *
 * Throws if the signal aborts.
 */
export async function withCustomFields(
  client: MailingClient,
  subscribers: readonly Subscriber[],
  signal: AbortSignal,
): Promise<readonly Subscriber[]> {
  const [first] = subscribers;
  if (!first) return subscribers;
  const filters = subscribers.length === 1 ? { id: first.id } : undefined;
  const ids = new Set(subscribers.map(({ id }) => id));
  const users = new Map<number, object>();
  let count = 0;
  try {
    const pages = paginate((page, options) => client.getUsers({ ...page, filters }, options), {
      pageSize: MAX_PAGE_SIZE,
      signal,
    });
    for await (const user of pages) {
      if (ids.has(user.id)) users.set(user.id, user);
      count += 1;
      if (users.size === ids.size || count === MAX_USERS) break;
    }
  } catch {
    // Some installations and keys don't allow it.
    signal.throwIfAborted();
  }
  const found = subscribers.flatMap((subscriber) => {
    const user = users.get(subscriber.id);
    return user ? [{ ...user, ...subscriber }] : [];
  });
  return found.length > 0 ? found : subscribers;
}
