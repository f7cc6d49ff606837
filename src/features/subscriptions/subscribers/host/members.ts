import type { MailingClient, MailingList, Subscriber } from '../../../../service/client/index.ts';
import { countMembers as count } from '../../../lists/model.ts';
import { memberships, type Membership } from './membership.ts';

/** The current or former subscribers of lists. */
interface Members {
  readonly listIds: readonly number[];
  readonly membership: Membership;
}

/** A range of the members. `isLast`: no records follow. */
interface MemberRange {
  readonly records: readonly Subscriber[];
  readonly isLast: boolean;
}

/**
 * Returns exactly `limit` records, unless the members end. A service may return fewer per request; only an empty response is the end.
 *
 * Throws `ApiError`.
 */
export async function readMembers(
  client: MailingClient,
  { listIds, membership }: Members,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  signal: AbortSignal,
): Promise<MemberRange> {
  const records: Subscriber[] = [];
  while (records.length < limit) {
    const page = await memberships[membership].fetch(
      client,
      listIds,
      { offset: offset + records.length, limit: limit - records.length },
      { signal },
    );
    if (page.length === 0) return { records, isLast: true };
    records.push(...page.slice(0, limit - records.length));
  }
  return { records, isLast: false };
}

/** Counts the members. For a single list, starts from the count in its record. Throws `ApiError`. */
export function countListMembers(
  client: MailingClient,
  { listIds, membership }: Members,
  lists: readonly MailingList[],
  signal?: AbortSignal,
): Promise<number> {
  const [list] = lists;
  const reportedCount =
    lists.length === 1 && listIds.length === 1
      ? membership === 'subscribed'
        ? list?.subscribers
        : list?.unsubscribed_users
      : undefined;
  return count((page, options) => memberships[membership].fetch(client, listIds, page, options), reportedCount, signal);
}
