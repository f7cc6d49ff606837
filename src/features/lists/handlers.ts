import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { RecordOperations } from '../../platform/documents/recordCollections.ts';
import type { ExtensionServices } from '../services.ts';
import type { CommandHandler } from '../../ui/commands.ts';
import { createList } from './create.ts';
import { listTree } from './tree.ts';
import { listPicking, collection, countMembers, getListName, readList } from './model.ts';
import type { RecordRef } from '../../platform/connections/model.ts';
import { deleteOnce, isMissing } from '../sending/recordChanges.ts';
import { plural } from '../../l10n.ts';
import { withProgress } from '../../ui/messages.ts';
import { errorText, isCanceled } from '../../ui/errors.ts';

/** Creates everything that the feature registers. */
export function createHandlers(services: ExtensionServices) {
  const operations: RecordOperations = {
    picking: listPicking,
    open: async (ref) => vscode.commands.executeCommand('mailing.list.showSubscribers', ref),
    delete: (ref) => deleteList(services, ref),
  };
  const create: CommandHandler = (argument) => createList(services, argument);
  return { tree: listTree, operations, commands: { 'mailing.list.create': create } };
}

/**
 * Deletes a list after a confirmation that shows its name and number of subscribers. Returns undefined if the user cancels or the outcome
 * is unknown.
 */
async function deleteList(
  { connections, explorer }: ExtensionServices,
  ref: RecordRef,
): Promise<RecordRef | undefined> {
  const { connection, id } = ref;
  const read = (signal: AbortSignal) =>
    connections.run(ref, async (client) => {
      const list = await readList(client, id, signal, { fresh: true });
      const count = countMembers(
        (page, options) => client.getSubscribersFromLists([id], page, options),
        list.subscribers,
        signal,
      );
      const subscribers = await count.catch((error: unknown) => {
        if (isCanceled(error)) throw error;
        return errorText(error);
      });
      const name = getListName(list);
      const service = connections.get(connection)?.name ?? connection;
      const isCounted = typeof subscribers === 'number';
      return {
        name,
        question: isCounted
          ? plural(
              subscribers,
              t('Delete the list "{1}" with {0} subscriber on {2}?'),
              t('Delete the list "{1}" with {0} subscribers on {2}?'),
              name,
              service,
            )
          : t`Delete the list "${name}" on ${service}?`,
        consequences: [
          ...(isCounted ? [] : [t`Couldn't count its subscribers: ${subscribers}`]),
          t('Its current and former subscriptions are deleted too. Export them first if you may need them.'),
          t('Campaigns no longer include this list.'),
          t("You can't undo this."),
        ],
      };
    });
  const isDeleted = await deleteOnce({
    read: () => withProgress(t('Counting the subscribers'), read),
    request: () => connections.run(ref, (client) => client.deleteList(id)),
    isDeleted: (signal) => {
      explorer.refresh({ connection, collection });
      return isMissing(() => connections.run(ref, (client) => readList(client, id, signal, { fresh: true })));
    },
    finish: () => explorer.notifyDeleted({ ...ref, collection }),
  });
  return isDeleted ? ref : undefined;
}
