import type { Rooms } from '../rooms.ts';
import { Lists, type ListsRef } from '../lists/lists.ts';
import type { Handle } from '../ui/commands.ts';
import { Changes } from './run/changes.ts';
import { exportSubscribers } from './subscribers/host/export.ts';
import type { SubscriberPanels } from './subscribers/host/panels.ts';
import { UserSubscriptions } from './user/host/users.ts';

/** What each command does. */
export type Handlers = Readonly<
  Record<'showSubscribers' | 'exportSubscribers' | 'subscribe' | 'unsubscribe' | 'continueSubscriptions' | 'showSubscriptions', Handle>
>;

export function handlersOf(rooms: Rooms, panels: SubscriberPanels): Handlers {
  const lists = new Lists(rooms);
  const changes = new Changes(lists);
  const users = new UserSubscriptions(changes);
  rooms.context.subscriptions.push(users);
  return {
    showSubscribers: (argument) => showSubscribers(lists, panels, argument),
    exportSubscribers: (argument) => exportSubscribers(lists, argument),
    subscribe: (argument) => changes.change('subscribe', argument),
    unsubscribe: (argument) => changes.change('unsubscribe', argument),
    continueSubscriptions: (argument) => changes.resume(argument),
    showSubscriptions: (argument) => users.show(argument),
  };
}

/** Shows a list with its subscribers, or several together: the argument is a list's node or `{ connection, id | ids }`. */
async function showSubscribers(lists: Lists, panels: SubscriberPanels, argument: unknown): Promise<ListsRef | undefined> {
  const ref = await lists.choose(argument, 'Show Subscribers');
  if (ref !== undefined) panels.show({ connection: ref.connection, listIds: ref.ids });
  return ref;
}
