import { t } from '@vscode/l10n';
import type { MailingClient, MailingList } from '../../../service/client/index.ts';
import type { Connection } from '../../../platform/connections/model.ts';
import type { ReportProgress } from '../../../ui/messages.ts';
import { formatList, plural } from '../../../l10n.ts';
import { joinParts } from '../../../service/format.ts';
import type { SendOutcome } from '../campaignSender.ts';
import { paginate } from '../../../service/client/paginate.ts';
import { toSingleLine } from '../../../service/text.ts';
import type { TestMessage } from '../../../platform/documents/recordCollections.ts';

export type TestRecipients =
  | { readonly kind: 'list'; readonly list: TestList }
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] };

export interface TestList {
  readonly id: number;
  readonly name: string;
}

export interface TestRequest {
  readonly connection: Connection;
  /** The tested record: `tests/templates/7`. */
  readonly what: string;
  readonly message: TestMessage;
  readonly to: TestRecipients;
  /** Additional line in the confirmation: who requested the test. */
  readonly remark?: string;
  /** Called after the confirmation. Throws if the request was withdrawn: nothing is sent then. */
  assertStillWanted?(): void;
}

/** The result of sending a test. */
export interface Delivery {
  readonly outcome: SendOutcome;
  /** Recipients that the service reports as sent. */
  readonly sent: readonly string[];
  /** Recipients without a confirmed outcome. */
  readonly unknown: readonly string[];
  /** Recipients that got no email, with the reason as a sentence. */
  readonly refused: readonly { readonly address: string; readonly reason: string }[];
  /** The campaign of the test, if it needed one. */
  readonly id?: number;
}

/** How a test will be sent, as shown in the confirmation. */
export interface TestStrategy {
  readonly subject: string;
  /** Name of the list that receives it. Undefined if it goes to single addresses. */
  readonly listName?: string;
  /** All recipients. */
  readonly addresses: readonly string[];
  /** How it will be sent, one sentence per line. */
  readonly deliveryNotes: readonly string[];
  /** Throws only if nothing was sent. */
  send(signal: AbortSignal, report: ReportProgress): Promise<Delivery>;
}

const EMPTY_SUBJECT = '(no subject)';

/** Begins the names of what tests create, and their subjects. */
export const TEST_PREFIX = '[Test] ';

export function getTestSubject({ envelope }: TestMessage): string {
  return `${TEST_PREFIX}${envelope.subject.trim() || EMPTY_SUBJECT}`;
}

/** Returns the sender and other envelope fields that have a value. */
export function getSenderFields({
  envelope: { subject: _, preheader: __, ...sender },
}: TestMessage): Readonly<Record<string, string>> {
  const entries = Object.entries(sender as Readonly<Record<string, string | undefined>>);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );
}

export function formatRecipients(count: number): string {
  return plural(count, t('{0} recipient'), t('{0} recipients'));
}

export function normalizeAddress(address: string): string {
  return address.trim().toLowerCase();
}

/** Returns the addresses that are not in `others`. */
export function excludeAddresses(addresses: readonly string[], others: readonly string[]): readonly string[] {
  const excluded = new Set(others.map(normalizeAddress));
  return addresses.filter((address) => !excluded.has(normalizeAddress(address)));
}

/** Removes duplicates, keeping the first spelling of each address. */
export function uniqueAddresses(addresses: readonly string[]): readonly string[] {
  const keys = addresses.map(normalizeAddress);
  return addresses.filter((_, at) => keys.indexOf(keys[at] ?? '') === at).map((address) => address.trim());
}

/** Only a rough check: the service decides whether the address belongs to a user. */
const ADDRESS_PATTERN = /^[^\s@,;<>()"]+@[^\s@,;<>()"]+\.[^\s@,;<>()".]+$/u;

/** Parses addresses separated by commas, semicolons or whitespace. Undefined if any part isn't an address. */
export function parseAddresses(text: string): readonly string[] | undefined {
  const parts = text
    .split(/[\s,;]+/u)
    .filter((part) => part !== '')
    .map((part) => part.replace(/^<|>$/gu, ''));
  return parts.length > 0 && parts.every((part) => ADDRESS_PATTERN.test(part)) ? uniqueAddresses(parts) : undefined;
}

export function describeNonUsers(addresses: readonly string[]): string {
  const names = formatList(addresses);
  return plural(
    addresses.length,
    t('The service has no user with this address: {1}. Nothing was sent. Subscribe the address to a list first.'),
    t('The service has no users with these addresses: {1}. Nothing was sent. Subscribe them to a list first.'),
    names,
  );
}

/** Number of recipients; `more` if it exceeds the limit of a test; undefined if not counted yet. */
export type ListSize = number | 'more' | undefined;

/** A list offered for tests. */
export interface TestListChoice {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** Why it can't be selected, as a sentence. */
  readonly refusal: string | undefined;
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
    size === 'more'
      ? plural(limit, t('more than {0} recipient'), t('more than {0} recipients'))
      : size === undefined
        ? undefined
        : formatRecipients(size);
  const marks = [
    list.active === 0 && t({ message: 'inactive', comment: 'State of a list' }),
    list.type === 'followup' && t({ message: 'of a follow-up', comment: 'Type of a list' }),
  ];
  const name = toSingleLine(list.name ?? '') || t`List ${list.id}`;
  return {
    id: list.id,
    name,
    description: joinParts([`#${list.id}`, count, isTooLarge && t('too many for a test'), ...marks]),
    refusal: isTooLarge
      ? describeTooLarge(name, limit)
      : size === 0
        ? t`The list "${name}" has no subscribers.`
        : undefined,
  };
}

/** Lower ranks come first. */
function getRank(list: MailingList, size: ListSize, limit: number) {
  const fits = typeof size === 'number' && size > 0 && size <= limit;
  const bySize = fits ? 0 : size === undefined ? 2 : 4;
  const seldom = list.active === 0 || list.type === 'followup' ? 8 : 0;
  return seldom + bySize + (isTestListName(list) ? 0 : 1);
}

/** Thrown for lists that may not receive tests. The message says why. */
export class UnsuitableListError extends Error {}

function describeTooLarge(name: string, limit: number) {
  return plural(
    limit,
    t('The list "{1}" has more than {0} recipient, the maximum for tests (mailing.test.maxRecipients).'),
    t('The list "{1}" has more than {0} recipients, the maximum for tests (mailing.test.maxRecipients).'),
    name,
  );
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
    addresses.push(subscriber.email ?? t`user ${subscriber.id}`);
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
    throw new UnsuitableListError(`${describeTooLarge(list.name, limit)} ${t('Nothing was sent.')}`);
  if (addresses.length === 0)
    throw new UnsuitableListError(
      t`The list "${list.name}" has no subscribers. Nothing was sent: subscribe yourself to it, or choose another list.`,
    );
  return addresses;
}
