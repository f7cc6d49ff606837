import * as vscode from 'vscode';
import { isApiError } from '../api/errors.ts';
import type { FileOperations } from './provider.ts';
import {
  fileName,
  partOf,
  type AnyFolder,
  type AnyKind,
  type AnyRecord,
  type DocumentAddress,
  type DocumentConnections,
  type Records,
} from './records.ts';
import type { OpenDocuments } from './openDocuments.ts';
import type { Saves } from './saves.ts';
import { parse, type Address } from './uri.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What a folder is: its entries are read when asked for. */
const folder: vscode.FileStat = { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };

/**
 * What the `mailing:` file system does: records as folders of documents. A failure always throws, so that no tab looks saved which isn't.
 */
export class MailingFileSystem implements FileOperations {
  readonly #connections: DocumentConnections;
  readonly #kinds: ReadonlyMap<string, AnyKind>;
  readonly #records: Records;
  readonly #open: OpenDocuments;
  readonly #saves: Saves;

  constructor(connections: DocumentConnections, kinds: ReadonlyMap<string, AnyKind>, records: Records, open: OpenDocuments, saves: Saves) {
    this.#connections = connections;
    this.#kinds = kinds;
    this.#records = records;
    this.#open = open;
    this.#saves = saves;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const address = this.#resolve(uri);
    if (isFolder(address)) {
      const { connection, kind, id } = address;
      if (kind !== undefined && id !== undefined) await this.#reading(uri, () => this.#records.read({ connection, kind, id }));
      return folder;
    }
    // While an editor saves, it is this file system's own comparison of content, and not the workbench's of time and size, that decides
    // whether that is a conflict.
    const saved = this.#open.whileSaved(uri);
    if (saved !== undefined) return { type: vscode.FileType.File, ctime: 0, mtime: saved.mtime, size: saved.size };
    const record = await this.#read(address);
    const { version } = this.#records.versions.see(uri.toString(), address.part.render(record));
    return {
      type: vscode.FileType.File,
      ctime: address.kind.created(record) ?? 0,
      mtime: version.mtime,
      size: version.size,
      ...(address.kind.readOnly(record) === undefined ? {} : { permissions: vscode.FilePermission.Readonly }),
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const address = this.#resolve(uri);
    if (isFolder(address)) throw vscode.FileSystemError.FileIsADirectory(uri);
    const record = await this.#read(address);
    const text = address.part.render(record);
    this.#records.versions.see(uri.toString(), text);
    this.#open.wasRead(uri, text);
    return encoder.encode(text);
  }

  async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    const address = this.#resolve(uri);
    if (!isFolder(address)) throw vscode.FileSystemError.FileNotADirectory(uri);
    const { connection, kind, id, folder: inner } = address;
    if (kind === undefined) return [...this.#kinds.keys()].map((name) => [name, vscode.FileType.Directory]);
    if (id === undefined) {
      const records = await this.#reading(uri, () => this.#records.list(connection, kind));
      return records.map((record) => [String(record.id), vscode.FileType.Directory]);
    }
    const record = await this.#reading(uri, () => this.#records.read({ connection, kind, id }));
    if (inner !== undefined)
      return inner.parts(record).map((part) => [fileName(kind, record, part).slice(inner.name.length + 1), vscode.FileType.File]);
    const files: [string, vscode.FileType][] = kind.parts.map((part) => [fileName(kind, record, part), vscode.FileType.File]);
    return kind.folder === undefined ? files : [...files, [kind.folder.name, vscode.FileType.Directory]];
  }

  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const address = this.#resolve(uri);
    if (isFolder(address)) throw vscode.FileSystemError.FileIsADirectory(uri);
    this.#records.know(address);
    let text: string;
    try {
      text = decoder.decode(content);
    } catch {
      throw vscode.FileSystemError.Unavailable('The service stores texts as UTF-8. Choose "Save with Encoding" and UTF-8.');
    }
    await this.#reading(uri, () => this.#saves.save(address, text));
  }

  createDirectory(uri: vscode.Uri): never {
    throw this.#refusal(uri, 'Use the command "New Template" to make a new record on the service.');
  }

  delete(uri: vscode.Uri): never {
    throw this.#refusal(uri, 'Delete records in the Mailing Studio view: it says first what is lost.');
  }

  rename(uri: vscode.Uri): never {
    throw this.#refusal(uri, 'A document has the name of its record: change the name in the details document.');
  }

  #refusal(uri: vscode.Uri, way: string): vscode.FileSystemError {
    return parse(uri, this.#records.scheme) === undefined
      ? vscode.FileSystemError.FileNotFound(uri)
      : vscode.FileSystemError.NoPermissions(way);
  }

  #resolve(uri: vscode.Uri): DocumentAddress | FolderAddress {
    const address = parse(uri, this.#records.scheme);
    if (address === undefined || this.#connections.get(address.connection) === undefined) throw unknownPlace(uri, address);
    if (address.collection === undefined) return { connection: address.connection };
    const kind = this.#kinds.get(address.collection);
    if (kind === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    const { connection, id, file } = address;
    if (id === undefined || file === undefined) return { connection, kind, id };
    if (file === kind.folder?.name) return { connection, kind, id, folder: kind.folder };
    const part = partOf(kind, file);
    if (part === undefined) throw vscode.FileSystemError.FileNotFound(uri);
    return { connection, kind, id, part, uri };
  }

  /** The record of a document, which has such a document. */
  async #read(address: DocumentAddress): Promise<AnyRecord> {
    this.#records.know(address);
    const record = await this.#reading(address.uri, () => this.#records.read(address));
    const missing = address.part.missing?.(record);
    if (missing !== undefined) throw vscode.FileSystemError.FileNotFound(missing);
    return record;
  }

  /** Passes failures on in the terms of a file system, with the cause in words. */
  async #reading<T>(uri: vscode.Uri, work: () => Promise<T>): Promise<T> {
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
  readonly folder?: AnyFolder;
  readonly part?: undefined;
}

function isFolder(address: DocumentAddress | FolderAddress): address is FolderAddress {
  return address.part === undefined;
}

function unknownPlace(uri: vscode.Uri, address: Address | undefined): vscode.FileSystemError {
  return address === undefined
    ? vscode.FileSystemError.FileNotFound(uri)
    : vscode.FileSystemError.Unavailable(
        `There is no connection "${address.connection}" in this window. Add it, or start the sandbox again.`,
      );
}

function toFileSystemError(error: unknown, uri: vscode.Uri): unknown {
  if (!isApiError(error)) return error;
  const make = {
    notFound: vscode.FileSystemError.FileNotFound,
    forbidden: vscode.FileSystemError.NoPermissions,
    unauthorized: vscode.FileSystemError.NoPermissions,
  }[error.kind as string];
  return make === undefined ? vscode.FileSystemError.Unavailable(error.message) : make(error.message || uri);
}
