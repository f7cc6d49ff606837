import * as vscode from 'vscode';
import { t } from '../../l10n.ts';
import { InvalidDocumentError } from '../../sync/fields/jsonDocument.ts';
import type { ApiErrorKind } from '../../service/client/errors.ts';
import { isApiError } from '../../service/client/shapes.ts';
import { toServiceRef } from '../connections/model.ts';
import { getFileName } from '../../ui/export/htmlFile.ts';
import { withProgress } from '../../ui/messages.ts';
import { ConflictPrompts } from './conflictPrompts.ts';
import {
  findPart,
  SaveError,
  type AnyFolder,
  type AnyKind,
  type DocumentAddress,
  type DocumentConnections,
  type RecordAddress,
} from './model.ts';
import { OpenRecords } from './openRecords.ts';
import type { DocumentRegistry } from './registry.ts';
import { SaveGuard } from './saveGuard.ts';
import { findOpenDocument } from './unsaved.ts';
import { buildFileName, parseUri } from './uri.ts';

const { FileIsADirectory, FileNotADirectory, FileNotFound, NoPermissions, Unavailable } = vscode.FileSystemError;
const FOLDER: vscode.FileStat = { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };

/**
 * The `mailing:` file system: records are folders of documents. A failed operation always throws, so that no unsaved tab appears saved.
 */
export class DocumentFileSystem implements vscode.Disposable {
  readonly #registry: DocumentRegistry;
  readonly #connections: DocumentConnections;
  readonly #diagnostics = vscode.languages.createDiagnosticCollection('mailing');
  readonly prompts: ConflictPrompts;
  readonly guard: SaveGuard;
  readonly records: OpenRecords;

  constructor(registry: DocumentRegistry, connections: DocumentConnections, state: vscode.Memento) {
    this.#registry = registry;
    this.#connections = connections;
    this.prompts = new ConflictPrompts(registry.snapshots, (id) => connections.get(id)?.name ?? id);
    this.guard = new SaveGuard(registry, this.prompts);
    this.records = new OpenRecords(registry, connections, state, this.prompts, this.guard);
  }

  dispose(): void {
    this.records.dispose();
    this.guard.dispose();
    this.#diagnostics.dispose();
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const address = this.#resolve(uri);
    if (!address.part) {
      const { connection, kind, id } = address;
      if (kind && id !== undefined) await this.#readRecord({ connection, kind, id }, uri, 'stat');
      return FOLDER;
    }
    // During a save, VS Code compares time and size, which misses edits of equal length. These values always pass its check, and
    // `writeFile` compares the content.
    const document = this.records.getDocument(address);
    const stat = document.statDuringSave;
    if (stat) return { type: vscode.FileType.File, ctime: 0, mtime: stat.mtime, size: stat.size };
    const record = await this.#readDocumentRecord(address, 'stat');
    const text = address.part.render(record);
    return {
      type: vscode.FileType.File,
      ctime: Date.parse(`${address.kind.getCreationDate?.(record)?.replace(' ', 'T')}Z`) || 0,
      mtime: document.recordVersion(text).version.mtime,
      size: encodeDocument(uri, text).length,
      ...(address.kind.getReadOnlyReason(record) !== undefined && { permissions: vscode.FilePermission.Readonly }),
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const address = this.#resolveDocument(uri);
    const document = this.records.getDocument(address);
    const text = address.part.render(await this.#readDocumentRecord(address, 'read'));
    document.recordVersion(text);
    document.recordRead(text);
    return encodeDocument(uri, text);
  }

  async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    const { File, Directory } = vscode.FileType;
    const address = this.#resolve(uri);
    if (address.part) throw FileNotADirectory(uri);
    const { connection, kind, id, folder } = address;
    if (!kind) return [...this.#registry.kinds.keys()].map((name) => [name, Directory]);
    if (id === undefined) {
      const names: [string, vscode.FileType][] = [];
      const service = toServiceRef(await this.#connections.resolve({ connection }));
      await this.#connections
        .run(service, async (client) => {
          for await (const record of kind.list(client, {})) names.push([String(record.id), Directory]);
        })
        .catch(rethrow(uri));
      return names;
    }
    const record = await this.#readRecord({ connection, kind, id }, uri, 'list');
    const files = (folder?.parts(record) ?? kind.parts).map((part): [string, vscode.FileType] => {
      const name = buildFileName(kind, record, part);
      return [folder ? name.slice(folder.name.length + 1) : name, File];
    });
    return !folder && kind.folder ? [...files, [kind.folder.name, Directory]] : files;
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const address = this.#resolveDocument(uri);
    this.#diagnostics.delete(uri);
    const document = this.records.getDocument(address);
    try {
      const text = decodeDocument(content, document.isSavePending ? findOpenDocument(uri) : undefined);
      await this.guard.check(address);
      const service = this.#connections.get(address.connection)?.name ?? '';
      const saved = await withProgress(
        t`Saving "${getFileName(uri)}" on ${service}`,
        () => this.records.get(address).save(address, text),
        { cancellable: false, inStatusBar: true },
      );
      this.#registry.emitters.save.fire(saved);
      if (saved.storedDifferently.length > 0) this.prompts.showStoredDifferently(saved);
    } catch (error) {
      document.failSave();
      throw this.#reportFailure(address, error);
    }
  }

  /** Reports a failed save. Returns its error for VS Code. */
  #reportFailure(address: DocumentAddress, cause: unknown) {
    const { saved, conflict } = cause instanceof SaveError ? cause.details : {};
    const { failSave, save } = this.#registry.emitters;
    if (saved) save.fire(saved);
    if (conflict?.isNew) this.prompts.showConflict(this.records.getDocument(address), conflict.theirs);
    const error = cause instanceof InvalidDocumentError ? this.#reportInvalid(address, cause) : cause;
    failSave.fire({ address, error });
    return toFileSystemError(error, address.uri);
  }

  /** Shows a parse error at its line. */
  #reportInvalid({ uri }: DocumentAddress, { message, line, column }: InvalidDocumentError) {
    const range = new vscode.Range(line, column, line, column + 1);
    const problem = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
    problem.source = 'Mailing Studio';
    this.#diagnostics.set(uri, [problem]);
    return Unavailable(t`Line ${line + 1}: ${message} Nothing was sent.`);
  }

  #resolve(uri: vscode.Uri): DocumentAddress | FolderAddress {
    const address = parseUri(uri, this.#registry.scheme);
    if (!address) throw FileNotFound(uri);
    const { connection, collection, id, file } = address;
    if (!this.#connections.get(connection))
      throw Unavailable(t`This window has no connection "${connection}". Add it, or start the sandbox again.`);
    if (collection === undefined) return { connection };
    const kind = this.#registry.kinds.get(collection);
    if (!kind) throw FileNotFound(uri);
    if (id === undefined || file === undefined) return { connection, kind, id };
    if (file === kind.folder?.name) return { connection, kind, id, folder: kind.folder };
    const part = findPart(kind, file);
    if (!part) throw FileNotFound(uri);
    return { connection, kind, id, part, uri };
  }

  #resolveDocument(uri: vscode.Uri): DocumentAddress {
    const address = this.#resolve(uri);
    if (!address.part) throw FileIsADirectory(uri);
    return address;
  }

  /** Reads the record of a document. Throws if the record has no such document. */
  async #readDocumentRecord(address: DocumentAddress, purpose: string) {
    const record = await this.#readRecord(address, address.uri, purpose);
    const missing = address.part.getMissingReason?.(record);
    if (missing !== undefined) throw FileNotFound(missing);
    return record;
  }

  #readRecord(address: RecordAddress, uri: vscode.Uri, purpose: string) {
    // A document that is already open is always read again, because VS Code asks for its current state.
    const freshness = findOpenDocument(uri) ? 'shared' : 'recent';
    const options = { freshness, purpose: `${purpose} ${uri.toString()}` } as const;
    return this.records.get(address).read(options).catch(rethrow(uri));
  }
}

interface FolderAddress {
  readonly connection: string;
  readonly kind?: AnyKind;
  readonly id?: number;
  readonly folder?: AnyFolder;
  readonly part?: undefined;
}

const errorsByKind: Readonly<Partial<Record<ApiErrorKind, typeof FileNotFound>>> = {
  notFound: FileNotFound,
  forbidden: NoPermissions,
  unauthorized: NoPermissions,
};

/** Converts errors of the service and of saves. */
function toFileSystemError(error: unknown, uri: vscode.Uri) {
  if (!isApiError(error) && !(error instanceof SaveError)) return error;
  const { kind = 'server' } = error instanceof SaveError ? error.details : error;
  return (errorsByKind[kind] ?? Unavailable)(error.message || uri);
}

const rethrow = (uri: vscode.Uri) => (error: unknown) => {
  throw toFileSystemError(error, uri);
};

/*
 * Documents are UTF-8, whatever `files.encoding` says. If an editor would use another encoding, a byte order mark makes it use UTF-8. The
 * mark never reaches the service.
 */

const BYTE_ORDER_MARK = '\uFEFF';
const documentEncoder = new TextEncoder();
// Drops a byte order mark.
const documentDecoder = new TextDecoder('utf-8', { fatal: true });
const languagesByExtension: Readonly<Record<string, string>> = { '.html': 'html', '.css': 'css', '.json': 'json' };

/** Returns the bytes of a text so that an editor with the user's settings decodes them correctly. */
function encodeDocument(uri: vscode.Uri, text: string): Uint8Array {
  return documentEncoder.encode(text.startsWith(BYTE_ORDER_MARK) || isReadAsUtf8(uri) ? text : BYTE_ORDER_MARK + text);
}

/**
 * Returns the text of written bytes.
 * @param editor the document that is being saved. If it uses another encoding, its text is taken directly
 * @throws {vscode.FileSystemError} if the bytes aren't UTF-8
 */
function decodeDocument(bytes: Uint8Array, editor: vscode.TextDocument | undefined) {
  if (editor && !editor.encoding.startsWith('utf8')) return editor.getText();
  try {
    return documentDecoder.decode(bytes);
  } catch {
    throw Unavailable(t('The service stores texts as UTF-8. Choose "Save with Encoding" and UTF-8.'));
  }
}

function isReadAsUtf8(uri: vscode.Uri) {
  const languageId =
    findOpenDocument(uri)?.languageId ?? languagesByExtension[uri.path.slice(uri.path.lastIndexOf('.'))];
  const files = vscode.workspace.getConfiguration('files', languageId === undefined ? uri : { uri, languageId });
  return files.get('encoding', 'utf8').startsWith('utf8') && !files.get('autoGuessEncoding', false);
}
