import type { MailingClient, Subscriber } from '../../../../service/client/index.ts';

/** Whom a list knows: who is subscribed, and who no longer is. */
export type Membership = 'subscribed' | 'unsubscribed';

interface MembershipDefinition {
  /** Of one of them, and of several. */
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

/** The fields that the API document gives to subscribers, in the order of their columns. */
export const subscriberFields = ['email', 'name', 'status', 'subscription_date', 'confirmed', 'id'] as const;

export function isMembership(value: unknown): value is Membership {
  return typeof value === 'string' && Object.hasOwn(memberships, value);
}
