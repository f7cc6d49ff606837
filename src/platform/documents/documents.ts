import * as vscode from 'vscode';
import { t } from '../../l10n.ts';
import type { RecordKey } from '../connections/model.ts';
import { once } from '../../ui/async.ts';
import type { DocumentFileSystem } from './fileSystem.ts';
import type { DocumentConnections, ReadOptions } from './model.ts';
import type { OpenRecord } from './openRecord.ts';
import { DocumentRegistry } from './registry.ts';
import { parseUri, scheme } from './uri.ts';

/** Why a document can't be edited, and a command that helps. */
export interface ReadOnlyReason {
  readonly reason: string;
  readonly command?: string;
}

/** The documents of all record types. This is the interface that features use. The file system is loaded on first use. */
export class Documents extends DocumentRegistry implements vscode.Disposable {
  readonly #load: () => Promise<DocumentFileSystem>;
  readonly #disposables: vscode.Disposable[];

  /** Tests pass a scheme of their own, so that each one has a separate state. */
  constructor(
    context: Pick<vscode.ExtensionContext, 'workspaceState'>,
    connections: DocumentConnections,
    inScheme = scheme,
  ) {
    super(inScheme);
    this.#load = once(async () => {
      const { DocumentFileSystem } = await import('./fileSystem.ts');
      const files = new DocumentFileSystem(this, connections, context.workspaceState);
      this.#disposables.push(files);
      return files;
    });
    this.#disposables = [
      this.snapshots,
      ...Object.values(this.emitters),
      vscode.workspace.registerFileSystemProvider(inScheme, this.#createProvider(), { isCaseSensitive: true }),
      vscode.languages.registerCodeLensProvider(
        { scheme: inScheme },
        {
          onDidChangeCodeLenses: (listener, self, disposables) =>
            this.emitters.change.event(() => listener.call(self), undefined, disposables),
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

  /**
   * Asks what happens to unsaved documents when a build starts, because VS Code saves all editors then. The answer applies to their saves
   * until it is disposed of.
   * @throws {vscode.CancellationError} if the user cancels
   */
  async prepareBuild(): Promise<vscode.Disposable> {
    const savesNothing = vscode.workspace.getConfiguration('task').get('saveBeforeRun') === 'never';
    const uris = savesNothing ? [] : this.findUnsaved();
    if (uris.length === 0) return new vscode.Disposable(() => undefined);
    const { guard, prompts } = await this.#load();
    const answer = await prompts.askBeforeBuild(uris);
    if (answer === undefined) throw new vscode.CancellationError();
    return new vscode.Disposable(guard.applyAnswer(uris.map(String), answer));
  }

  /** Returns a record, to read and store it. */
  async getRecord(collection: string, ref: RecordKey): Promise<OpenRecord> {
    return (await this.#load()).records.get(this.getRecordAddress(collection, ref));
  }

  /** Returns the URI of a record's document, named after the record's current name. Throws `ApiError`. */
  async resolveUri(collection: string, ref: RecordKey, suffix: string): Promise<vscode.Uri> {
    const record = await this.getRecord(collection, ref);
    return this.buildUri(collection, ref, await record.read({ freshness: 'recent' }), suffix);
  }

  /** Returns why a document can't be edited, or undefined if it can. Throws `ApiError`. */
  async getReadOnlyReason(
    uri: vscode.Uri,
    options: ReadOptions = { freshness: 'recent', purpose: `form ${uri.toString()}` },
  ): Promise<ReadOnlyReason | undefined> {
    const address = this.find(uri);
    if (!address) return undefined;
    const { kind } = address;
    const reason = kind.getReadOnlyReason(await (await this.getRecord(kind.collection, address)).read(options));
    return reason === undefined ? undefined : { reason, command: kind.readOnlyCommand };
  }

  /** Returns the text of a document at the last read, or undefined if it was never read. Sends no request. */
  async getLastReadText(uri: vscode.Uri): Promise<string | undefined> {
    const address = this.find(uri);
    if (!address) return undefined;
    const { lastRead } = await this.getRecord(address.kind.collection, address);
    const isMissing = lastRead === undefined || address.part.getMissingReason?.(lastRead) !== undefined;
    return isMissing ? undefined : address.part.render(lastRead);
  }

  /** Returns a file system that loads its implementation on first use. */
  #createProvider(): vscode.FileSystemProvider {
    return {
      onDidChangeFile: this.emitters.change.event,
      // The service can't notify. Changes are found when records are read.
      watch: () => new vscode.Disposable(() => undefined),
      stat: async (uri) => (await this.#load()).stat(uri),
      readFile: async (uri) => (await this.#load()).readFile(uri),
      readDirectory: async (uri) => (await this.#load()).readDirectory(uri),
      writeFile: async (uri, content) => (await this.#load()).writeFile(uri, content),
      createDirectory: this.#refuse(t('To create a template, run the command "New Template".')),
      delete: this.#refuse(t('Delete templates and campaigns in the Mailing Studio view.')),
      rename: this.#refuse(t('To rename a document, change the name in its details.')),
    };
  }

  /** Returns an operation that always fails. */
  #refuse(advice: string): (uri: vscode.Uri) => never {
    const { FileNotFound, NoPermissions } = vscode.FileSystemError;
    return (uri) => {
      throw parseUri(uri, this.scheme) ? NoPermissions(advice) : FileNotFound(uri);
    };
  }

  /** Shows above a read-only document why it can't be edited. */
  async #provideLenses(uri: vscode.Uri) {
    // If the reason can't be read, opening the document reports the error.
    const found = await this.getReadOnlyReason(uri, { freshness: 'any' }).catch(() => undefined);
    if (!found) return [];
    const { reason, command = '' } = found;
    const title = `$(lock) ${reason}`;
    return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), { title, command, arguments: [uri] })];
  }
}
