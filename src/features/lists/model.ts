import { readAllLists, findList, isTruncated } from '../../service/client/allLists.ts';
import { countRecords } from '../../service/client/count.ts';
import type { MailingClient, MailingList, Subscriber } from '../../service/client/index.ts';
import { formatAmount, joinParts } from '../../platform/ui/format.ts';
import { escapeMessage, toSingleLine } from '../../platform/ui/text.ts';
import type { FormListChoice } from '../../platform/webview/form/protocol.ts';

export const collection = 'lists';

const LIST_PAGE_SIZE = 100;

/** How a list is called, as plain text. */
export function getListName({ id, name, display_name }: Pick<MailingList, 'id' | 'name' | 'display_name'>): string {
  return toSingleLine(name || display_name || '') || `List ${id}`;
}

/** What is special about a list: "inactive". */
export function getListMarks({
  active,
  visible,
  type,
}: Partial<Pick<MailingList, 'active' | 'visible' | 'type'>>): readonly string[] {
  return [active === 0 && 'inactive', visible === 0 && 'invisible', type === 'followup' && 'of a follow-up'].filter(
    (mark) => mark !== false,
  );
}

/** "1,204 subscribers"; undefined where the service does not tell it. */
export function formatListSize({ subscribers }: Pick<MailingList, 'subscribers'>): string | undefined {
  return typeof subscribers === 'number' ? formatAmount(subscribers, 'subscriber') : undefined;
}

/** The colour as `#rrggbb`; undefined where a list has none that can be shown. */
export function getListColor({ color }: Pick<MailingList, 'color'>): string | undefined {
  return color && /^#[\da-f]{6}$/iu.test(color) ? color : undefined;
}

/** A list in a quick pick. */
export function createListPickItem(list: MailingList) {
  const description = joinParts([`#${list.id}`, formatListSize(list), ...getListMarks(list)]);
  return { id: list.id, label: escapeMessage(getListName(list)), description };
}

export const listPicking = {
  collection,
  placeholder: 'Which list? Type to search names on the service',
  search: async (client: MailingClient, name: string, signal: AbortSignal) =>
    (await searchLists(client, name, signal)).map(createListPickItem),
};

/** How several lists are picked: all of them are offered; where there are too many for that, typing searches names on the service. */
export function createMultiListPicking() {
  let all: readonly MailingList[] | undefined;
  return {
    collection,
    placeholder: 'Which lists? Several are shown together',
    search: async (client: MailingClient, name: string, signal: AbortSignal) => {
      all ??= await readAllLists(client, signal);
      return (name !== '' && isTruncated(all) ? await searchLists(client, name, signal) : all).map(createListPickItem);
    },
  };
}

/** Lists as a form offers them: those that are seldom meant come last. */
export function createListChoices(lists: readonly MailingList[]): readonly FormListChoice[] {
  return lists
    .toSorted((one, other) => getListRank(one) - getListRank(other))
    .map((list) => ({
      id: list.id,
      name: getListName(list),
      color: getListColor(list),
      subscribers: formatListSize(list),
      note: joinParts(getListMarks(list)) || undefined,
    }));
}

function getListRank({ type, active, visible }: MailingList): number {
  return type === 'followup' ? 3 : active === 0 ? 2 : visible === 0 ? 1 : 0;
}

function searchLists(client: MailingClient, name: string, signal: AbortSignal): Promise<MailingList[]> {
  return client.getLists({ limit: LIST_PAGE_SIZE, ...(name !== '' && { filters: { name } }) }, { signal });
}

/**
 * One list. The service has no operation for it, so it is looked for by its id where the service filters, else among all. `fresh`: as the
 * service has it from now on.
 *
 * Throws `ApiError`, of kind `notFound` where there is none.
 */
export async function readList(
  client: MailingClient,
  id: number,
  signal: AbortSignal,
  options?: { readonly fresh: boolean },
): Promise<MailingList> {
  const filtered = (await client.getLists({ limit: LIST_PAGE_SIZE, filters: { id } }, { signal })).find(
    (list) => list.id === id,
  );
  // Those of follow-ups come without a filter alone.
  return filtered ?? findList(client, id, signal, options);
}

/** Lists of exactly this name. Throws `ApiError`. */
export async function findListsByName(
  client: MailingClient,
  name: string,
  signal: AbortSignal,
): Promise<readonly MailingList[]> {
  return (await searchLists(client, name, signal)).filter((list) => list.name === name);
}

/** A page of the users that lists know. */
type MemberPageReader = (
  page: { readonly offset: number; readonly limit: number },
  options: { readonly signal?: AbortSignal | undefined },
) => Promise<readonly Subscriber[]>;

/** How many users lists know, by looking at single ones. `told`: the number that the service told. Throws `ApiError`. */
export function countMembers(
  fetch: MemberPageReader,
  reportedCount: number | null | undefined,
  signal?: AbortSignal,
): Promise<number> {
  const readRecordKey = async (offset: number): Promise<unknown> => {
    const [record] = await fetch({ offset, limit: 1 }, { signal });
    return record && `${record.id} ${record.email ?? ''}`;
  };
  return countRecords(readRecordKey, typeof reportedCount === 'number' ? reportedCount : undefined);
}
