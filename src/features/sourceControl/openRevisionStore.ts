import { join } from 'node:path';
import { RevisionStore } from './revisionStore.ts';
import type { FolderServices } from './model.ts';
import { openRevisionFiles } from './revisionFiles.ts';

/** Opens the store of earlier versions of templates, which all windows share. */
export function openRevisionStore({
  context,
  connections,
}: Pick<FolderServices, 'context' | 'connections'>): RevisionStore {
  const getService = (connection: string): string => connections.get(connection)?.baseUrl ?? connection;
  return new RevisionStore(openRevisionFiles(join(context.globalStorageUri.fsPath, 'templates')), getService);
}
