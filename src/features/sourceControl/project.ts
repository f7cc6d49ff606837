import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Connections } from '../../platform/connections/connections.ts';
import type { Documents } from '../../platform/documents/documents.ts';
import type { AnyRecord } from '../../platform/documents/model.ts';
import { withFileLock } from '../../platform/ui/fileLock.ts';
import type { FindImages } from './assets.ts';
import { contentHash, type FieldTexts } from './fields.ts';
import type { RevisionStore } from './revisionStore.ts';
import { openLockFile } from './lockFile.ts';
import { isProtected, pushBlocker, readMapping, type MappedTemplate, type Mapping } from './mapping.ts';
import { lockName, mappingName, type FolderServices, type MappedKind } from './model.ts';
import { readAllRecords, readFieldTexts } from './records.ts';
import { Comparisons, type ComparisonStatus, type RemoteTemplateSource } from './comparisons.ts';
import type { LockFile, Merge, Sync, Target } from './sync.ts';
import { TemplateFolder } from './templateFolder.ts';
import { WorkspaceFiles } from './workspaceFiles.ts';

export interface FolderDependencies {
  readonly connections: Connections;
  readonly documents: Documents;
  readonly revisions: RevisionStore;
  readonly mapped: MappedKind;
  readonly worker: FolderServices['worker'];
  /** Folder of the files by which windows take turns when they change a lock file. */
  readonly locksFolder: string;
}

/** A mapped template with its project, independent of a connection. */
export interface ProjectTemplate {
  readonly project: FolderProject;
  readonly template: MappedTemplate;
}

/** A workspace folder with a `mailing.json`. */
export class FolderProject implements vscode.Disposable {
  readonly files: WorkspaceFiles;
  readonly folder: TemplateFolder;
  readonly #dependencies: FolderDependencies;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when the mapping or the status of a template changes. */
  readonly onDidChange = this.#changed.event;
  readonly #lock: LockFile;
  readonly #comparisons: Comparisons;
  #text: string | undefined;
  #mapping: Mapping = readMapping('{}');
  #paths: ReadonlySet<string> = new Set();
  /** Keeps the worker running while the mapping has `assets`, because every read then searches for images. */
  #heldWorker: Promise<vscode.Disposable> | undefined;

  constructor(root: vscode.Uri, parts: FolderDependencies) {
    this.#dependencies = parts;
    this.files = new WorkspaceFiles(root);
    const findImages: FindImages = async (text, format) => (await parts.worker()).run('images', { text, format });
    this.folder = new TemplateFolder(this.files, parts.mapped.layout, () => this.#mapping.assets, findImages);
    const merge: Merge = async (input, signal) => (await parts.worker()).run('merge', input, { signal });
    this.#lock = openLockFile(this.files, lockName, async (task) =>
      withFileLock(join(parts.locksFolder, contentHash(await this.files.identity())), task),
    );
    this.#comparisons = new Comparisons(this.folder, this.#services(), this.#lock, parts.revisions, merge);
  }

  get sync(): Sync {
    return this.#comparisons.sync;
  }

  get mapping(): Mapping {
    return this.#mapping;
  }

  /** The text of `mailing.json` at the last read; undefined if there is none. */
  get mappingText(): string | undefined {
    return this.#text;
  }

  /** Returns whether a file contains fields of a mapped template. */
  hasFields(path: string): boolean {
    return this.#paths.has(path);
  }

  /** Every mapped template on each of its configured connections. */
  get targets(): readonly Target[] {
    return this.#mapping.templates.flatMap((template) =>
      Object.entries(template.ids)
        .filter(([connection]) => this.#dependencies.connections.get(connection) !== undefined)
        .map(([connection, id]) => ({ template, connection, id })),
    );
  }

  /** Returns whether every push to a connection needs a confirmation. */
  isProtected(connection: string): boolean {
    return isProtected(this.#mapping, connection);
  }

  getStatus(target: Target): ComparisonStatus | undefined {
    return this.#comparisons.getStatus(target);
  }

  dispose(): void {
    this.#changed.dispose();
    this.#holdWorker(false);
  }

  async readMapping(): Promise<void> {
    this.#text = await this.files.read(mappingName);
    this.#mapping = readMapping(this.#text ?? '{}');
    this.#holdWorker(this.#mapping.assets.length > 0);
    this.#paths = new Set(this.#mapping.templates.flatMap((template) => this.folder.paths(template)));
    this.#comparisons.retain(this.targets);
    this.#changed.fire();
  }

  /**
   * Reads `mailing.json` again if it has changed.
   * @throws if a problem of the mapping blocks every push, or the lock can't be read
   */
  async checkPush(): Promise<void> {
    if ((await this.files.read(mappingName)) !== this.#text) await this.readMapping();
    const blocker = pushBlocker(this.#mapping);
    if (blocker !== undefined) {
      throw new Error(
        `Nothing was pushed, because ${mappingName} has a mistake: ${blocker.message} Correct it and push again.`,
      );
    }
    await this.#lock.read();
  }

  /** Reads and compares both sides of templates. A template that can't be read gets the status `failed`. */
  async refresh(targets: readonly Target[] = this.targets, signal?: AbortSignal): Promise<void> {
    await this.#comparisons.refresh(targets, signal);
    this.#changed.fire();
  }

  /** Compares the files with the last texts read from the services. */
  async compareAgain(targets: readonly Target[] = this.targets): Promise<void> {
    await this.#comparisons.compareAgain(targets);
    this.#changed.fire();
  }

  /** Returns whether the service's texts of a template were read. */
  hasRemote(target: Target): boolean {
    return this.#comparisons.hasRemote(target);
  }

  /** Returns the file of a field as it would be with the service's texts; empty if they weren't read. */
  async getServiceText(target: Target, field: string): Promise<string> {
    const status = this.getStatus(target);
    return status?.kind === 'compared' ? this.folder.renderFile(target.template, field, status.comparison.remote) : '';
  }

  #holdWorker(isNeeded: boolean): void {
    if (isNeeded) {
      this.#heldWorker ??= this.#dependencies.worker().then((worker) => worker.hold());
      return;
    }
    void this.#heldWorker?.then((held) => held.dispose());
    this.#heldWorker = undefined;
  }

  #services(): RemoteTemplateSource {
    const { connections, documents, mapped } = this.#dependencies;
    const { collection } = mapped.kind;
    const texts = (record: AnyRecord): FieldTexts => readFieldTexts(mapped, record);
    return {
      read: async (target) => texts(await (await documents.getRecord(collection, target)).read()),
      store: async (target, selectFields) =>
        texts(await (await documents.getRecord(collection, target)).store((record) => selectFields(texts(record)))),
      readAll: (connection, take, signal) =>
        connections.run(connection, (client) => readAllRecords(mapped, client, take, signal)),
    };
  }
}
