import * as vscode from 'vscode';
import type { ReadRecord } from '../../platform/documents/registry.ts';
import { registerCommands, type CommandHost } from '../../platform/ui/commands.ts';
import { once } from '../../platform/ui/async.ts';
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

/** Registers mapped folders. Loads their code only if a workspace folder has a `mailing.json`. */
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
  // Revisions are stored for templates that aren't mapped, too.
  const remember = async ({ address, record }: ReadRecord): Promise<void> => {
    const mappedKind = await kind();
    if (address.kind.collection === mappedKind.kind.collection)
      await (await history()).add(address, readFieldTexts(mappedKind, record));
  };
  const loading = loadIfMapped(load);
  documents.isProtected = async (connection) => {
    await loading;
    return isLoaded && (await load()).folders.isProtected(connection);
  };
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

/** Offers once per workspace to map emails that a build tool generates. Searches for them only after the extension is used. */
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
