import { deleteOnce, isMissing } from '../sending/deleteOnce.ts';
import { formatAmount } from '../ui/format.ts';
import { confirm } from '../ui/messages.ts';
import { withProgress } from '../ui/progress.ts';
import type { RecordRef } from '../connections/record.ts';
import { errorText, isCancelled } from '../ui/words.ts';
import { collection, readList, type Lists } from './lists.ts';
import { nameOf } from './looks.ts';
import { countMembers } from '../subscriptions/subscribers/host/reading.ts';

/**
 * Deletes a list after a modal that names it and the number of its subscribers. Undefined where the user cancels, and where it is not known
 * whether it is gone.
 */
export async function deleteList(lists: Lists, argument: unknown): Promise<RecordRef | undefined> {
  const ref = await lists.chooseOne(argument ?? lists.rooms.explorer.selectedRecord(collection), 'Delete List');
  if (ref === undefined) return undefined;
  const { connection, id } = ref;
  const { connections } = lists.rooms;
  const { list, subscribers } = await withProgress('Counting the subscribers', (signal) => connections.run(connection, async (client) => {
    const found = await readList(client, id, signal);
    const count = await countMembers(client, { listIds: [id], membership: 'subscribed' }, [found], signal).catch((error: unknown) => {
      if (isCancelled(error)) throw error;
      return errorText(error);
    });
    return { list: found, subscribers: count };
  }));
  const name = nameOf(list);
  const agreed = await confirm(
    `Delete the list "${name}"${typeof subscribers === 'number' ? ` with ${formatAmount(subscribers, 'subscriber')}` : ''} on ${lists.service(connection)}?`,
    [
      ...(typeof subscribers === 'number' ? [] : [`How many subscribers it has is not known: ${subscribers}`]),
      'Who is subscribed to it, and who was, is lost with it: export that first where it may be needed.',
      'Campaigns that go to it go to one list less.',
      'This can’t be undone: the service keeps no copy.',
    ],
    'Delete',
  );
  if (!agreed) return undefined;
  const isGone = await deleteOnce(
    { what: `the list "${name}"`, place: 'the lists' },
    () => connections.run(connection, (client) => client.deleteList(id)),
    () => isMissing(() => connections.run(connection, (client) => readList(client, id))),
  );
  if (!isGone) {
    lists.changed(connection);
    return undefined;
  }
  lists.rooms.explorer.removed({ connection, collection, id });
  return { connection, id };
}
