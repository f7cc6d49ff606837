import { paginate } from '../../../service/client/paginate.ts';
import type { MailingClient } from '../../../service/client/index.ts';
import { normalizeAddress } from './parseAddresses.ts';
import type { ChangeKind, Step } from './run.ts';

const MEMBERS_PAGE_ROWS = 500;

/**
 * Returns the part of an unconfirmed request that the lists don't reflect yet. The service may still be processing it. Addresses without a
 * user are always part of the result.
 *
 * Throws `ApiError` if the lists can't be read.
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
    for (const [email, undoneListIds] of lists)
      if (subscribed.has(normalizeAddress(email)) === (kind === 'unsubscribe')) undoneListIds.push(listId);
  }
  const groups = new Map<string, { readonly emails: string[]; readonly listIds: readonly number[] }>();
  for (const [email, undoneListIds] of lists) {
    if (undoneListIds.length === 0) continue;
    const group = groups.get(undoneListIds.join()) ?? { emails: [], listIds: undoneListIds };
    group.emails.push(email);
    groups.set(undoneListIds.join(), group);
  }
  return [...groups.values()];
}

/** Returns the normalized addresses that are subscribed to a list. */
async function findSubscribed(
  client: MailingClient,
  listId: number,
  emails: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const wantedAddresses = new Set(emails.map(normalizeAddress));
  const foundAddresses = new Set<string>();
  for await (const { email } of paginate((page, options) => client.getSubscribersFromLists([listId], page, options), {
    pageSize: MEMBERS_PAGE_ROWS,
    signal,
  })) {
    const key = normalizeAddress(email ?? '');
    if (wantedAddresses.has(key)) foundAddresses.add(key);
    if (foundAddresses.size === wantedAddresses.size) break;
  }
  return foundAddresses;
}
