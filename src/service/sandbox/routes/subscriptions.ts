import { isConfirmed } from '../data/people.ts';
import { readId, readIds, readRange } from '../query.ts';
import type { Member } from '../members.ts';
import type { StoredList } from '../records.ts';
import type { Store } from '../store.ts';
import { DAY, formatTime } from '../time.ts';
import type { RouteResult, RouteContext, RouteHandlers } from './route.ts';
import { fail, readFlag, readIdList, ok } from './route.ts';

const formatTimeOrNull = (time: number | null): string | null => (time === null ? null : formatTime(time));

function toSubscriberRow({ userId, status, subscribed, unsubscribed }: Member, store: Store): object {
  const { email, name, language, source } = store.people.get(userId);
  return {
    email,
    name,
    id: String(userId),
    confirmed: isConfirmed(userId) ? '1' : '0',
    status: String(status),
    subscription_date: formatTime(subscribed),
    ...(store.profile.richRecords && {
      creation_date: formatTime(subscribed - DAY),
      active: '1',
      source,
      language,
      unsubscribe_date: formatTimeOrNull(unsubscribed),
      cms_id: '0',
      key: null,
    }),
  };
}

function toSubscriptionRow(userId: number, list: StoredList, store: Store): object | undefined {
  const membership = store.members.get(userId, list.id);
  if (!membership) return undefined;
  const { id, name, display_name, color, active, visible, description } = list;
  return {
    id: String(id),
    translation: '',
    name,
    display_name,
    color,
    active,
    visible,
    description,
    status: String(membership.status),
    subscription_date: formatTime(membership.subscribed),
    unsubscribe_date: formatTimeOrNull(membership.unsubscribed),
  };
}

function getMembers({ query, store }: RouteContext, status: 0 | 1): RouteResult {
  const listIds = readIds(query, 'listIds');
  if (listIds.length === 0) return fail(422, 'List IDs not provided in the query parameters.');
  const range = readRange(query, 100, store.profile.limitCap);
  const page = store.members
    .page(
      listIds.filter((id) => store.lists.get(id)),
      status,
      range,
    )
    .map((member) => toSubscriberRow(member, store));
  return ok(store.profile.wrapped ? [page] : page);
}

interface ChangeRequest {
  readonly status: 0 | 1;
  readonly message: string;
  /** Body field that controls whether the list's mail is sent. */
  readonly mailSwitch: string;
  readonly mailOf: (list: StoredList) => number | null;
  readonly trigger?: string;
}

const subscribing: ChangeRequest = {
  status: 1,
  message: 'Users subscribed.',
  mailSwitch: 'sendWelcomeEmail',
  mailOf: ({ welcome_id }) => welcome_id,
  trigger: 'user_subscribe',
};
const unsubscribing: ChangeRequest = {
  status: 0,
  message: 'Users unsubscribed.',
  mailSwitch: 'sendUnsubscribeEmail',
  mailOf: ({ unsubscribe_id }) => unsubscribe_id,
};

/** Subscribes or unsubscribes existing users; `errors` lists the unknown ones. */
function changeSubscriptions(call: RouteContext, change: ChangeRequest): RouteResult {
  const { body, store } = call;
  const emails = Array.isArray(body['emails'])
    ? body['emails'].filter((email: unknown) => typeof email === 'string')
    : [];
  const listIds = readIdList(body['listIds']) ?? [];
  if (emails.length === 0) return fail(422, 'Emails not provided in the request body.');
  if (listIds.length === 0) return fail(422, 'List IDs not provided in the request body.');
  const found = emails.map((email) => [email, store.people.find(email)] as const);
  const users = new Set(found.flatMap(([, id]) => id ?? []));
  if (users.size === 0) return fail(404, 'No users found.');
  for (const listId of listIds) {
    const list = store.lists.get(listId);
    if (list) for (const userId of users) changeSubscription(call, change, userId, list);
  }
  const unknownEmails = found.filter(([, id]) => id === undefined).map(([email]) => email);
  const unknownLists = listIds.filter((id) => !store.lists.get(id));
  const errors = [
    ...(unknownEmails.length > 0 ? [`User not found: ${unknownEmails.join(', ')}`] : []),
    ...unknownLists.map((id) => `List not found: ${id}`),
  ].join(', ');
  return ok({ message: change.message, ...(errors && { errors }) });
}

function changeSubscription(
  { body, store, mailer }: RouteContext,
  { status, mailSwitch, mailOf, trigger }: ChangeRequest,
  userId: number,
  list: StoredList,
): void {
  const now = store.now();
  const before = store.members.get(userId, list.id);
  if (before?.status === status || (status === 0 && !before)) return;
  store.members.set(
    userId,
    list.id,
    status === 1
      ? { status, subscribed: now, unsubscribed: null }
      : { status, subscribed: before?.subscribed ?? now, unsubscribed: now },
  );
  if (readFlag(body[mailSwitch]) !== 0) mailer.deliver(mailOf(list), userId, [list.id]);
  if (trigger && readFlag(body['trigger']) !== 0) mailer.trigger(trigger, userId, list.id);
}

export const subscriptionRoutes: RouteHandlers = {
  getUserSubscriptionById: {
    failure: 'Error getting the subscriptions: <detail>',
    run({ query, store }) {
      const userId = readId(query, 'userId');
      if (!userId) return fail(422, 'User ID not provided in the query parameters.');
      const entries = [...store.lists.from()].flatMap((list) => {
        const entry =
          list.type === 'standard' || store.profile.richRecords ? toSubscriptionRow(userId, list, store) : undefined;
        return entry ? [[String(list.id), entry] as const] : [];
      });
      return ok(store.profile.wrapped ? [Object.fromEntries(entries)] : entries.map(([, entry]) => entry));
    },
  },
  getSubscribersFromLists: {
    failure: 'Error getting the subscribers: <detail>',
    run: (call) => getMembers(call, 1),
  },
  getUnsubscribedUsersFromLists: {
    failure: 'Error getting the unsubscribed users: <detail>',
    run: (call) => getMembers(call, 0),
  },
  subscribeUsers: {
    failure: 'Error subscribing the users: <detail>',
    run: (call) => changeSubscriptions(call, subscribing),
  },
  unsubscribeUsers: {
    failure: 'Error unsubscribing the users: <detail>',
    run: (call) => changeSubscriptions(call, unsubscribing),
  },
};
