import { isConfirmed } from '../people.ts';
import { DAY, formatTime, newList, type StoredList } from '../records.ts';
import type { Member } from '../members.ts';
import type { Store } from '../store.ts';
import {
  okMessage,
  fail,
  matchesFilters,
  readFilters,
  readFlag,
  readId,
  readIdList,
  readIds,
  readNumber,
  readPageRange,
  ok,
  readText,
  Refusal,
  type RouteContext,
  type Routes,
} from './route.ts';

const toIdText = (id: number | null) => (id === null ? null : String(id));
const formatTimeOrNull = (time: number | null) => (time === null ? null : formatTime(time));

function toListRow(list: StoredList, { profile, hasExtras, members }: Store) {
  const { created, ...columns } = list;
  const [subscribed, unsubscribed] =
    profile.isInstallation || hasExtras ? [members.count(list.id, 1), members.count(list.id, 0)] : [];
  return {
    ...columns,
    id: String(list.id),
    clean: null,
    creation_date: formatTime(created),
    welcome_id: toIdText(list.welcome_id),
    unsubscribe_id: toIdText(list.unsubscribe_id),
    cms_user_id: '42',
    access: '',
    tracking: '1',
    translation: '',
    ...(subscribed &&
      unsubscribed && {
        subscribers: String(subscribed.total),
        unsubscribed_users: String(unsubscribed.total),
        new_sub: String(subscribed.recent),
        new_unsub: String(unsubscribed.recent),
      }),
  };
}

const filterColumns: ReadonlySet<string> = new Set(['id', 'name', 'active']);

/** 1 is true; 0 and the documented 2 are false. */
const toFlag = (value: unknown) => (readFlag(value) === 0 ? '0' : '1');

function toSubscriberRow({ userId, status, subscribed, unsubscribed }: Member, { people, profile }: Store) {
  const { email, name, language, source } = people.get(userId);
  return {
    email,
    name,
    id: String(userId),
    confirmed: isConfirmed(userId) ? '1' : '0',
    status: String(status),
    subscription_date: formatTime(subscribed),
    ...(profile.isInstallation && {
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

function getMembers(call: RouteContext, status: 0 | 1) {
  const { query, store } = call;
  const listIds = readIds(query, 'listIds');
  if (listIds.length === 0) fail(422, 'List IDs not provided in the query parameters.');
  const existingIds = listIds.filter((id) => store.lists.has(id));
  const members = store.members.page(existingIds, status, ...readPageRange(call));
  const page = members.map((member) => toSubscriberRow(member, store));
  return ok(store.profile.isInstallation ? page : [page]);
}

/** Subscribes or unsubscribes existing users; `errors` lists the unknown ones. */
function changeSubscriptions({ body, store, mailer }: RouteContext, status: 0 | 1) {
  const given: readonly unknown[] = Array.isArray(body['emails']) ? body['emails'] : [];
  const emails = given.filter((email) => typeof email === 'string');
  const listIds = readIdList(body['listIds']) ?? [];
  if (emails.length === 0) fail(422, 'Emails not provided in the request body.');
  if (listIds.length === 0) fail(422, 'List IDs not provided in the request body.');
  const users = new Set(emails.flatMap((email) => store.people.find(email) ?? []));
  if (users.size === 0) fail(404, 'No users found.');
  const now = store.now();
  const change = (userId: number, list: StoredList) => {
    const before = store.members.get(userId, list.id);
    if ((before?.status ?? 0) === status) return;
    const dates = status ? { subscribed: now, unsubscribed: null } : { subscribed: now, ...before, unsubscribed: now };
    store.members.set(userId, list.id, { ...dates, status });
    if (readFlag(body[status ? 'sendWelcomeEmail' : 'sendUnsubscribeEmail']) !== 0)
      mailer.deliver(status ? list.welcome_id : list.unsubscribe_id, userId, [list.id]);
    if (status && readFlag(body['trigger']) !== 0) mailer.trigger('user_subscribe', userId, list.id);
  };
  for (const list of listIds.flatMap((listId) => store.lists.get(listId) ?? []))
    for (const userId of users) change(userId, list);
  const unknownEmails = emails.filter((email) => store.people.find(email) === undefined);
  const errors = [
    ...(unknownEmails.length > 0 ? [`User not found: ${unknownEmails.join(', ')}`] : []),
    ...listIds.filter((id) => !store.lists.has(id)).map((id) => `List not found: ${id}`),
  ].join(', ');
  return ok({ message: `Users ${status ? '' : 'un'}subscribed.`, ...(errors && { errors }) });
}

export const listRoutes: Routes = {
  getLists(call) {
    const { query, store } = call;
    const filters = readFilters(query, 'filters').filter(([column]) => filterColumns.has(column));
    const showsFollowUps = store.profile.isInstallation && filters.length === 0;
    const matches = (list: StoredList) => (showsFollowUps || list.type === 'standard') && matchesFilters(list, filters);
    const page = store.lists.page(...readPageRange(call), matches).map((list) => toListRow(list, store));
    return ok(store.profile.isInstallation ? page : [page]);
  },
  createList({ body, store }) {
    const name = readText(body['name'])?.trim() || fail(422, 'List name missing.');
    const color = readText(body['color']) ?? '#3366ff';
    if (!/^#[0-9a-f]{6}$/i.test(color))
      throw new Refusal(500, { message: 'Error creating list.', errors: [`Invalid color: ${color}`] });
    const id = store.nextId('list');
    store.lists.put({
      ...newList,
      id,
      name,
      color,
      active: toFlag(body['active']),
      visible: toFlag(body['visible']),
      type: 'standard',
      created: store.now(),
      welcome_id: readNumber(body['welcomeId']) ?? null,
      unsubscribe_id: readNumber(body['unsubscribeId']) ?? null,
    });
    return ok({ listId: id }, 201);
  },
  deleteList({ query, store }) {
    const id = readId(query, 'listId') ?? fail(422, 'List id not provided in the request body.');
    if (!store.lists.delete(id)) fail(404, 'List not found.');
    for (const campaign of store.campaigns.all())
      store.campaigns.put({ ...campaign, listIds: campaign.listIds.filter((listId) => listId !== id) });
    return okMessage('List deleted.');
  },

  getUserSubscriptionById({ query, store }) {
    const userId = readId(query, 'userId') ?? fail(422, 'User ID not provided in the query parameters.');
    const { isInstallation } = store.profile;
    const rows = store.lists.all().flatMap((list) => {
      const membership = store.members.get(userId, list.id);
      if (!membership || !(isInstallation || list.type === 'standard')) return [];
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
    });
    return ok(isInstallation ? rows : [Object.fromEntries(rows.map((row) => [row.id, row]))]);
  },
  getSubscribersFromLists: (call) => getMembers(call, 1),
  getUnsubscribedUsersFromLists: (call) => getMembers(call, 0),
  subscribeUsers: (call) => changeSubscriptions(call, 1),
  unsubscribeUsers: (call) => changeSubscriptions(call, 0),
};
