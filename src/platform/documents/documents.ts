import * as vscode from 'vscode';
import type { RecordRef } from '../connections/model.ts';
import { once } from '../ui/once.ts';
import {
  findPart,
  type AnyKind,
  type AnyPart,
  type AnyRecord,
  type DocumentAddress,
  type DocumentConnections,
  type DocumentKind,
  type Fields,
  type RecordAddress,
} from './model.ts';
import type { SavedDocument } from './recordHost.ts';
import type { OpenRecords } from './openRecords.ts';
import type { ConflictPrompts } from './conflictPrompts.ts';
import type { SaveGuard } from './saveGuard.ts';
import { Snapshots } from './snapshots.ts';
import { isUnsaved } from './unsaved.ts';
import { buildUri, buildFileName, parseUri, buildRootUri, scheme } from './uri.ts';

export interface FailedSave {
  readonly address: DocumentAddress;
  readonly error: unknown;
}

export interface ReadRecord {
  readonly address: RecordAddress;
  readonly record: AnyRecord;
}

/** Why a document can't be edited, and a command that helps. */
export interface ReadOnlyReason {
  readonly reason: string;
  readonly command?: string;
}

/** The implementation, loaded on first use. */
interface LoadedDocuments {
  readonly records: OpenRecords;
  readonly guard: SaveGuard;
  readonly prompts: ConflictPrompts;
  readonly files: Omit<vscode.FileSystemProvider, 'onDidChangeFile' | 'watch' | 'copy'>;
}

/** The documents of all record types. This is the interface that features use. */
export class Documents implements vscode.Disposable {
  /** Read-only texts for comparisons. */
  readonly snapshots: Snapshots;
  /** Fires when a document was stored on the service. */
  readonly onDidSave: vscode.Event<SavedDocument>;
  /** Fires when a record was read, also after storing it. */
  readonly onDidRead: vscode.Event<ReadRecord>;
  /** Fires when a document couldn't be stored. Its text is still in its editor. */
  readonly onDidFailSave: vscode.Event<FailedSave>;

  readonly #scheme: string;
  readonly #kinds = new Map<string, AnyKind>();
  readonly #load: () => Promise<LoadedDocuments>;
  readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #didSave = new vscode.EventEmitter<SavedDocument>();
  readonly #didRead = new vscode.EventEmitter<ReadRecord>();
  readonly #didFailSave = new vscode.EventEmitter<FailedSave>();
  readonly #disposables: vscode.Disposable[];
  #isProtected: (connection: string) => Promise<boolean> = () => Promise.resolve(false);

  /** Tests pass a scheme of their own, so that each one has a separate state. */
  constructor(
    context: Pick<vscode.ExtensionContext, 'workspaceState'>,
    connections: DocumentConnections,
    inScheme = scheme,
  ) {
    this.#scheme = inScheme;
    this.snapshots = new Snapshots(inScheme);
    this.onDidSave = this.#didSave.event;
    this.onDidRead = this.#didRead.event;
    this.onDidFailSave = this.#didFailSave.event;
    this.#load = once(() => this.#loadModules(context.workspaceState, connections));
    this.#disposables = [
      this.snapshots,
      this.#changes,
      this.#didSave,
      this.#didRead,
      this.#didFailSave,
      vscode.workspace.registerFileSystemProvider(inScheme, this.#createProvider(), { isCaseSensitive: true }),
      vscode.languages.registerCodeLensProvider(
        { scheme: inScheme },
        {
          onDidChangeCodeLenses: (listener, self, disposables) =>
            this.#changes.event(() => listener.call(self), undefined, disposables),
          provideCodeLenses: ({ uri }) => this.#provideLenses(uri),
        },
      ),
    ];
    // Bases of restored editors must be recorded before the user types.
    if (vscode.workspace.textDocuments.some(({ uri }) => uri.scheme === inScheme)) void this.#load();
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /** Serves the records of a kind as documents. */
  register<R extends { readonly id: number }>(kind: DocumentKind<R>): void {
    // The file system returns each record only to the kind that read it, so its type can be erased.
    this.#kinds.set(kind.collection, kind as unknown as AnyKind);
  }

  /** Sets which connections are protected. On these, saves that the user didn't start need a confirmation. */
  protect(isProtected: (connection: string) => Promise<boolean>): void {
    this.#isProtected = isProtected;
  }

  /**
   * Asks what happens to unsaved documents when a build starts, because VS Code saves all editors then. The answer applies to their saves
   * until it is disposed of.
   * @throws {vscode.CancellationError} if the user cancels
   */
  async prepareBuild(): Promise<vscode.Disposable> {
    const savesNothing = vscode.workspace.getConfiguration('task').get('saveBeforeRun') === 'never';
    const uris = savesNothing ? [] : this.#findUnsaved();
    if (uris.length === 0) return new vscode.Disposable(() => undefined);
    const { guard, prompts } = await this.#load();
    const answer = await prompts.askBeforeBuild(uris);
    if (answer === undefined) throw new vscode.CancellationError();
    return new vscode.Disposable(guard.applyAnswer(uris.map(String), answer));
  }

  getRootUri(connection: string): vscode.Uri {
    return buildRootUri(connection, this.#scheme);
  }

  /** Returns the document that a URI names, or undefined for any other URI. */
  find(uri: vscode.Uri): DocumentAddress | undefined {
    const address = parseUri(uri, this.#scheme);
    if (address?.collection === undefined || address.id === undefined || address.file === undefined) return undefined;
    const kind = this.#kinds.get(address.collection);
    const part = kind && findPart(kind, address.file);
    return kind && part && { connection: address.connection, id: address.id, kind, part, uri };
  }

  /** Returns the URI of a record's document, named after the record's current name. Throws `ApiError`. */
  async resolveUri(collection: string, ref: RecordRef, suffix: string): Promise<vscode.Uri> {
    const { records } = await this.#load();
    return this.buildUri(collection, ref, await records.get(this.#toAddress(collection, ref)).readCached(), suffix);
  }

  /** Returns the URI of a document, given the record. */
  buildUri(collection: string, ref: RecordRef, record: AnyRecord, suffix: string): vscode.Uri {
    const { kind } = this.#toAddress(collection, ref);
    const part = kind.parts.find((candidate: AnyPart) => candidate.suffix === suffix);
    if (part === undefined) throw new Error(`A ${kind.noun} has no ${suffix} document.`);
    return buildUri(kind.collection, ref, buildFileName(kind, record, part), this.#scheme);
  }

  /** Returns the URI of another document of the same record, with the same base name. */
  getSiblingUri(uri: vscode.Uri, suffix: string): vscode.Uri {
    const own = this.find(uri)?.part.suffix ?? '';
    return uri.with({ path: uri.path.slice(0, uri.path.length - own.length) + suffix });
  }

  /** Returns why a record can't be edited, or undefined if it can. Throws `ApiError`. */
  async getReadOnlyReason(uri: vscode.Uri): Promise<ReadOnlyReason | undefined> {
    const address = this.find(uri);
    if (address === undefined) return undefined;
    const record = await (await this.#load()).records.get(address).readCachedOnce(`form ${uri.toString()}`);
    return toReadOnlyReason(address, address.kind.getReadOnlyReason(record));
  }

  /** Returns the text of a document at the last read, or undefined if it was never read. Sends no request. */
  async getLastReadText(uri: vscode.Uri): Promise<string | undefined> {
    const address = this.find(uri);
    if (address === undefined) return undefined;
    const record = (await this.#load()).records.get(address).lastRead;
    return record === undefined || address.part.getMissingReason?.(record) !== undefined
      ? undefined
      : address.part.render(record);
  }

  /** Reads a record and updates its open documents. Throws `ApiError`. */
  async read(collection: string, ref: RecordRef): Promise<AnyRecord> {
    return (await this.#load()).records.get(this.#toAddress(collection, ref)).readFresh();
  }

  /** Reads a record again if this window has used it. Throws `ApiError`. */
  async refreshIfUsed(collection: string, ref: RecordRef): Promise<void> {
    const { records } = await this.#load();
    const address = this.#toAddress(collection, ref);
    if (records.isUsed(address)) await records.get(address).readFresh();
  }

  /** Stores fields of a record like a save: reads, compares, updates, reads back. See `OpenRecord.store`. */
  async store(
    collection: string,
    ref: RecordRef,
    getFields: (record: AnyRecord) => Promise<Fields | undefined>,
  ): Promise<AnyRecord> {
    return (await this.#load()).records.get(this.#toAddress(collection, ref)).store(getFields);
  }

  /** Marks the open documents of a record as deleted. */
  markDeleted(collection: string, ref: RecordRef): void {
    void this.#load().then(({ records }) => records.get(this.#toAddress(collection, ref)).markDeleted());
  }

  async #loadModules(state: vscode.Memento, connections: DocumentConnections): Promise<LoadedDocuments> {
    const [{ schedule, OpenRecords }, { MailingFileSystem }, { ConflictPrompts }, { SaveGuard }] = await Promise.all([
      import('./openRecords.ts'),
      import('./fileSystem.ts'),
      import('./conflictPrompts.ts'),
      import('./saveGuard.ts'),
    ]);
    const prompts = new ConflictPrompts(this.snapshots, (id) => connections.get(id)?.name ?? id);
    const guard = new SaveGuard({
      isProtected: (connection) => this.#isProtected(connection),
      listUnsaved: () => this.#findUnsaved().map(String),
      confirm: (documents) => prompts.confirmProtectedSave(documents),
      schedule,
    });
    const records = new OpenRecords({
      connections,
      state,
      prompts,
      guard,
      find: (uri) => this.find(uri),
      notifyChanged: (changes) => this.#changes.fire([...changes]),
      notifySaved: (saved) => this.#didSave.fire(saved),
      notifyRead: (address, record) => this.#didRead.fire({ address, record }),
      notifyFailed: (address, error) => this.#didFailSave.fire({ address, error }),
    });
    this.#disposables.push(records);
    return { records, guard, prompts, files: new MailingFileSystem(connections, this.#kinds, records, this.#scheme) };
  }

  /** Returns a file system that loads its implementation on first use. */
  #createProvider(): vscode.FileSystemProvider {
    const files = async (): Promise<LoadedDocuments['files']> => (await this.#load()).files;
    return {
      onDidChangeFile: this.#changes.event,
      // The service can't notify. Changes are found when records are read.
      watch: () => new vscode.Disposable(() => undefined),
      stat: async (uri) => (await files()).stat(uri),
      readFile: async (uri) => (await files()).readFile(uri),
      readDirectory: async (uri) => (await files()).readDirectory(uri),
      writeFile: async (uri, content, options) => (await files()).writeFile(uri, content, options),
      createDirectory: async (uri) => (await files()).createDirectory(uri),
      delete: async (uri, options) => (await files()).delete(uri, options),
      rename: async (from, to, options) => (await files()).rename(from, to, options),
    };
  }

  #findUnsaved(): readonly vscode.Uri[] {
    const documents = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === this.#scheme);
    return documents.filter(isUnsaved).map(({ uri }) => uri);
  }

  /** Shows above a read-only document why it can't be edited. */
  async #provideLenses(uri: vscode.Uri): Promise<vscode.CodeLens[]> {
    const address = this.find(uri);
    if (address === undefined) return [];
    const { records } = await this.#load();
    // If the reason can't be read, opening the document reports the error.
    const found = toReadOnlyReason(
      address,
      await records
        .get(address)
        .getReadOnlyReason()
        .catch(() => undefined),
    );
    if (found === undefined) return [];
    const { reason, command } = found;
    return [
      new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
        title: `$(lock) ${reason}`,
        command: command ?? '',
        arguments: [uri],
      }),
    ];
  }

  #toAddress(collection: string, ref: RecordRef): RecordAddress {
    const kind = this.#kinds.get(collection);
    if (kind === undefined) throw new Error(`No documents of ${collection}.`);
    return { connection: ref.connection, id: ref.id, kind };
  }
}

function toReadOnlyReason({ kind }: RecordAddress, reason: string | undefined): ReadOnlyReason | undefined {
  return reason === undefined ? undefined : { reason, command: kind.readOnlyCommand };
}
