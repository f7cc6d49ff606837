import { changeOnce, isMissing } from '../sending/changeOnce.ts';
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
  const removed = (): void => lists.rooms.explorer.removed({ connection, collection, id });
  const isGone = await changeOnce({
    what: `the list "${name}" was deleted`,
    again: 'delete it again',
    place: 'the lists',
    look: async (signal) => {
      lists.changed(connection);
      return (await isMissing(() => connections.run(connection, (client) => readList(client, id, signal, { anew: true })))) || undefined;
    },
    found: removed,
  }, async () => (await connections.run(connection, (client) => client.deleteList(id)), true));
  if (isGone === undefined) {
    lists.changed(connection);
    return undefined;
  }
  removed();
  return { connection, id };
}
