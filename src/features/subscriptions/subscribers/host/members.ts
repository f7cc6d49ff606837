import type { MailingClient, MailingList, Subscriber } from '../../../../service/client/index.ts';
import { countMembers as count } from '../../../lists/model.ts';
import { memberships, type Membership } from './membership.ts';

/** Who is read: the members of some lists. */
interface Members {
  readonly listIds: readonly number[];
  readonly membership: Membership;
}

/** A part of the members. `ended`: there are none after it. */
interface MemberRange {
  readonly records: readonly Subscriber[];
  readonly isLast: boolean;
}

/**
 * As many records from an offset on as asked for, also of a service that gives fewer at once: only an empty answer is the end.
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

/** How many members there are. `lists` may tell it, where it is one list only. Throws `ApiError`. */
export function countListMembers(
  client: MailingClient,
  { listIds, membership }: Members,
  lists: readonly MailingList[],
  signal?: AbortSignal,
): Promise<number> {
  const [list] = lists;
  const told =
    lists.length === 1 && listIds.length === 1
      ? membership === 'subscribed'
        ? list?.subscribers
        : list?.unsubscribed_users
      : undefined;
  return count((page, options) => memberships[membership].fetch(client, listIds, page, options), told, signal);
}
