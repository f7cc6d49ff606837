import { t } from '@vscode/l10n';
import { readAllLists, findList, isTruncated } from '../../service/client/allLists.ts';
import { countRecords, type FetchPage } from '../../service/client/paginate.ts';
import type { MailingClient, MailingList, Subscriber } from '../../service/client/index.ts';
import { plural } from '../../l10n.ts';
import { joinParts } from '../../service/format.ts';
import { escapeMessage, toSingleLine } from '../../service/text.ts';
import type { FormListChoice } from '../../ui/page/form/protocol.ts';

export const collection = 'lists';

const LIST_PAGE_SIZE = 100;

/** Returns the display name as plain text. Falls back to the id. */
export function getListName({ id, name, display_name }: Pick<MailingList, 'id' | 'name' | 'display_name'>): string {
  return toSingleLine(name || display_name || '') || t`List ${id}`;
}

/** Returns the unusual properties of a list: "inactive". */
export function getListMarks({
  active,
  visible,
  type,
}: Partial<Pick<MailingList, 'active' | 'visible' | 'type'>>): readonly string[] {
  return [
    active === 0 && t({ message: 'inactive', comment: 'State of a list' }),
    visible === 0 && t({ message: 'invisible', comment: 'State of a list' }),
    type === 'followup' && t({ message: 'of a follow-up', comment: 'Type of a list' }),
  ].filter((mark) => mark !== false);
}

/** Returns "1,204 subscribers". Undefined if the service doesn't report the count. */
export function formatListSize({ subscribers }: Pick<MailingList, 'subscribers'>): string | undefined {
  return typeof subscribers === 'number' ? plural(subscribers, t('{0} subscriber'), t('{0} subscribers')) : undefined;
}

/** Returns the color as `#rrggbb`. Undefined if it is missing or invalid. */
export function getListColor({ color }: Pick<MailingList, 'color'>): string | undefined {
  return color && /^#[\da-f]{6}$/iu.test(color) ? color : undefined;
}

export function createListPickItem(list: MailingList) {
  const description = joinParts([`#${list.id}`, formatListSize(list), ...getListMarks(list)]);
  return { id: list.id, label: escapeMessage(getListName(list)), description };
}

export const listPicking = {
  collection,
  get placeholder() {
    return t('Select a list. Type to search names on the service');
  },
  search: async (client: MailingClient, name: string, signal: AbortSignal) =>
    (await searchLists(client, name, signal)).map(createListPickItem),
};

/** Picks several lists. Shows all of them; if they were truncated, typing searches names on the service. */
export function createMultiListPicking() {
  let all: readonly MailingList[] | undefined;
  return {
    collection,
    placeholder: t('Select the lists to show together'),
    search: async (client: MailingClient, name: string, signal: AbortSignal) => {
      all ??= await readAllLists(client, signal);
      return (name !== '' && isTruncated(all) ? await searchLists(client, name, signal) : all).map(createListPickItem);
    },
  };
}

/** Returns the choices in a form. Invisible, inactive and follow-up lists come last. */
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

function getListRank({ type, active, visible }: MailingList) {
  return type === 'followup' ? 3 : active === 0 ? 2 : visible === 0 ? 1 : 0;
}

function searchLists(client: MailingClient, name: string, signal: AbortSignal) {
  return client.getLists({ limit: LIST_PAGE_SIZE, filters: { name: name || undefined } }, { signal });
}

/**
 * Reads one list. The service has no operation for this: filters by id, then searches all lists. `fresh`: bypasses responses that were
 * requested earlier.
 *
 * Throws `ApiError`, of kind `notFound` if the list doesn't exist.
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
  // The filtered response omits lists of follow-ups.
  return filtered ?? findList(client, id, signal, options);
}

/** Returns the lists with exactly this name. Throws `ApiError`. */
export async function findListsByName(
  client: MailingClient,
  name: string,
  signal: AbortSignal,
): Promise<readonly MailingList[]> {
  return (await searchLists(client, name, signal)).filter((list) => list.name === name);
}

/** Counts the members of lists by reading single records. `reportedCount`: the count from the service. Throws `ApiError`. */
export function countMembers(
  fetch: FetchPage<Subscriber>,
  reportedCount: number | null | undefined,
  signal: AbortSignal,
): Promise<number> {
  const readRecordKey = async (offset: number) => {
    const [record] = await fetch({ offset, limit: 1 }, { signal });
    return record && `${record.id} ${record.email ?? ''}`;
  };
  return countRecords(readRecordKey, typeof reportedCount === 'number' ? reportedCount : undefined);
}
