import * as vscode from 'vscode';
import type { ReadRecord } from '../../platform/documents/documents.ts';
import { registerCommands, type CommandHost } from '../../platform/ui/commands.ts';
import { once } from '../../platform/ui/once.ts';
import { commands } from './commands.ts';
import {
  isMapped,
  mappableRoots,
  mappingName,
  MAPPING_OFFERED_KEY,
  type FolderServices,
  type MappedKind,
} from './model.ts';
import { readFieldTexts } from './records.ts';

/** Sets folders up that are mapped to a service. Without a `mailing.json` nothing of them is loaded. */
export function register(services: FolderServices, mapped: () => Promise<MappedKind>): void {
  const { context, documents, log, previews } = services;
  let isLoaded = false;
  const kind = once(mapped);
  const history = once(async () => (await import('./openRevisionStore.ts')).openRevisionStore(services));
  const load = once(async () => {
    const { openFolders } = await import('./handlers.ts');
    isLoaded = true;
    return openFolders(services, await kind(), await history());
  });
  const watcher = vscode.workspace.createFileSystemWatcher(`**/${mappingName}`, false, true, false);
  const changed = (uri: vscode.Uri): void => {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (folder?.uri.toString() === vscode.Uri.joinPath(uri, '..').toString())
      void load().then(({ folders }) => folders.updateProjects());
  };
  // What is seen of a service stays on this machine for a while, whether it is mapped or not.
  const remember = async ({ address, record }: ReadRecord): Promise<void> => {
    const shown = await kind();
    if (address.kind.collection === shown.kind.collection)
      await (await history()).add(address, readFieldTexts(shown, record));
  };
  const loading = loadIfMapped(load);
  documents.protect(async (connection) => {
    await loading;
    return isLoaded && (await load()).folders.isProtected(connection);
  });
  context.subscriptions.push(
    offerOnUse(services, context.workspaceState),
    previews.registerResolver(async (uri) => {
      await loading;
      return isLoaded
        ? (await import('./mappedSource.ts')).mappedSource((await load()).folders, await kind(), uri)
        : undefined;
    }),
    documents.onDidRead(
      (read) => void remember(read).catch((error: unknown) => log.warn('An earlier state could not be kept.', error)),
    ),
    watcher,
    watcher.onDidCreate(changed),
    watcher.onDidDelete(changed),
    vscode.workspace.onDidChangeWorkspaceFolders(() => void loadIfMapped(load)),
    ...registerCommands(services, commands, async () => (await load()).handlers),
  );
}

/** Offers once in a workspace to map emails that a tool builds, when the extension is used. Nothing is looked for before. */
export function offerOnUse({ log, activity }: CommandHost, state: vscode.Memento): vscode.Disposable {
  const offer = once(async () => new (await import('./mappingOffer.ts')).MappingOffer(activity, state));
  return activity.onDidIdle(() => {
    if (!vscode.workspace.isTrusted || state.get(MAPPING_OFFERED_KEY) !== undefined) return;
    void offer()
      .then((loaded) => loaded.show())
      .catch((error: unknown) => log.warn('Mapping could not be offered.', error));
  });
}

async function loadIfMapped(load: () => Promise<unknown>): Promise<void> {
  for (const uri of mappableRoots(vscode.workspace.workspaceFolders)) if (await isMapped(uri)) await load();
}
