import type { MailingClient, Subscriber } from '../../../../service/client/index.ts';

/** Current or former subscribers of a list. */
export type Membership = 'subscribed' | 'unsubscribed';

interface MembershipDefinition {
  /** Singular and plural of the members. */
  readonly noun: string;
  readonly nouns: string;
  fetch(
    client: MailingClient,
    listIds: readonly number[],
    page: { readonly offset: number; readonly limit: number },
    options: { readonly signal?: AbortSignal | undefined },
  ): Promise<Subscriber[]>;
}

export const memberships: { readonly [Name in Membership]: MembershipDefinition } = {
  subscribed: {
    noun: 'subscriber',
    nouns: 'subscribers',
    fetch: (client, listIds, page, options) => client.getSubscribersFromLists(listIds, page, options),
  },
  unsubscribed: {
    noun: 'unsubscribed user',
    nouns: 'unsubscribed users',
    fetch: (client, listIds, page, options) => client.getUnsubscribedUsersFromLists(listIds, page, options),
  },
};

/** The documented fields of subscribers, in column order. */
export const subscriberFields = ['email', 'name', 'status', 'subscription_date', 'confirmed', 'id'] as const;

export function isMembership(value: unknown): value is Membership {
  return typeof value === 'string' && Object.hasOwn(memberships, value);
}
