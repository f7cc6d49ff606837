import type { MailingClient } from '../../../service/client/index.ts';
import { normalizeAddress } from './parseAddresses.ts';
import type { ChangeKind, Step } from './run.ts';

const MEMBERS_PAGE_ROWS = 500;

/**
 * What is not seen to be done of a request whose answer was lost, by what the lists hold now: the service may still be at work on it. An
 * address that no user has is always among it.
 *
 * Throws `ApiError` where the lists can't be read.
 */
export async function findUndone(
  client: MailingClient,
  kind: ChangeKind,
  { emails, listIds }: Step,
  signal: AbortSignal,
): Promise<Step[]> {
  const lists = new Map<string, number[]>(emails.map((email) => [email, []]));
  for (const listId of listIds) {
    const subscribed = await findSubscribed(client, listId, emails, signal);
    for (const [email, undone] of lists)
      if (subscribed.has(normalizeAddress(email)) === (kind === 'unsubscribe')) undone.push(listId);
  }
  const groups = new Map<string, { readonly emails: string[]; readonly listIds: readonly number[] }>();
  for (const [email, undone] of lists) {
    if (undone.length === 0) continue;
    const group = groups.get(undone.join()) ?? { emails: [], listIds: undone };
    group.emails.push(email);
    groups.set(undone.join(), group);
  }
  return [...groups.values()];
}

/** Those of some addresses that a list has as subscribed, in the form that compares. */
async function findSubscribed(
  client: MailingClient,
  listId: number,
  emails: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const { paginate } = await import('../../../service/client/index.ts');
  const wanted = new Set(emails.map(normalizeAddress));
  const found = new Set<string>();
  for await (const { email } of paginate((page, options) => client.getSubscribersFromLists([listId], page, options), {
    pageSize: MEMBERS_PAGE_ROWS,
    signal,
  })) {
    const key = normalizeAddress(email ?? '');
    if (wanted.has(key)) found.add(key);
    if (found.size === wanted.size) break;
  }
  return found;
}
