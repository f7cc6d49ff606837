import type { RecordOperations } from '../../platform/records/model.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { runCommand, type CommandArgument } from '../../platform/ui/commands.ts';
import { createList } from './create.ts';
import { listPicking, collection, countMembers, getListName, readList } from './model.ts';
import type { RecordRef } from '../../platform/connections/model.ts';
import { changeOnce, isMissing } from '../../platform/sending/recordChanges.ts';
import { formatAmount } from '../../platform/ui/format.ts';
import { confirm } from '../../platform/ui/messages.ts';
import { withProgress } from '../../platform/ui/progress.ts';
import { errorText, isCanceled } from '../../platform/ui/errors.ts';

export { listTree } from './tree.ts';

export function createHandlers(services: ExtensionServices) {
  return { create: (argument: CommandArgument) => createList(services, argument) };
}

/** Creates the operations of the commands for all types of records. */
export function createOperations(services: ExtensionServices): RecordOperations {
  return {
    picking: listPicking,
    open: async (ref) => runCommand({ id: 'mailing.list.showSubscribers' }, ref),
    delete: (ref) => deleteList(services, ref),
  };
}

/**
 * Deletes a list after a confirmation that shows its name and number of subscribers. Returns undefined if the user cancels or the outcome
 * is unknown.
 */
export async function deleteList(
  { connections, explorer }: ExtensionServices,
  { connection, id }: RecordRef,
): Promise<RecordRef | undefined> {
  const { list, subscribers } = await withProgress('Counting the subscribers', (signal) =>
    connections.run(connection, async (client) => {
      const found = await readList(client, id, signal);
      const count = countMembers(
        (page, options) => client.getSubscribersFromLists([id], page, options),
        found.subscribers,
        signal,
      );
      const subscribers = await count.catch((error: unknown) => {
        if (isCanceled(error)) throw error;
        return errorText(error);
      });
      return { list: found, subscribers };
    }),
  );
  const name = getListName(list);
  const size = typeof subscribers === 'number' ? ` with ${formatAmount(subscribers, 'subscriber')}` : '';
  const isConfirmed = await confirm(
    `Delete the list "${name}"${size} on ${connections.get(connection)?.name ?? connection}?`,
    [
      ...(typeof subscribers === 'number' ? [] : [`Couldn't count its subscribers: ${subscribers}`]),
      'Its current and former subscriptions are deleted too. Export them first if you may need them.',
      'Campaigns no longer include this list.',
      'You can’t undo this.',
    ],
    'Delete',
  );
  if (!isConfirmed) return undefined;
  const notifyDeleted = (): void => explorer.notifyDeleted({ connection, collection, id });
  const isDeleted = await changeOnce(
    {
      description: `the list "${name}" was deleted`,
      repeatAction: 'delete it again',
      location: 'the lists',
      check: async (signal) => {
        explorer.refresh({ connection, collection });
        return (
          (await isMissing(() =>
            connections.run(connection, (client) => readList(client, id, signal, { fresh: true })),
          )) || undefined
        );
      },
      onConfirmed: notifyDeleted,
    },
    async () => (await connections.run(connection, (client) => client.deleteList(id)), true),
  );
  if (isDeleted === undefined) {
    explorer.refresh({ connection, collection });
    return undefined;
  }
  notifyDeleted();
  return { connection, id };
}
