import type { Rooms } from '../rooms.ts';
import type { Exported } from '../ui/export/run.ts';
import type { RecordRef } from '../connections/record.ts';
import { createList } from './create.ts';
import { exportSubscribers } from '../subscriptions/subscribers/host/export.ts';
import { Lists, type ListsRef } from './lists.ts';
import { deleteList } from './remove.ts';
import type { SubscriberPanels } from '../subscriptions/subscribers/host/panels.ts';

/** What each command does. */
export interface Handlers {
  create(argument: unknown): Promise<RecordRef | undefined>;
  delete(argument: unknown): Promise<RecordRef | undefined>;
  showSubscribers(argument: unknown): Promise<ListsRef | undefined>;
  exportSubscribers(argument: unknown): Promise<Exported | undefined>;
}

export function handlersOf(rooms: Rooms, panels: SubscriberPanels): Handlers {
  const lists = new Lists(rooms);
  return {
    create: (argument) => createList(lists, argument),
    delete: (argument) => removeList(lists, panels, argument),
    showSubscribers: (argument) => showSubscribers(lists, panels, argument),
    exportSubscribers: (argument) => exportSubscribers(lists, argument),
  };
}

/** Deletes a list after a question, and closes the panel that shows it alone. */
async function removeList(lists: Lists, panels: SubscriberPanels, argument: unknown): Promise<RecordRef | undefined> {
  const deleted = await deleteList(lists, argument);
  if (deleted) panels.gone(deleted);
  return deleted;
}

/** Shows a list with its subscribers, or several together: the argument is a list's node or `{ connection, id | ids }`. */
async function showSubscribers(lists: Lists, panels: SubscriberPanels, argument: unknown): Promise<ListsRef | undefined> {
  const ref = await lists.choose(argument, 'Show Subscribers');
  if (ref !== undefined) panels.show({ connection: ref.connection, listIds: ref.ids });
  return ref;
}
