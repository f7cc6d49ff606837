import { stringifyFieldValue } from '../../email/compose/fieldText.ts';
import type { MailingClient, Subscriber } from '../../service/client/index.ts';
import type { Page } from '../../service/client/paginate.ts';
import type { ColumnDefinition } from '../../platform/webview/table/columns.ts';

/** Current and former subscribers of a list. */
export const memberships = {
  subscribed: {
    label: 'Subscribed',
    noun: 'subscriber',
    nouns: 'subscribers',
    empty: 'No subscribers.',
    operation: 'getSubscribersFromLists',
  },
  unsubscribed: {
    label: 'Unsubscribed',
    noun: 'unsubscribed user',
    nouns: 'unsubscribed users',
    empty: 'No unsubscribed users.',
    operation: 'getUnsubscribedUsersFromLists',
  },
} as const;

export type Membership = keyof typeof memberships;

export const membershipNames = Object.keys(memberships) as readonly Membership[];

/** Returns a reader of the members of lists. */
export const createMemberReader =
  (client: MailingClient, membership: Membership, listIds: readonly number[]) =>
  (page: Page, options: { readonly signal?: AbortSignal | undefined }): Promise<readonly Subscriber[]> =>
    client[memberships[membership].operation](listIds, page, options);

const createValueFormatter =
  (names: Readonly<Record<string, string>>): ColumnDefinition['show'] =>
  (value) => {
    const text = stringifyFieldValue(value);
    return (Object.hasOwn(names, text) ? names[text] : undefined) ?? text;
  };

/** The documented fields of subscribers. Other fields get columns automatically. */
export const subscriberColumns: readonly ColumnDefinition[] = [
  { key: 'email', label: 'Email' },
  { key: 'name', label: 'Name' },
  { key: 'status', label: 'Status', show: createValueFormatter({ 1: 'Subscribed', 0: 'Unsubscribed' }) },
  { key: 'subscription_date', label: 'Subscribed' },
  { key: 'confirmed', label: 'Confirmed', show: createValueFormatter({ 1: 'Yes', 0: 'No' }) },
  { key: 'id', label: 'ID', numeric: true },
];

export const subscriberFields = subscriberColumns.map(({ key }) => key);

/** View type of the panels. Used in `when` clauses: `activeWebviewPanelId == 'mailing.subscribers'`. */
export const SUBSCRIBERS_VIEW_TYPE = 'mailing.subscribers';
