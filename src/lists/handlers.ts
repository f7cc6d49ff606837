import type { RecordRef } from '../workbench/record.ts';
import type { Lists, ListsRef } from './lists.ts';
import { deleteList } from './remove.ts';
import type { SubscriberPanels } from './subscribers/panels.ts';

export { createList } from './create.ts';
export { exportSubscribers } from './exportSubscribers.ts';

/** Deletes a list after a question, and closes the panel that shows it alone. */
export async function removeList(lists: Lists, panels: SubscriberPanels, argument: unknown): Promise<RecordRef | undefined> {
  const deleted = await deleteList(lists, argument);
  if (deleted) panels.gone(deleted);
  return deleted;
}

/** Shows a list with its subscribers, or several together: the argument is a list's node or `{ connection, id | ids }`. */
export async function showSubscribers(lists: Lists, panels: SubscriberPanels, argument: unknown): Promise<ListsRef | undefined> {
  const ref = await lists.choose(argument, 'Show Subscribers');
  if (ref !== undefined) panels.show({ connection: ref.connection, listIds: ref.ids });
  return ref;
}
