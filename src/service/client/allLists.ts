import { ApiError } from './errors.ts';
import type { MailingClient, MailingList } from './index.ts';

/** More lists than this are not read: a service whose pages never end would fill the memory. */
export const MAX_LISTS = 10_000;

/** Text of lists, in characters of their JSON, that is kept of one service: a page may be as large as an answer may be. */
export const MAX_LISTS_LENGTH_CHARS = 32 * 1024 * 1024;

const PAGE_SIZE = 100;
const limitText = `the first ${MAX_LISTS.toLocaleString()} lists, or ${MAX_LISTS_LENGTH_CHARS / 1024 / 1024} MB of them`;
/** Listings that end before the service's own end, because their lists are too large. */
const truncatedLists = new WeakSet<readonly MailingList[]>();

/**
 * Returns the lists of a service, page after page: `hasMore` says whether some were left out. Calls while they are being read share that
 * reading, so the result may be of a moment before: use `findList` for what must be true from now on.
 *
 * Throws `ApiError`.
 */
export function readAllLists(client: MailingClient, signal: AbortSignal): Promise<readonly MailingList[]> {
  return client.share('all lists', (shared) => readListPages(client, shared), signal);
}

/** Whether the service has lists that were not read: nothing can be said of those. */
export function isTruncated(lists: readonly MailingList[]): boolean {
  return lists.length > MAX_LISTS || truncatedLists.has(lists);
}

/** What is said where not all lists are shown. */
export const truncatedListsMessage = `The service has more lists than Mailing Studio reads (${limitText}): the others are not shown here.`;

/**
 * One of all lists. `anew`: read from now on, also where they are being read already.
 *
 * Throws `ApiError`, of kind `notFound` where there is none; of another kind where there are too many to tell.
 */
export async function findList(
  client: MailingClient,
  id: number,
  signal: AbortSignal,
  { anew = false } = {},
): Promise<MailingList> {
  const lists = await (anew ? readListPages(client, signal) : readAllLists(client, signal));
  const list = lists.find((candidate) => candidate.id === id);
  if (list !== undefined) return list;
  const isCut = isTruncated(lists);
  const unknown = `Whether there is a list ${id} can't be told: it is not among what is read (${limitText}).`;
  const message = isCut
    ? unknown
    : `There is no list ${id} on the service. It may have been deleted: refresh the lists.`;
  throw new ApiError({ kind: isCut ? 'server' : 'notFound', operation: 'getLists', outcome: 'refused', message });
}

/**
 * The lists of these ids that the service has, read page after page until all of them are found. `isCertain`: whether it has no lists of
 * the other ids; else it has too many to tell.
 *
 * Throws `ApiError`.
 */
export async function findLists(client: MailingClient, ids: readonly number[], signal: AbortSignal) {
  const wanted = new Set(ids);
  const found: MailingList[] = [];
  const isEnough = (list: MailingList): boolean => {
    if (wanted.delete(list.id)) found.push(list);
    return wanted.size === 0;
  };
  const read = await readListPages(client, signal, isEnough);
  return { found, missing: [...wanted], isCertain: !isTruncated(read) };
}

async function readListPages(
  client: MailingClient,
  signal: AbortSignal,
  isEnough: (list: MailingList) => boolean = () => false,
): Promise<readonly MailingList[]> {
  const { paginate } = await import('./index.ts');
  const lists: MailingList[] = [];
  let characters = 0;
  for await (const list of paginate((page, options) => client.getLists(page, options), {
    pageSize: PAGE_SIZE,
    signal,
  })) {
    lists.push(list);
    characters += JSON.stringify(list).length;
    if (characters > MAX_LISTS_LENGTH_CHARS) truncatedLists.add(lists);
    if (isEnough(list) || isTruncated(lists)) break;
  }
  return lists;
}
