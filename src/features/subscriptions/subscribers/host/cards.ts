import type { MailingList } from '../../../../service/client/index.ts';
import type { ListCard } from '../protocol.ts';
import { formatCount, formatDateTime, joinParts } from '../../../../platform/ui/format.ts';
import { plain } from '../../../../platform/ui/text.ts';
import { colorOf, marksOf, nameOf } from '../../../lists/model.ts';

/** Longest value of a detail, in characters. */
const valueLength = 300;
/** More fields than these are nobody's to read. */
const mostDetails = 60;

type Show = (value: unknown, list: MailingList) => string | undefined;

const count: Show = (value) => (typeof value === 'number' ? formatCount(value) : undefined);
const mail: Show = (value) => (typeof value === 'number' && value > 0 ? `mail ${value}` : 'none');
const yesNo: Show = (value) => (value === 1 ? 'yes' : value === 0 ? 'no' : undefined);

/** The fields of a list that have a name and a form of their own. Others are shown as they are. */
const fields: Readonly<Record<string, readonly [label: string, show?: Show]>> = {
  id: ['ID'],
  name: ['Name'],
  display_name: ['Shown as'],
  description: ['Description'],
  active: ['Active', yesNo],
  visible: ['Visible on subscription forms', yesNo],
  color: ['Colour'],
  type: ['Type'],
  creation_date: ['Created', (value) => (typeof value === 'string' ? formatDateTime(value) : undefined)],
  welcome_id: ['Welcome mail', mail],
  unsubscribe_id: ['Unsubscribe mail', mail],
  tracking: ['Tracking', yesNo],
  subscribers: ['Subscribers', count],
  unsubscribed_users: ['Unsubscribed users', count],
  new_sub: ['New subscribers', count],
  new_unsub: ['New unsubscribed users', count],
};

/** A list as the header of the subscribers shows it, with every field that has a value. */
export function cardOf(list: MailingList): ListCard {
  const own = Object.keys(fields).filter((name) => Object.hasOwn(list, name));
  const others = Object.keys(list).filter((name) => !Object.hasOwn(fields, name));
  const details = [...own, ...others].slice(0, mostDetails).flatMap((name): (readonly [string, string])[] => {
    const value = list[name];
    const [label, show] = (Object.hasOwn(fields, name) ? fields[name] : undefined) ?? [readable(name)];
    const text = show?.(value, list) ?? valueText(value);
    return text === '' ? [] : [[plain(label, 60), plain(text, valueLength)]];
  });
  return {
    id: list.id,
    name: nameOf(list),
    color: colorOf(list),
    marks: marksOf(list),
    details,
  };
}

/** What a tab says of its lists. */
export function titleOf(lists: readonly MailingList[]): string {
  const [first, ...others] = lists.map(nameOf);
  return joinParts([first]) + (others.length === 0 ? '' : ` and ${others.length} more`);
}

function valueText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** "cms_user_id" → "Cms user id" */
function readable(name: string): string {
  const words = name.replace(/_+/gu, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
