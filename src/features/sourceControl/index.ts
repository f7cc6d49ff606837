import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ReadRecord } from '../../platform/documents/registry.ts';
import type { ExtensionServices } from '../services.ts';
import { registerCommands, type CommandServices } from '../../ui/commands.ts';
import { once } from '../../ui/async.ts';
import { mappingName } from '../../sync/paths.ts';
import { isMapped, mappableRoots, MAPPING_OFFERED_KEY, type MappedKind } from './model.ts';

const module = () => import('./handlers.ts');

/** Registers mapped folders. Loads their code only if a workspace folder has a `mailing.json`. */
export function register(services: ExtensionServices, mapped: () => Promise<MappedKind>): void {
  const { connections, context, documents, log, previews } = services;
  let isLoaded = false;
  const kind = once(mapped);
  const history = once(async () => {
    const { RevisionStore } = await import('../../sync/push/revisions.ts');
    return RevisionStore.open(
      join(context.globalStorageUri.fsPath, 'templates'),
      (connection) => connections.get(connection)?.baseUrl ?? connection,
    );
  });
  const load = once(async () => {
    const { openFolders } = await module();
    isLoaded = true;
    return openFolders(services, await kind(), await history());
  });
  const watcher = vscode.workspace.createFileSystemWatcher(`**/${mappingName}`, false, true, false);
  const changed = (uri: vscode.Uri) => {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (folder?.uri.toString() === vscode.Uri.joinPath(uri, '..').toString())
      void load().then(({ folders }) => folders.updateProjects());
  };
  // Revisions are stored for templates that aren't mapped, too.
  const remember = async ({ address, record }: ReadRecord) => {
    const { kind: own, readTexts } = await kind();
    if (address.kind.collection === own.collection) await (await history()).add(address, readTexts(record));
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
      return isLoaded ? (await load()).findPreview(uri) : undefined;
    }),
    documents.onDidRead(
      (read) =>
        void remember(read).catch((error: unknown) =>
          log.warn('Could not store an earlier state of a template.', error),
        ),
    ),
    watcher,
    watcher.onDidCreate(changed),
    watcher.onDidDelete(changed),
    vscode.workspace.onDidChangeWorkspaceFolders(() => void loadIfMapped(load)),
    ...registerCommands(
      services,
      [
        'mailing.folders.map',
        'mailing.folders.mapFile',
        'mailing.folders.build',
        'mailing.folders.promote',
        'mailing.folders.refresh',
        'mailing.folders.push',
        'mailing.folders.pull',
        'mailing.folders.compare',
        'mailing.folders.discard',
        'mailing.folders.overwrite',
        'mailing.folders.earlierStates',
        'mailing.compareRendered',
        'mailing.compareReceived',
      ],
      async () => (await load()).handlers,
    ),
  );
}

/** Offers once per workspace to map emails that a build tool generates. Searches for them only after the extension is used. */
export function offerOnUse({ log, activity }: CommandServices, state: vscode.Memento): vscode.Disposable {
  const load = once(async () => (await module()).createMappingOffer(activity, state));
  return activity.onDidIdle(() => {
    if (!vscode.workspace.isTrusted || state.get(MAPPING_OFFERED_KEY) !== undefined) return;
    void load()
      .then((offer) => offer())
      .catch((error: unknown) => log.warn('Mapping could not be offered.', error));
  });
}

async function loadIfMapped(load: () => Promise<unknown>) {
  for (const uri of mappableRoots()) if (await isMapped(uri)) await load();
}
