import { join } from 'node:path';
import { RevisionStore } from './revisionStore.ts';
import type { FolderServices } from './model.ts';
import { openRevisionFiles } from './revisionFiles.ts';

/** The states of templates that this machine has seen, of all windows. */
export function openRevisionStore({
  context,
  connections,
}: Pick<FolderServices, 'context' | 'connections'>): RevisionStore {
  const getService = (connection: string): string => connections.get(connection)?.baseUrl ?? connection;
  return new RevisionStore(openRevisionFiles(join(context.globalStorageUri.fsPath, 'templates')), getService);
}
