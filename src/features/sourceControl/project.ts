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

/** What is needed of the rest of the extension. */
export interface FolderDependencies {
  readonly connections: Connections;
  readonly documents: Documents;
  readonly revisions: RevisionStore;
  readonly mapped: MappedKind;
  readonly worker: FolderServices['worker'];
  /** Folder of this extension's own in which windows say that they are changing a lock. */
  readonly locksFolder: string;
}

/** A template of a folder, whatever services it is mapped to. */
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
  /** Something is known anew. */
  readonly onDidChange = this.#changed.event;
  readonly #lock: LockFile;
  readonly #comparisons: Comparisons;
  #text: string | undefined;
  #mapping: Mapping = readMapping('{}');
  #paths: ReadonlySet<string> = new Set();
  /** Keeps the worker for the images of every file while some have public addresses. */
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

  /** The text of `mailing.json` that the mapping was read from; undefined where there is none. */
  get mappingText(): string | undefined {
    return this.#text;
  }

  /** Whether a file is one that fields of a mapped template are in. */
  hasFields(path: string): boolean {
    return this.#paths.has(path);
  }

  /** Every template on every connection that it is mapped to, and that is known here. */
  get targets(): readonly Target[] {
    return this.#mapping.templates.flatMap((template) =>
      Object.entries(template.ids)
        .filter(([connection]) => this.#dependencies.connections.get(connection) !== undefined)
        .map(([connection, id]) => ({ template, connection, id })),
    );
  }

  /** Whether every push to a connection is asked about. */
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

  /** Reads `mailing.json` again. */
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
   * @throws if nothing may be pushed because the mapping may be misread, or because its lock can't be
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

  /** Looks at both sides of all templates, or of some. What can't be read is told for itself. */
  async refresh(targets: readonly Target[] = this.targets, signal?: AbortSignal): Promise<void> {
    await this.#comparisons.refresh(targets, signal);
    this.#changed.fire();
  }

  /** Compares the files with what was read of the services last. */
  async compareAgain(targets: readonly Target[] = this.targets): Promise<void> {
    await this.#comparisons.compareAgain(targets);
    this.#changed.fire();
  }

  /** Whether it is known what a service has. */
  hasRemote(target: Target): boolean {
    return this.#comparisons.hasRemote(target);
  }

  /** The text that a file would have, were it as on the service. */
  async getServiceText(target: Target, field: string): Promise<string> {
    const known = this.getStatus(target);
    return known?.kind === 'compared' ? this.folder.renderFile(target.template, field, known.comparison.remote) : '';
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
      read: async (target) => texts(await documents.read(collection, target)),
      store: async (target, selectFields) =>
        texts(await documents.store(collection, target, (record) => selectFields(texts(record)))),
      readAll: (connection, take, signal) =>
        connections.run(connection, (client) => readAllRecords(mapped, client, take, signal)),
    };
  }
}
