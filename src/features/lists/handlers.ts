import type { ExtensionServices } from '../../platform/services.ts';
import type { CommandHandler } from '../../platform/ui/commands.ts';
import { createList } from './create.ts';
import { deleteList } from './remove.ts';

export type Handlers = Readonly<Record<'create' | 'delete', CommandHandler>>;

export function createHandlers(services: ExtensionServices): Handlers {
  return {
    create: (argument) => createList(services, argument),
    delete: (argument) => deleteList(services, argument),
  };
}
