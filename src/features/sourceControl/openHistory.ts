import { join } from 'node:path';
import { History } from './history.ts';
import type { FolderServices } from './model.ts';
import { storageIn } from './storage.ts';

/** The states of templates that this machine has seen, of all windows. */
export function openHistory({ context, connections }: Pick<FolderServices, 'context' | 'connections'>): History {
  const addressOf = (connection: string): string => connections.get(connection)?.baseUrl ?? connection;
  return new History(storageIn(join(context.globalStorageUri.fsPath, 'templates')), addressOf);
}
