import { join } from 'node:path';
import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ExtensionServices } from '../services.ts';
import { errorText } from '../../ui/errors.ts';
import { contentHash } from '../../sync/fields/fields.ts';
import { TemplateFolder } from '../../sync/mapping/folder.ts';
import { LockFile } from '../../sync/push/lock.ts';
import {
  createInvalidMapping,
  isProtected,
  pushBlocker,
  readMapping,
  type Target,
} from '../../sync/mapping/mapping.ts';
import { readPages, templateLayout } from '../../sync/mapping/templateLayout.ts';
import { mappingName, stateFolderName } from '../../sync/paths.ts';
import type { TemplateComparison } from '../../sync/push/plan.ts';
import { PushJournal } from '../../sync/requests/pushJournal.ts';
import type { RevisionStore } from '../../sync/push/revisions.ts';
import { StateFiles } from '../../sync/stateFiles.ts';
import { Sync, type RemoteTemplates } from '../../sync/push/sync.ts';
import type { MappedKind } from './model.ts';
import { WorkspaceFiles } from '../../platform/documents/workspaceFiles.ts';

export interface FolderDependencies extends ExtensionServices {
  readonly revisions: RevisionStore;
  readonly mapped: MappedKind;
}

/** A mapped template with its project, independent of a connection. */
export interface ProjectTemplate extends Pick<Target, 'template'> {
  readonly project: FolderProject;
}

/** A mapped template on one connection, with its project. */
export interface ProjectTarget extends Target, ProjectTemplate {}

/** A workspace folder with a `mailing.json`. */
export class FolderProject implements vscode.Disposable {
  readonly files: WorkspaceFiles;
  readonly folder: TemplateFolder;
  readonly sync: Sync;
  readonly journal: PushJournal;
  readonly #dependencies: FolderDependencies;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when the mapping or the status of a template changes. */
  readonly onDidChange = this.#changed.event;
  readonly #lock: LockFile;
  /** The text of `mailing.json` at the last read; undefined if there is none, and empty if it couldn't be read. */
  mappingText: string | undefined;
  mapping = readMapping('{}');
  /** The files that contain fields of a mapped template. */
  paths: ReadonlySet<string> = new Set();
  /** Time of the last read of all templates, in ms since the epoch; 0 before the first. */
  readAt = 0;
  /** Keeps the worker running while the mapping has `assets`, because every read then searches for images. */
  #heldWorker: Promise<vscode.Disposable> | undefined;

  constructor(root: vscode.Uri, dependencies: FolderDependencies) {
    const { connections, context, revisions, worker } = dependencies;
    this.#dependencies = dependencies;
    this.files = new WorkspaceFiles(root);
    this.folder = new TemplateFolder(
      this.files,
      templateLayout,
      () => this.mapping.assets,
      async (text, format) => (await worker()).run('images', { text, format }),
    );
    // Windows and the command line share it.
    const shared =
      root.scheme === 'file'
        ? join(root.fsPath, stateFolderName)
        : join(context.globalStorageUri.fsPath, 'locks', contentHash(root.toString()));
    this.journal = new PushJournal(new StateFiles(shared), (id) => connections.get(id)?.baseUrl ?? id);
    this.#lock = new LockFile(this.files, (task) => this.journal.runExclusively(task));
    this.sync = new Sync({
      folder: this.folder,
      remote: createRemote(dependencies),
      lock: this.#lock,
      revisions,
      journal: this.journal,
      isProtected: (connection) => this.isProtected(connection),
      merge: async (input, signal) => (await worker()).run('merge', input, { signal }),
    });
  }

  /** Every mapped template on each of its configured connections. */
  get targets(): readonly ProjectTarget[] {
    return this.mapping.templates.flatMap((template) =>
      Object.entries(template.ids)
        .filter(([connection]) => this.#dependencies.connections.get(connection) !== undefined)
        .map(([connection, id]) => ({ project: this, template, connection, id })),
    );
  }

  /** Returns whether every push to a connection needs a confirmation. */
  isProtected(connection: string): boolean {
    return isProtected(this.mapping, connection);
  }

  /** Returns the last comparison; undefined if the template couldn't be compared. */
  getComparison(target: Target): TemplateComparison | undefined {
    const status = this.sync.getStatus(target);
    return status?.kind === 'compared' ? status.comparison : undefined;
  }

  dispose(): void {
    this.#changed.dispose();
    this.#holdWorker(false);
  }

  async readMapping(): Promise<void> {
    try {
      this.mappingText = await this.files.read(mappingName);
      this.mapping = readMapping(this.mappingText ?? '{}');
    } catch (error) {
      this.mappingText = '';
      this.mapping = createInvalidMapping(errorText(error));
    }
    this.#holdWorker(this.mapping.assets.length > 0);
    this.paths = new Set(this.mapping.templates.flatMap((template) => this.folder.paths(template)));
    this.sync.retain(this.targets);
    this.#changed.fire();
  }

  /** Reads `mailing.json` again if its text has changed. Resolves with whether it has. */
  async updateMapping(): Promise<boolean> {
    const hasChanged = (await this.files.read(mappingName).catch(() => '')) !== this.mappingText;
    if (hasChanged) await this.readMapping();
    return hasChanged;
  }

  /** @throws if a problem of the mapping blocks every push, or the lock can't be read */
  async checkPush(): Promise<void> {
    await this.updateMapping();
    const message = pushBlocker(this.mapping)?.message;
    if (message !== undefined)
      throw new Error(t`Nothing was pushed because mailing.json has a problem: ${message} Correct it and push again.`);
    await this.#lock.read();
  }

  /** Reads and compares both sides of templates. A template that can't be read gets the status `failed`. */
  async refresh(targets: readonly Target[] = this.targets, signal?: AbortSignal): Promise<void> {
    if (targets.length === this.targets.length) this.readAt = Date.now();
    await this.sync.refresh(targets, signal);
    this.#changed.fire();
  }

  /** Compares the files with the last texts read from the services. With `isComplete`, reads templates that weren't read before. */
  async compare(targets: readonly Target[] = this.targets, isComplete = false): Promise<void> {
    const unread = isComplete ? targets.filter((target) => !this.sync.hasRemote(target)) : [];
    await this.sync.compareAgain(targets);
    if (unread.length > 0) await this.sync.refresh(unread);
    this.#changed.fire();
  }

  #holdWorker(isNeeded: boolean) {
    if (isNeeded) {
      this.#heldWorker ??= this.#dependencies.worker().then((worker) => worker.hold());
      return;
    }
    void this.#heldWorker?.then((held) => held.dispose());
    this.#heldWorker = undefined;
  }
}

/** Reads and stores templates as documents, so that their open editors follow. */
function createRemote({ connections, documents, mapped }: FolderDependencies): RemoteTemplates {
  const { kind, readTexts } = mapped;
  return {
    read: async (target) => readTexts(await (await documents.getRecord(kind.collection, target)).read()),
    readAll: (connection, onTemplate, signal) =>
      connections.run(connections.getService(connection), (client) =>
        readPages(kind.list(client, { signal }), onTemplate),
      ),
    store: async (target, decide) => {
      const document = await documents.getRecord(kind.collection, target);
      const { connection, baseUrl = connections.getService(connection).baseUrl } = target;
      const result = await document.store({ connection, baseUrl }, (record) => decide(readTexts(record)));
      return 'after' in result ? { after: readTexts(result.after) } : result;
    },
  };
}
