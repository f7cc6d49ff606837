import type { MailingList } from '../../../service/client/index.ts';
import { joinParts } from '../../ui/format.ts';
import { toSingleLine } from '../../ui/text.ts';
import { describeTooLarge } from './listRecipients.ts';
import { formatRecipients } from './model.ts';

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
    refusal: isTooLarge ? describeTooLarge(limit) : size === 0 ? 'has nobody on it' : undefined,
  };
}

/** Lower ranks come first. */
function getRank(list: MailingList, size: ListSize, limit: number): number {
  const fits = typeof size === 'number' && size > 0 && size <= limit;
  const bySize = fits ? 0 : size === undefined ? 2 : 4;
  const seldom = list.active === 0 || list.type === 'followup' ? 8 : 0;
  return seldom + bySize + (isTestListName(list) ? 0 : 1);
}
