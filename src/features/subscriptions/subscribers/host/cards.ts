import { humanizeFieldName, stringifyFieldValue } from '../../../../email/compose/fieldText.ts';
import type { MailingList } from '../../../../service/client/index.ts';
import type { ListCard } from '../protocol.ts';
import { formatCount, formatServiceDateTime } from '../../../../platform/ui/format.ts';
import { toSingleLine } from '../../../../platform/ui/text.ts';
import { getListColor, getListMarks, getListName } from '../../../lists/model.ts';

/** In characters. */
const MAX_DETAIL_LENGTH = 300;
const MAX_DETAILS = 60;

type FormatValue = (value: MailingList[string]) => string | undefined;

const formatMemberCount: FormatValue = (value) => (typeof value === 'number' ? formatCount(value) : undefined);
const formatMailId: FormatValue = (value) => (typeof value === 'number' && value > 0 ? `mail ${value}` : 'none');
const formatFlag: FormatValue = (value) => (value === 1 ? 'yes' : value === 0 ? 'no' : undefined);

/** Labels and formats of recognized list fields. Other fields are shown unformatted. */
const listFields: ReadonlyMap<string, readonly [label: string, show?: FormatValue]> = new Map(
  Object.entries({
    id: ['ID'],
    name: ['Name'],
    display_name: ['Shown as'],
    description: ['Description'],
    active: ['Active', formatFlag],
    visible: ['Visible on subscription forms', formatFlag],
    color: ['Color'],
    type: ['Type'],
    creation_date: ['Created', (value) => (typeof value === 'string' ? formatServiceDateTime(value) : undefined)],
    welcome_id: ['Welcome mail', formatMailId],
    unsubscribe_id: ['Unsubscribe mail', formatMailId],
    tracking: ['Tracking', formatFlag],
    subscribers: ['Subscribers', formatMemberCount],
    unsubscribed_users: ['Unsubscribed users', formatMemberCount],
    new_sub: ['New subscribers', formatMemberCount],
    new_unsub: ['New unsubscribed users', formatMemberCount],
  }),
);

/** Creates the card of a list for the page's header, with all fields that have a value. */
export function createListCard(list: MailingList): ListCard {
  const names = [...new Set([...listFields.keys(), ...Object.keys(list)])].filter((name) => Object.hasOwn(list, name));
  const details = names.slice(0, MAX_DETAILS).flatMap((name): (readonly [string, string])[] => {
    const value = list[name];
    const [label, show] = listFields.get(name) ?? [humanizeFieldName(name)];
    const text = show?.(value) ?? stringifyFieldValue(value);
    return text === '' ? [] : [[toSingleLine(label, 60), toSingleLine(text, MAX_DETAIL_LENGTH)]];
  });
  return {
    id: list.id,
    name: getListName(list),
    color: getListColor(list),
    marks: getListMarks(list),
    details,
  };
}

/** Returns the title of a panel. */
export function formatListsTitle(lists: readonly MailingList[]): string {
  const [first = '', ...others] = lists.map(getListName);
  return `${first}${others.length === 0 ? '' : ` and ${others.length} more`}`;
}
