import { paginate } from '../../../service/client/paginate.ts';
import type { MailingClient, MailingList } from '../../../service/client/index.ts';
import { joinParts } from '../../ui/format.ts';
import { toSingleLine } from '../../ui/text.ts';
import { formatRecipients, type TestList } from './model.ts';

/** Number of recipients; `more` if it exceeds the limit of a test; undefined if not counted yet. */
export type ListSize = number | 'more' | undefined;

/** A list offered for tests. */
export interface TestListChoice {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** Why it can't be selected, as a clause. */
  readonly refusal: string | undefined;
}

/** Returns the size that the service reports with a list. */
export function getReportedSize({ subscribers }: MailingList): ListSize {
  return typeof subscribers === 'number' ? subscribers : undefined;
}

/** Returns the lists to offer, suitable ones first, and among these the ones named after tests. */
export function createListChoices(
  lists: readonly MailingList[],
  sizes: ReadonlyMap<number, ListSize>,
  limit: number,
): readonly TestListChoice[] {
  return lists
    .map((list) => ({ list, size: sizes.get(list.id) }))
    .toSorted((one, other) => getRank(one.list, one.size, limit) - getRank(other.list, other.size, limit))
    .map(({ list, size }) => createListChoice(list, size, limit));
}

export function isTestListName({ name }: Pick<MailingList, 'name'>): boolean {
  return /test/iu.test(name ?? '');
}

function createListChoice(list: MailingList, size: ListSize, limit: number): TestListChoice {
  const isTooLarge = size === 'more' || (size ?? 0) > limit;
  const count =
    size === 'more' ? `more than ${formatRecipients(limit)}` : size === undefined ? undefined : formatRecipients(size);
  const marks = [list.active === 0 && 'inactive', list.type === 'followup' && 'of a follow-up'];
  return {
    id: list.id,
    name: toSingleLine(list.name ?? '') || `List ${list.id}`,
    description: joinParts([`#${list.id}`, count, isTooLarge && 'too many for a test', ...marks]),
    refusal: isTooLarge ? describeTooLarge(limit) : size === 0 ? 'has no subscribers' : undefined,
  };
}

/** Lower ranks come first. */
function getRank(list: MailingList, size: ListSize, limit: number): number {
  const fits = typeof size === 'number' && size > 0 && size <= limit;
  const bySize = fits ? 0 : size === undefined ? 2 : 4;
  const seldom = list.active === 0 || list.type === 'followup' ? 8 : 0;
  return seldom + bySize + (isTestListName(list) ? 0 : 1);
}

/** Thrown for lists that may not receive tests. The message says why. */
export class UnsuitableListError extends Error {}

export function describeTooLarge(limit: number): string {
  return `has more than ${formatRecipients(limit)} (mailing.test.maxRecipients)`;
}

/** `expected`: the previous number of addresses. If it is still right, reading takes half the time. */
interface ListReadOptions {
  readonly signal?: AbortSignal;
  readonly expectedCount?: number;
}

/** Returns the addresses of a list's subscribers, at most `limit` + 1. Throws `ApiError`. */
export async function readAddresses(
  client: MailingClient,
  listId: number,
  limit: number,
  reading: ListReadOptions = {},
): Promise<readonly string[]> {
  const addresses: string[] = [];
  const pages = paginate((page, options) => client.getSubscribersFromLists([listId], page, options), {
    pageSize: limit + 1,
    ...reading,
  });
  for await (const subscriber of pages) {
    addresses.push(subscriber.email ?? `user ${subscriber.id}`);
    if (addresses.length > limit) break;
  }
  return addresses;
}

/** Returns the subscribers of a test list. Throws `UnsuitableListError` if it is empty or exceeds the limit. */
export async function readRecipients(
  client: MailingClient,
  list: TestList,
  limit: number,
  reading: ListReadOptions = {},
): Promise<readonly string[]> {
  const addresses = await readAddresses(client, list.id, limit, reading);
  if (addresses.length > limit)
    throw new UnsuitableListError(
      `The list "${list.name}" ${describeTooLarge(limit)}: it is too large for a test list. Nothing was sent.`,
    );
  if (addresses.length === 0)
    throw new UnsuitableListError(
      `The list "${list.name}" has no subscribers. Nothing was sent: subscribe yourself to it, or choose another list.`,
    );
  return addresses;
}
