import * as vscode from 'vscode';
import type { RecordRef } from '../connections/record.ts';
import type { DocumentKind } from './model.ts';
import { OpenDocuments } from './openDocuments.ts';
import { providerOf } from './provider.ts';
import { ReadOnlyReasons, type ReadOnlyReason } from './readOnlyReasons.ts';
import {
  partOf,
  Records,
  type AnyKind,
  type AnyPart,
  type AnyRecord,
  type DocumentAddress,
  type DocumentConnections,
  type RecordAddress,
} from './records.ts';
import { Saves, type FailedSave, type Saved } from './saves.ts';
import { Snapshots } from './snapshots.ts';
import { parse, rootOf, scheme } from './uri.ts';

/** The documents of all records, as the nouns' rooms use them. */
export class Documents implements vscode.Disposable {
  /** Texts to compare with, read-only. */
  readonly snapshots: Snapshots;
  /** A document was stored on the service. */
  readonly onDidSave: vscode.Event<Saved>;
  /** A document could not be stored: its text is still in its editor. */
  readonly onDidFailSave: vscode.Event<FailedSave>;

  readonly #kinds = new Map<string, AnyKind>();
  readonly #records: Records;
  readonly #disposables: vscode.Disposable[];

  /** Documents under another scheme are another window's: each scheme has a state of its own. */
  constructor(context: Pick<vscode.ExtensionContext, 'workspaceState'>, connections: DocumentConnections, inScheme = scheme) {
    const records = new Records(connections, context.workspaceState, inScheme);
    this.snapshots = new Snapshots(inScheme);
    const open = new OpenDocuments(records.versions, inScheme);
    const saves = new Saves(records, open, this.snapshots, (id) => connections.get(id)?.name ?? id);
    const provider = providerOf(
      records.onDidChangeFiles,
      async () => new (await import('./fileSystem.ts')).MailingFileSystem(connections, this.#kinds, records, open, saves),
    );
    this.#records = records;
    this.onDidSave = saves.onDidSave;
    this.onDidFailSave = saves.onDidFailSave;
    this.#disposables = [
      this.snapshots,
      records,
      open,
      saves,
      open.onDidShowStale((uri) => records.changed(uri)),
      vscode.workspace.registerFileSystemProvider(inScheme, provider, { isCaseSensitive: true }),
      vscode.languages.registerCodeLensProvider(
        { scheme: inScheme },
        new ReadOnlyReasons((uri) => this.readOnly(uri), records.onDidChangeFiles),
      ),
    ];
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /** Serves a noun's records as documents. */
  register<R extends { readonly id: number }>(kind: DocumentKind<R>): void {
    // The file system hands every record back to the kind it came from, and so may forget its type in between.
    this.#kinds.set(kind.collection, kind as unknown as AnyKind);
  }

  root(connection: string): vscode.Uri {
    return rootOf(connection, this.#records.scheme);
  }

  /** The document a URI names, or undefined where it names none of ours. */
  find(uri: vscode.Uri): DocumentAddress | undefined {
    const address = parse(uri, this.#records.scheme);
    if (address?.collection === undefined || address.id === undefined || address.file === undefined) return undefined;
    const kind = this.#kinds.get(address.collection);
    const part = kind && partOf(kind, address.file);
    return kind && part && { connection: address.connection, id: address.id, kind, part, uri };
  }

  /** Address of a record's document, named after what the service calls the record now. Throws `ApiError`. */
  async uri(collection: string, ref: RecordRef, suffix: string): Promise<vscode.Uri> {
    const address = this.#address(collection, ref);
    return this.uriOf(collection, ref, await this.#records.read(address), suffix);
  }

  /** Address of a document of a record that was read already. */
  uriOf(collection: string, ref: RecordRef, record: AnyRecord, suffix: string): vscode.Uri {
    const { kind } = this.#address(collection, ref);
    const part = kind.parts.find((candidate: AnyPart) => candidate.suffix === suffix);
    if (part === undefined) throw new Error(`A ${kind.noun} has no ${suffix} document.`);
    return this.#records.uri(kind, ref, record, part);
  }

  /** Address of a document beside another one of the same record, under the same base name. */
  sibling(uri: vscode.Uri, suffix: string): vscode.Uri {
    const own = this.find(uri)?.part.suffix ?? '';
    return uri.with({ path: uri.path.slice(0, uri.path.length - own.length) + suffix });
  }

  /** Why a record can't be edited; undefined where it can. Throws `ApiError`. */
  async readOnly(uri: vscode.Uri): Promise<ReadOnlyReason | undefined> {
    const address = this.find(uri);
    const reason = address?.kind.readOnly(await this.#records.read(address));
    return address && reason !== undefined ? { reason, command: address.kind.readOnlyCommand } : undefined;
  }

  /** Reads a record again, so that its open documents show what the service holds now. */
  async refresh(collection: string, ref: RecordRef): Promise<void> {
    await this.#records.readAnew(this.#address(collection, ref));
  }

  /** Tells the open documents of a record that it was deleted. */
  gone(collection: string, ref: RecordRef): void {
    this.#records.gone(this.#address(collection, ref));
  }

  #address(collection: string, ref: RecordRef): RecordAddress {
    const kind = this.#kinds.get(collection);
    if (kind === undefined) throw new Error(`No documents of ${collection}.`);
    return { connection: ref.connection, id: ref.id, kind };
  }
}
