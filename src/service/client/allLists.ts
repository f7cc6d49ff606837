import { formatNumber, t } from '../../l10n.ts';
import { createRefusal } from './errors.ts';
import type { MailingClient } from './client.ts';
import { paginate, raceWithAbort } from './paginate.ts';
import type { MailingList } from './records.ts';

/** Limits memory use if a service returns pages without end. */
export const MAX_LISTS = 10_000;

/** Limits the JSON text of all lists of one service, because a single page can be as large as a response may be. */
export const MAX_LISTS_LENGTH_CHARS = 32 * 1024 * 1024;

/** Results that stop early because their lists are too large. */
const truncatedLists = new WeakSet<readonly MailingList[]>();

/**
 * Reads all lists of a service. Concurrent calls share one read, so the result may be slightly out of date: use `findList` if it must be
 * current. `isTruncated` reports whether lists were left out.
 *
 * Throws `ApiError`.
 */
export async function readAllLists(client: MailingClient, signal: AbortSignal): Promise<readonly MailingList[]> {
  signal.throwIfAborted();
  let shared = sharedReads.get(client);
  if (!shared) {
    const stop = new AbortController();
    shared = { lists: readListPages(client, stop.signal), stop, waiting: 0 };
    sharedReads.set(client, shared);
  }
  shared.waiting += 1;
  try {
    return await raceWithAbort(shared.lists, signal);
  } finally {
    shared.waiting -= 1;
    if (shared.waiting === 0) {
      sharedReads.delete(client);
      shared.stop.abort();
    }
  }
}

/** A read continues while at least one caller waits for it. */
interface SharedRead {
  readonly lists: Promise<readonly MailingList[]>;
  readonly stop: AbortController;
  waiting: number;
}

const sharedReads = new WeakMap<MailingClient, SharedRead>();

/** Returns whether the service has more lists than were read. */
export function isTruncated(lists: readonly MailingList[]): boolean {
  return lists.length > MAX_LISTS || truncatedLists.has(lists);
}

export function truncatedListsMessage(): string {
  const size = MAX_LISTS_LENGTH_CHARS / 1024 / 1024;
  return t`The service has too many lists. Mailing Studio reads at most ${formatNumber(MAX_LISTS)} lists or ${size} MB.`;
}

/**
 * Finds a list by id. With `fresh`, starts a new read even if one is in progress.
 *
 * Throws `ApiError` of kind `notFound` if the list does not exist, and of another kind if the service has too many lists to be certain.
 */
export async function findList(
  client: MailingClient,
  id: number,
  signal: AbortSignal,
  { fresh = false } = {},
): Promise<MailingList> {
  const lists = await (fresh ? readListPages(client, signal) : readAllLists(client, signal));
  const list = lists.find((candidate) => candidate.id === id);
  if (list) return list;
  if (isTruncated(lists))
    throw createRefusal('server', 'getLists', `${t`Couldn't find list ${id}.`} ${truncatedListsMessage()}`);
  throw createRefusal(
    'notFound',
    'getLists',
    t`The service has no list ${id}. Refresh the lists, because it may have been deleted.`,
  );
}

/**
 * Finds lists by id and stops reading once all are found. `isCertain` is false if the service has too many lists to say that the missing
 * ones do not exist.
 *
 * Throws `ApiError`.
 */
export async function findLists(client: MailingClient, ids: readonly number[], signal: AbortSignal) {
  const remainingIds = new Set(ids);
  const found: MailingList[] = [];
  const isComplete = (list: MailingList) => {
    if (remainingIds.delete(list.id)) found.push(list);
    return remainingIds.size === 0;
  };
  const lists = await readListPages(client, signal, isComplete);
  return { found, missing: [...remainingIds], isCertain: !isTruncated(lists) };
}

async function readListPages(
  client: MailingClient,
  signal: AbortSignal,
  isComplete: (list: MailingList) => boolean = () => false,
): Promise<readonly MailingList[]> {
  const lists: MailingList[] = [];
  let characters = 0;
  const pages = paginate((page, options) => client.getLists(page, options), { signal });
  for await (const list of pages) {
    lists.push(list);
    characters += JSON.stringify(list).length;
    if (characters > MAX_LISTS_LENGTH_CHARS) truncatedLists.add(lists);
    if (isComplete(list) || isTruncated(lists)) break;
  }
  return lists;
}
