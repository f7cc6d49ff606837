import type { MailingClient, Subscriber } from '../../service/client/index.ts';
import type { FetchPage } from '../../service/client/paginate.ts';
import { localized, t } from '../../l10n.ts';
import { createValueFormatter, formatYesNo, type ColumnDefinition } from '../../ui/page/table/columns.ts';

/** Operations that read the current and former subscribers of a list. */
const operations = { subscribed: 'getSubscribersFromLists', unsubscribed: 'getUnsubscribedUsersFromLists' } as const;

export type Membership = keyof typeof operations;

export const membershipNames = Object.keys(operations) as readonly Membership[];

/** Texts of the tables of current and former subscribers. */
export const membershipTexts = localized(() => ({
  subscribed: {
    label: t({ message: 'Subscribed', comment: 'Subscribers of a list, tab title' }),
    empty: t('No subscribers.'),
  },
  unsubscribed: {
    label: t({ message: 'Unsubscribed', comment: 'Former subscribers of a list, tab title' }),
    empty: t('No unsubscribed users.'),
  },
}));

/** Returns a reader of the members of lists. */
export const createMemberReader =
  (client: MailingClient, membership: Membership, listIds: readonly number[]): FetchPage<Subscriber> =>
  (page, options) =>
    client[operations[membership]](listIds, page, options);

/** The documented fields of subscribers. Other fields get columns automatically. */
export const subscriberColumns = localized((): readonly ColumnDefinition[] => [
  { key: 'email', label: t('Email') },
  { key: 'name', label: t('Name') },
  {
    key: 'status',
    label: t('Status'),
    show: createValueFormatter(() => ({
      1: t({ message: 'Subscribed', comment: 'Status of a user' }),
      0: t({ message: 'Unsubscribed', comment: 'Status of a user' }),
    })),
  },
  { key: 'subscription_date', label: t('Subscribed on') },
  {
    key: 'confirmed',
    label: t({ message: 'Confirmed', comment: 'Whether a user has confirmed the subscription' }),
    show: formatYesNo,
  },
  { key: 'id', label: t('ID'), numeric: true },
]);

/** View type of the panels. Used in `when` clauses: `activeWebviewPanelId == 'mailing.subscribers'`. */
export const SUBSCRIBERS_VIEW_TYPE = 'mailing.subscribers';
