import { humanizeFieldName, stringifyFieldValue } from '../../../email/compose/fieldText.ts';
import type { MailingList } from '../../../service/client/index.ts';
import { formatNumber, localized, t } from '../../../l10n.ts';
import type { ListCard } from './protocol.ts';
import { formatServiceDateTime } from '../../../service/format.ts';
import { toSingleLine } from '../../../service/text.ts';
import { getListColor, getListMarks, getListName } from '../../lists/model.ts';

/** In characters. */
const MAX_DETAIL_LENGTH = 300;
const MAX_DETAILS = 60;

type FormatValue = (value: MailingList[string]) => string | undefined;

const formatMemberCount: FormatValue = (value) => (typeof value === 'number' ? formatNumber(value) : undefined);
const formatMailId: FormatValue = (value) =>
  typeof value === 'number' && value > 0
    ? t({ message: 'email {0}', args: [value], comment: '{0} is the ID of an email' })
    : t({ message: 'none', comment: 'No email' });
const formatFlag: FormatValue = (value) => (value === 1 ? t('yes') : value === 0 ? t('no') : undefined);

/** Labels and formats of recognized list fields. Other fields are shown unformatted. */
const listFields = localized(
  (): ReadonlyMap<string, readonly [label: string, show?: FormatValue]> =>
    new Map(
      Object.entries({
        id: [t('ID')],
        name: [t('Name')],
        display_name: [t('Display name')],
        description: [t('Description')],
        active: [t({ message: 'Active', comment: 'State of a list' }), formatFlag],
        visible: [t('Visible on subscription forms'), formatFlag],
        color: [t('Color')],
        type: [t('Type')],
        creation_date: [
          t('Created'),
          (value) => (typeof value === 'string' ? formatServiceDateTime(value) : undefined),
        ],
        welcome_id: [t('Welcome email'), formatMailId],
        unsubscribe_id: [t('Unsubscribe email'), formatMailId],
        tracking: [t('Tracking'), formatFlag],
        subscribers: [t('Subscribers'), formatMemberCount],
        unsubscribed_users: [t('Unsubscribed users'), formatMemberCount],
        new_sub: [t('New subscribers'), formatMemberCount],
        new_unsub: [t('New unsubscribed users'), formatMemberCount],
      }),
    ),
);

/** Creates the card of a list for the page's header, with all fields that have a value. */
export function createListCard(list: MailingList): ListCard {
  const names = [...new Set([...listFields().keys(), ...Object.keys(list)])].filter((name) =>
    Object.hasOwn(list, name),
  );
  const details = names.slice(0, MAX_DETAILS).flatMap((name): (readonly [string, string])[] => {
    const value = list[name];
    const [label, show] = listFields().get(name) ?? [humanizeFieldName(name)];
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
  return others.length === 0 ? first : t`${first} and ${formatNumber(others.length)} more`;
}
