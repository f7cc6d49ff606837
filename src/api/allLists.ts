import type { MailingClient, MailingList } from './index.ts';

/** All lists of a service, page after page. Throws `ApiError`. */
export async function allLists(client: MailingClient, signal?: AbortSignal): Promise<readonly MailingList[]> {
  const { paginate } = await import('./index.ts');
  const lists: MailingList[] = [];
  const pages = paginate((page, options) => client.getLists(page, options), { pageSize: 100, ...(signal === undefined ? {} : { signal }) });
  for await (const list of pages) lists.push(list);
  return lists;
}
