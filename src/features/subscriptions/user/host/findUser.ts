import type { MailingClient } from '../../../../service/client/index.ts';
import type { RecordRef } from '../../../../platform/connections/model.ts';
import { formatCount } from '../../../../platform/ui/format.ts';
import type { ReportProgress } from '../../../../platform/ui/progress.ts';

export interface UserRef extends RecordRef {
  readonly email?: string;
}

const USERS_PAGE_ROWS = 500;

/**
 * Searches the current and former subscribers of lists for a user. Returns undefined if there is none among the first `limit` users.
 *
 * Throws `ApiError`.
 */
export async function findUser(
  client: MailingClient,
  listIds: readonly number[],
  matches: (user: { readonly id: number; readonly email: string | null }) => boolean,
  {
    signal,
    report,
    limit = Infinity,
  }: { readonly signal: AbortSignal; readonly report?: ReportProgress; readonly limit?: number },
): Promise<{ readonly id: number; readonly email: string } | undefined> {
  if (listIds.length === 0) return undefined;
  const { paginate } = await import('../../../../service/client/index.ts');
  let readCount = 0;
  for (const read of ['getSubscribersFromLists', 'getUnsubscribedUsersFromLists'] as const) {
    for await (const user of paginate((page, options) => client[read](listIds, page, options), {
      pageSize: USERS_PAGE_ROWS,
      signal,
    })) {
      if (matches(user)) return { id: user.id, email: user.email ?? '' };
      readCount += 1;
      if (readCount % USERS_PAGE_ROWS === 0) report?.(`${formatCount(readCount)} users seen`);
      if (readCount >= limit) return undefined;
    }
  }
  return undefined;
}
