import { readId, readRange } from '../query.ts';
import { newList } from '../records.ts';
import type { StoredList } from '../records.ts';
import type { Store } from '../store.ts';
import { formatTime } from '../time.ts';
import type { RouteHandlers } from './route.ts';
import {
  containsIgnoreCase,
  okMessage,
  fail,
  pickColumns,
  readFilter,
  readFlag,
  readNumber,
  ok,
  readText,
} from './route.ts';

const toIdText = (id: number | null): string | null => (id === null ? null : String(id));

const columns = [
  'id',
  'name',
  'display_name',
  'active',
  'visible',
  'clean',
  'color',
  'creation_date',
  'welcome_id',
  'unsubscribe_id',
  'cms_user_id',
  'access',
  'description',
  'tracking',
  'type',
  'translation',
] as const;

function toListRow(list: StoredList, store: Store): object {
  const counts = store.profile.richRecords ? store.members.counts(list.id) : undefined;
  const row = {
    ...list,
    id: String(list.id),
    clean: null,
    creation_date: formatTime(list.created),
    welcome_id: toIdText(list.welcome_id),
    unsubscribe_id: toIdText(list.unsubscribe_id),
    cms_user_id: '42',
    access: '',
    tracking: '1',
    translation: '',
  };
  return {
    ...pickColumns(row, columns),
    ...(counts && {
      subscribers: String(counts.subscribers),
      unsubscribed_users: String(counts.unsubscribed),
      new_sub: String(counts.newSubscribers),
      new_unsub: String(counts.newUnsubscribed),
    }),
  };
}

const listFilters: Readonly<Record<string, (list: StoredList, value: string) => boolean>> = {
  id: ({ id }, value) => String(id) === value,
  name: ({ name }, value) => containsIgnoreCase(name, value),
  active: ({ active }, value) => active === (value === '1' ? '1' : '0'),
};

/** 1 is true; 0 and the documented 2 are false. */
const toFlag = (value: unknown): '0' | '1' => (readFlag(value) === 0 ? '0' : '1');

export const listRoutes: RouteHandlers = {
  getLists: {
    failure: 'Error getting the lists: <detail>',
    run({ query, store }) {
      const filter = readFilter(query, 'filters', listFilters);
      const showsFollowUps = store.profile.richRecords && filter.isEmpty;
      const matches = (list: StoredList): boolean =>
        (showsFollowUps || list.type === 'standard') && filter.matches(list);
      const { offset, limit } = readRange(query, 100, store.profile.limitCap);
      const page = store.lists.page(offset, limit, matches).map((list) => toListRow(list, store));
      return ok(store.profile.wrapped ? [page] : page);
    },
  },
  createList: {
    failure: 'Error creating list.',
    run({ body, store }) {
      const name = readText(body['name'])?.trim();
      if (!name) return fail(422, 'List name missing.');
      const color = readText(body['color']) ?? '#3366ff';
      if (!/^#[0-9a-f]{6}$/i.test(color))
        return { status: 500, body: { message: 'Error creating list.', errors: [`Invalid color: ${color}`] } };
      const id = store.nextId('list');
      store.lists.set({
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
  },
  deleteList: {
    failure: 'Error deleting list.',
    run({ query, store }) {
      const id = readId(query, 'listId');
      if (!id) return fail(422, 'List id not provided in the request body.');
      if (!store.lists.delete(id)) return fail(404, 'List not found.');
      for (const campaign of [...store.campaigns.from()]) {
        if (campaign.listIds.includes(id))
          store.campaigns.set({ ...campaign, listIds: campaign.listIds.filter((listId) => listId !== id) });
      }
      return okMessage('List deleted.');
    },
  },
};
