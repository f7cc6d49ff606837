import type { RecordOperations } from '../../platform/records/model.ts';
import type { ExtensionServices } from '../../platform/services.ts';
import { runCommand, type CommandHandler } from '../../platform/ui/commands.ts';
import { createList } from './create.ts';
import { listPicking } from './model.ts';
import { deleteList } from './remove.ts';

export { listTree } from './tree.ts';

export type Handlers = Readonly<Record<'create', CommandHandler>>;

export function createHandlers(services: ExtensionServices): Handlers {
  return { create: (argument) => createList(services, argument) };
}

/** Creates the operations of the commands for all types of records. */
export function createOperations(services: ExtensionServices): RecordOperations {
  return {
    picking: listPicking,
    open: async (ref) => runCommand({ id: 'mailing.list.showSubscribers' }, ref),
    delete: (ref) => deleteList(services, ref),
  };
}
