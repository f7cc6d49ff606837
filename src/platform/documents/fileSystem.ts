import * as vscode from 'vscode';
import { isApiError, type ApiErrorKind } from '../../service/client/errors.ts';
import {
  findPart,
  type AnyFolder,
  type AnyKind,
  type AnyRecord,
  type DocumentAddress,
  type DocumentConnections,
  type RecordAddress,
} from './model.ts';
import type { OpenRecords } from './openRecords.ts';
import { SaveError } from './saves.ts';
import { findOpenDocument } from './unsaved.ts';
import { buildFileName, parseUri, type UriAddress } from './uri.ts';

const folder: vscode.FileStat = { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };

/** The `mailing:` file system: records are folders of documents. Failed operations always throw, so that no unsaved tab looks saved. */
export class MailingFileSystem {
  readonly #connections: DocumentConnections;
  readonly #kinds: ReadonlyMap<string, AnyKind>;
  readonly #records: OpenRecords;
  readonly #scheme: string;

  constructor(
    connections: DocumentConnections,
    kinds: ReadonlyMap<string, AnyKind>,
    records: OpenRecords,
    scheme: string,
  ) {
    this.#connections = connections;
    this.#kinds = kinds;
    this.#records = records;
    this.#scheme = scheme;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const address = this.#resolve(uri);
    if (isFolder(address)) {
      if (address.kind !== undefined && address.id !== undefined) await this.#readFolderRecord(address, uri, 'stat');
      return folder;
    }
    // During a save, VS Code compares time and size, which misses edits of equal length. These values always pass its check, and
    // `writeFile` compares the content.
    const document = this.#records.getDocument(address);
    const stat = document.statDuringSave;
    if (stat !== undefined) return { type: vscode.FileType.File, ctime: 0, mtime: stat.mtime, size: stat.size };
    const record = await this.#readDocumentRecord(address, 'stat');
    const text = address.part.render(record);
    const isReadOnly = address.kind.getReadOnlyReason(record) !== undefined;
    return {
      type: vscode.FileType.File,
      ctime: address.kind.getCreationTime(record) ?? 0,
      mtime: document.recordVersion(text).version.mtime,
      size: encodeDocument(uri, text).length,
      ...(isReadOnly && { permissions: vscode.FilePermission.Readonly }),
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const address = this.#resolve(uri);
    if (isFolder(address)) throw vscode.FileSystemError.FileIsADirectory(uri);
    const document = this.#records.getDocument(address);
    const text = address.part.render(await this.#readDocumentRecord(address, 'read'));
    document.recordVersion(text);
    document.recordRead(text);
    return encodeDocument(uri, text);
  }

  async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    const address = this.#resolve(uri);
    if (!isFolder(address)) throw vscode.FileSystemError.FileNotADirectory(uri);
    const { connection, kind, id, FOLDER_STAT: inner } = address;
    if (kind === undefined) return [...this.#kinds.keys()].map((name) => [name, vscode.FileType.Directory]);
    if (id === undefined) {
      const ids = await this.#translateErrors(uri, () => this.#listIds(connection, kind));
      return ids.map((each) => [String(each), vscode.FileType.Directory]);
    }
    const record = await this.#readFolderRecord(address, uri, 'list');
    const files = (inner?.parts(record) ?? kind.parts).map((part): [string, vscode.FileType] => {
      const name = buildFileName(kind, record, part);
      return [inner === undefined ? name : name.slice(inner.name.length + 1), vscode.FileType.File];
    });
    if (inner !== undefined) return files;
    return kind.folder === undefined ? files : [...files, [kind.folder.name, vscode.FileType.Directory]];
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const address = this.#resolve(uri);
    if (isFolder(address)) throw vscode.FileSystemError.FileIsADirectory(uri);
    const document = this.#records.getDocument(address);
    let text: string;
    try {
      text = decodeDocument(content, document.isSavePending ? findOpenDocument(uri) : undefined);
    } catch (error) {
      document.failSave();
      throw error;
    }
    await this.#translateErrors(uri, () => this.#records.save(address, text));
  }

  createDirectory(uri: vscode.Uri): never {
    throw this.#createRefusal(uri, 'Use the command "New Template" to make a new record on the service.');
  }

  delete(uri: vscode.Uri): never {
    throw this.#createRefusal(uri, 'Delete records in the Mailing Studio view: it says first what is lost.');
  }

  rename(uri: vscode.Uri): never {
    throw this.#createRefusal(uri, 'A document has the name of its record: change the name in the details document.');
  }

  #createRefusal(uri: vscode.Uri, advice: string): vscode.FileSystemError {
    return parseUri(uri, this.#scheme) === undefined
      ? vscode.FileSystemError.FileNotFound(uri)
      : vscode.FileSystemError.NoPermissions(advice);
  }

  #resolve(uri: vscode.Uri): DocumentAddress | FolderAddress {
    const address = parseUri(uri, this.#scheme);
    if (address === undefined || this.#connections.get(address.connection) === undefined)
      throw createNotFoundError(uri, address);
    if (address.collection === undefined) return { connection: address.connection };
    const kind = this.#kinds.get(address.collection);
    if (kind === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    const { connection, id, file } = address;
    if (id === undefined || file === undefined) return { connection, kind, id };
    if (file === kind.folder?.name) return { connection, kind, id, FOLDER_STAT: kind.folder };
    const part = findPart(kind, file);
    if (part === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return { connection, kind, id, part, uri };
  }

  /** Reads the record of a document. Throws if the record has no such document. */
  async #readDocumentRecord(address: DocumentAddress, purpose: string): Promise<AnyRecord> {
    const { uri, part } = address;
    const record = await this.#translateErrors(uri, () => this.#readRecord(address, uri, purpose));
    const missing = part.getMissingReason?.(record);
    if (missing !== undefined) throw vscode.FileSystemError.FileNotFound(missing);
    return record;
  }

  #readFolderRecord({ connection, kind, id }: FolderAddress, uri: vscode.Uri, purpose: string): Promise<AnyRecord> {
    if (kind === undefined || id === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return this.#translateErrors(uri, () => this.#readRecord({ connection, kind, id }, uri, purpose));
  }

  /** A document that is already open is always read again, because VS Code asks for its current state. */
  #readRecord(address: RecordAddress, uri: vscode.Uri, purpose: string): Promise<AnyRecord> {
    const record = this.#records.get(address);
    return findOpenDocument(uri) === undefined ? record.readCachedOnce(`${purpose} ${uri.toString()}`) : record.read();
  }

  /** Returns the ids of all records of a collection, from all pages. */
  #listIds(connection: string, kind: AnyKind): Promise<readonly number[]> {
    return this.#connections.run(connection, async (client) => {
      const ids: number[] = [];
      for await (const { id } of kind.list(client, {})) ids.push(id);
      return ids;
    });
  }

  /** Converts errors of the service to file system errors. */
  async #translateErrors<T>(uri: vscode.Uri, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw toFileSystemError(error, uri);
    }
  }
}

interface FolderAddress {
  readonly connection: string;
  readonly kind?: AnyKind;
  readonly id?: number;
  readonly FOLDER_STAT?: AnyFolder;
  readonly part?: undefined;
}

function isFolder(address: DocumentAddress | FolderAddress): address is FolderAddress {
  return address.part === undefined;
}

function createNotFoundError(uri: vscode.Uri, address: UriAddress | undefined): vscode.FileSystemError {
  return address === undefined
    ? vscode.FileSystemError.FileNotFound(uri)
    : Unavailable(`There is no connection "${address.connection}" in this window. Add it, or start the sandbox again.`);
}

const { FileNotFound, NoPermissions, Unavailable } = vscode.FileSystemError;
const errorsByKind: Readonly<Partial<Record<ApiErrorKind, typeof FileNotFound>>> = {
  notFound: FileNotFound,
  forbidden: NoPermissions,
  unauthorized: NoPermissions,
};
const errorsByReason: Readonly<Record<SaveError['reason'], typeof FileNotFound>> = {
  deleted: FileNotFound,
  readOnly: NoPermissions,
  failed: Unavailable,
};

function toFileSystemError(error: unknown, uri: vscode.Uri): unknown {
  if (error instanceof SaveError) return errorsByReason[error.reason](error.message);
  if (!isApiError(error)) return error;
  const make = errorsByKind[error.kind];
  return make === undefined ? Unavailable(error.message) : make(error.message || uri);
}

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
function decodeDocument(bytes: Uint8Array, editor: vscode.TextDocument | undefined): string {
  if (editor !== undefined && !editor.encoding.startsWith('utf8')) return editor.getText();
  try {
    return documentDecoder.decode(bytes);
  } catch {
    throw vscode.FileSystemError.Unavailable(
      'The service stores texts as UTF-8. Choose "Save with Encoding" and UTF-8.',
    );
  }
}

function isReadAsUtf8(uri: vscode.Uri): boolean {
  const languageId =
    findOpenDocument(uri)?.languageId ?? languagesByExtension[uri.path.slice(uri.path.lastIndexOf('.'))];
  const files = vscode.workspace.getConfiguration('files', languageId === undefined ? uri : { uri, languageId });
  return files.get('encoding', 'utf8').startsWith('utf8') && !files.get('autoGuessEncoding', false);
}
