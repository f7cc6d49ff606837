import type { MailingList } from '../api/index.ts';
import { isApiError } from '../api/errors.ts';
import { formatAmount } from '../workbench/format.ts';
import { confirm, showInfo, showWarning } from '../workbench/messages.ts';
import { withProgress } from '../workbench/progress.ts';
import type { RecordRef } from '../workbench/record.ts';
import { errorText, isCancelled } from '../workbench/words.ts';
import { collection, readList, type Lists } from './lists.ts';
import { nameOf } from './looks.ts';
import { countMembers } from './subscribers/reading.ts';

/** Deletes a list after a modal that names it and the number of its subscribers. Undefined where the user cancels, and where it is not known whether it is gone. */
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
  try {
    await connections.run(connection, (client) => client.deleteList(id));
  } catch (error) {
    if (!isApiError(error) || error.outcome !== 'unknown') throw error;
    if (!(await isGone(lists, ref))) {
      lists.changed(connection);
      void showWarning(`It is not known whether the list "${name}" was deleted: ${errorText(error)} Nothing was repeated. Look at the lists before you delete it again.`);
      return undefined;
    }
    void showInfo(`The answer was lost, but the list "${name}" was deleted.`);
  }
  lists.changed(connection);
  return { connection, id };
}

/** Whether the service says that there is no such list; false where it can't be asked. */
async function isGone({ rooms }: Lists, { connection, id }: RecordRef): Promise<boolean> {
  const found = await rooms.connections.run(connection, (client) => readList(client, id)).catch((error: unknown) => (isApiError(error) ? error : undefined));
  return isMissing(found);
}

function isMissing(found: MailingList | Error | undefined): boolean {
  return isApiError(found) && found.kind === 'notFound';
}
