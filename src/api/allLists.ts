import { ApiError } from './errors.ts';
import type { MailingClient, MailingList } from './index.ts';

/** More lists than this are not read: a service whose pages never end would fill the memory. */
export const listCeiling = 10_000;

const pageSize = 100;
const ceilingText = listCeiling.toLocaleString();

/**
 * All lists of a service, page after page; of one with more than `listCeiling`, one more than that. Who asks while they are being read
 * shares that reading, so it may tell of a moment before: what must be seen as it is from now on is looked for with `findList`.
 *
 * Throws `ApiError`.
 */
export function allLists(client: MailingClient, signal: AbortSignal): Promise<readonly MailingList[]> {
  return client.share('all lists', (shared) => readLists(client, shared), signal);
}

/** Whether the service has lists that were not read: nothing can be said of those. */
export function hasMore(lists: readonly MailingList[]): boolean {
  return lists.length > listCeiling;
}

/** What is said where not all lists are shown. */
export const moreLists = `The service has more than ${ceilingText} lists: the others are not shown here.`;

/**
 * One of all lists. `anew`: read from now on, also where they are being read already.
 *
 * Throws `ApiError`, of kind `notFound` where there is none; of another kind where there are too many to tell.
 */
export async function findList(client: MailingClient, id: number, signal: AbortSignal, { anew = false } = {}): Promise<MailingList> {
  const lists = await (anew ? readLists(client, signal) : allLists(client, signal));
  const list = lists.find((candidate) => candidate.id === id);
  if (list !== undefined) return list;
  const isCut = hasMore(lists);
  const unknown = `Whether there is a list ${id} can't be told: it is not among the first ${ceilingText}.`;
  const message = isCut ? unknown : `There is no list ${id} on the service. It may have been deleted: refresh the lists.`;
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
  const read = await readLists(client, signal, isEnough);
  return { found, missing: [...wanted], isCertain: !hasMore(read) };
}

async function readLists(
  client: MailingClient,
  signal: AbortSignal,
  isEnough: (list: MailingList) => boolean = () => false,
): Promise<readonly MailingList[]> {
  const { paginate } = await import('./index.ts');
  const lists: MailingList[] = [];
  for await (const list of paginate((page, options) => client.getLists(page, options), { pageSize, signal })) {
    lists.push(list);
    if (isEnough(list) || hasMore(lists)) break;
  }
  return lists;
}
