import * as vscode from 'vscode';
import type { RecordRef } from '../connections/record.ts';
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

/** A document that was not stored, and why. */
export interface FailedSave {
  readonly address: DocumentAddress;
  readonly error: unknown;
}

/** A record as the service was seen to hold it. */
export interface ReadRecord {
  readonly address: RecordAddress;
  readonly record: AnyRecord;
}

/** Why a document can't be edited, and the command that is the way out. */
export interface ReadOnlyReason {
  readonly reason: string;
  readonly command?: string;
}

/** What the file system is asked to do, loaded when it is first asked, with the open records. */
interface LoadedDocuments {
  readonly records: OpenRecords;
  readonly guard: SaveGuard;
  readonly prompts: ConflictPrompts;
  readonly files: Omit<vscode.FileSystemProvider, 'onDidChangeFile' | 'watch' | 'copy'>;
}

/** The documents of all records, as the nouns' rooms use them. */
export class Documents implements vscode.Disposable {
  /** Texts to compare with, read-only. */
  readonly snapshots: Snapshots;
  /** A document was stored on the service. */
  readonly onDidSave: vscode.Event<SavedDocument>;
  /** A record was read, also after it was stored: this is what the service holds. */
  readonly onDidRead: vscode.Event<ReadRecord>;
  /** A document could not be stored: its text is still in its editor. */
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

  /** Documents under another scheme are another window's: each scheme has a state of its own. */
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
    // What an editor shows from before is noted before anybody types in it.
    if (vscode.workspace.textDocuments.some(({ uri }) => uri.scheme === inScheme)) void this.#load();
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /** Serves a noun's records as documents. */
  register<R extends { readonly id: number }>(kind: DocumentKind<R>): void {
    // The file system hands every record back to the kind it came from, and so may forget its type in between.
    this.#kinds.set(kind.collection, kind as unknown as AnyKind);
  }

  /** Sets which connections are protected: there, the guard asks before it stores what the user didn't save himself. */
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

  /** The document a URI names, or undefined where it names none of ours. */
  find(uri: vscode.Uri): DocumentAddress | undefined {
    const address = parseUri(uri, this.#scheme);
    if (address?.collection === undefined || address.id === undefined || address.file === undefined) return undefined;
    const kind = this.#kinds.get(address.collection);
    const part = kind && findPart(kind, address.file);
    return kind && part && { connection: address.connection, id: address.id, kind, part, uri };
  }

  /** Address of a record's document, named after what the service calls the record now. Throws `ApiError`. */
  async resolveUri(collection: string, ref: RecordRef, suffix: string): Promise<vscode.Uri> {
    const { records } = await this.#load();
    return this.buildUri(collection, ref, await records.get(this.#toAddress(collection, ref)).readCached(), suffix);
  }

  /** Address of a document of a record that was read already. */
  buildUri(collection: string, ref: RecordRef, record: AnyRecord, suffix: string): vscode.Uri {
    const { kind } = this.#toAddress(collection, ref);
    const part = kind.parts.find((candidate: AnyPart) => candidate.suffix === suffix);
    if (part === undefined) throw new Error(`A ${kind.noun} has no ${suffix} document.`);
    return buildUri(kind.collection, ref, buildFileName(kind, record, part), this.#scheme);
  }

  /** Address of a document beside another one of the same record, under the same base name. */
  getSiblingUri(uri: vscode.Uri, suffix: string): vscode.Uri {
    const own = this.find(uri)?.part.suffix ?? '';
    return uri.with({ path: uri.path.slice(0, uri.path.length - own.length) + suffix });
  }

  /** Why a record can't be edited; undefined where it can. Throws `ApiError`. */
  async getReadOnlyReason(uri: vscode.Uri): Promise<ReadOnlyReason | undefined> {
    const address = this.find(uri);
    if (address === undefined) return undefined;
    const record = await (await this.#load()).records.get(address).readCachedOnce(`form ${uri.toString()}`);
    return toReadOnlyReason(address, address.kind.getReadOnlyReason(record));
  }

  /** The text of a document as the service was last seen to hold it; undefined where it was not. Nothing is asked for. */
  async getLastReadText(uri: vscode.Uri): Promise<string | undefined> {
    const address = this.find(uri);
    if (address === undefined) return undefined;
    const record = (await this.#load()).records.get(address).lastRead;
    return record === undefined || address.part.getMissingReason?.(record) !== undefined
      ? undefined
      : address.part.render(record);
  }

  /** Reads a record again: its open documents show what the service holds now. Throws `ApiError`. */
  async read(collection: string, ref: RecordRef): Promise<AnyRecord> {
    return (await this.#load()).records.get(this.#toAddress(collection, ref)).readFresh();
  }

  /** Reads a record again where this window has used it: of any other, it shows nothing that could be out of date. Throws `ApiError`. */
  async refreshIfUsed(collection: string, ref: RecordRef): Promise<void> {
    const { records } = await this.#load();
    const address = this.#toAddress(collection, ref);
    if (records.isUsed(address)) await records.get(address).readFresh();
  }

  /** Stores fields of a record as a save does: read, compare, update, read back. See `OpenRecord.store`. */
  async store(
    collection: string,
    ref: RecordRef,
    getFields: (record: AnyRecord) => Promise<Fields | undefined>,
  ): Promise<AnyRecord> {
    return (await this.#load()).records.get(this.#toAddress(collection, ref)).store(getFields);
  }

  /** Tells the open documents of a record that it was deleted. */
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

  /** The file system as VS Code is given it, at once. */
  #createProvider(): vscode.FileSystemProvider {
    const files = async (): Promise<LoadedDocuments['files']> => (await this.#load()).files;
    return {
      onDidChangeFile: this.#changes.event,
      // Changes are noticed when records are read; the service has no way to tell of them.
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

  /** Says above the text of a read-only document why it can't be edited. */
  async #provideLenses(uri: vscode.Uri): Promise<vscode.CodeLens[]> {
    const address = this.find(uri);
    if (address === undefined) return [];
    const { records } = await this.#load();
    // A reason that can't be read now is no reason to disturb: the document itself tells of the failure.
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
