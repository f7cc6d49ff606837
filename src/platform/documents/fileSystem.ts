import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { InvalidDocumentError } from '../../sync/fields/jsonDocument.ts';
import { isApiError, type ApiErrorKind } from '../../service/client/errors.ts';
import { toServiceRef } from '../connections/model.ts';
import { getFileName } from '../../ui/export/htmlFile.ts';
import { withProgress } from '../../ui/progress.ts';
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
import { createOpenRecords } from './openRecords.ts';
import type { DocumentRegistry } from './registry.ts';
import { SaveGuard } from './saveGuard.ts';
import { findOpenDocument } from './unsaved.ts';
import { buildFileName, parseUri } from './uri.ts';

const { FileIsADirectory, FileNotADirectory, FileNotFound, NoPermissions, Unavailable } = vscode.FileSystemError;
const FOLDER: vscode.FileStat = { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };

/** Creates the `mailing:` file system: records are folders of documents. Failed operations always throw, so that no unsaved tab appears saved. */
export function createFileSystem(registry: DocumentRegistry, connections: DocumentConnections, state: vscode.Memento) {
  const prompts = new ConflictPrompts(registry.snapshots, (id) => connections.get(id)?.name ?? id);
  const guard = new SaveGuard(registry, prompts);
  const records = createOpenRecords(registry, connections, state, prompts, guard);
  const diagnostics = vscode.languages.createDiagnosticCollection('mailing');

  /** Reports a failed save. Returns its error for VS Code. */
  function reportFailure(address: DocumentAddress, cause: unknown) {
    const { saved, conflict } = cause instanceof SaveError ? cause.details : {};
    const { failSave, save } = registry.emitters;
    if (saved !== undefined) save.fire(saved);
    if (conflict?.isNew) prompts.showConflict(records.getDocument(address), conflict.theirs);
    const error = cause instanceof InvalidDocumentError ? reportInvalid(address, cause) : cause;
    failSave.fire({ address, error });
    return toFileSystemError(error, address.uri);
  }

  /** Shows a parse error at its line. */
  function reportInvalid({ uri }: DocumentAddress, { message, line, column }: InvalidDocumentError) {
    const range = new vscode.Range(line, column, line, column + 1);
    const problem = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
    problem.source = 'Mailing Studio';
    diagnostics.set(uri, [problem]);
    return Unavailable(t`Line ${line + 1}: ${message} Nothing was sent.`);
  }

  function resolve(uri: vscode.Uri): DocumentAddress | FolderAddress {
    const address = parseUri(uri, registry.scheme);
    if (address === undefined) throw FileNotFound(uri);
    if (connections.get(address.connection) === undefined)
      throw Unavailable(t`This window has no connection "${address.connection}". Add it, or start the sandbox again.`);
    if (address.collection === undefined) return { connection: address.connection };
    const kind = registry.kinds.get(address.collection);
    if (kind === undefined) throw FileNotFound(uri);
    const { connection, id, file } = address;
    if (id === undefined || file === undefined) return { connection, kind, id };
    if (file === kind.folder?.name) return { connection, kind, id, folder: kind.folder };
    const part = findPart(kind, file);
    if (part === undefined) throw FileNotFound(uri);
    return { connection, kind, id, part, uri };
  }

  /** Reads the record of a document. Throws if the record has no such document. */
  async function readDocumentRecord(address: DocumentAddress, purpose: string) {
    const record = await readRecord(address, address.uri, purpose);
    const missing = address.part.getMissingReason?.(record);
    if (missing !== undefined) throw FileNotFound(missing);
    return record;
  }

  function readRecord(address: RecordAddress, uri: vscode.Uri, purpose: string) {
    // A document that is already open is always read again, because VS Code asks for its current state.
    const freshness = findOpenDocument(uri) === undefined ? 'recent' : 'shared';
    const options = { freshness, purpose: `${purpose} ${uri.toString()}` } as const;
    return records.get(address).read(options).catch(rethrow(uri));
  }

  return {
    prompts,
    guard,
    records,
    dispose: () => {
      records.dispose();
      guard.dispose();
      diagnostics.dispose();
    },
    async stat(uri: vscode.Uri) {
      const address = resolve(uri);
      if (address.part === undefined) {
        const { connection, kind, id } = address;
        if (kind !== undefined && id !== undefined) await readRecord({ connection, kind, id }, uri, 'stat');
        return FOLDER;
      }
      // During a save, VS Code compares time and size, which misses edits of equal length. These values always pass its check, and
      // `writeFile` compares the content.
      const document = records.getDocument(address);
      const stat = document.statDuringSave;
      if (stat !== undefined) return { type: vscode.FileType.File, ctime: 0, mtime: stat.mtime, size: stat.size };
      const record = await readDocumentRecord(address, 'stat');
      const text = address.part.render(record);
      return {
        type: vscode.FileType.File,
        ctime: Date.parse(`${address.kind.getCreationDate?.(record)?.replace(' ', 'T')}Z`) || 0,
        mtime: document.recordVersion(text).version.mtime,
        size: encodeDocument(uri, text).length,
        ...(address.kind.getReadOnlyReason(record) !== undefined && { permissions: vscode.FilePermission.Readonly }),
      };
    },
    async readFile(uri: vscode.Uri) {
      const address = resolve(uri);
      if (address.part === undefined) throw FileIsADirectory(uri);
      const document = records.getDocument(address);
      const text = address.part.render(await readDocumentRecord(address, 'read'));
      document.recordVersion(text);
      document.recordRead(text);
      return encodeDocument(uri, text);
    },
    async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
      const address = resolve(uri);
      if (address.part !== undefined) throw FileNotADirectory(uri);
      const { connection, kind, id, folder: inner } = address;
      if (kind === undefined) return [...registry.kinds.keys()].map((name) => [name, vscode.FileType.Directory]);
      if (id === undefined) {
        const ids: number[] = [];
        const service = toServiceRef(await connections.resolve({ connection }));
        await connections
          .run(service, async (client) => {
            for await (const record of kind.list(client, {})) ids.push(record.id);
          })
          .catch(rethrow(uri));
        return ids.map((each) => [String(each), vscode.FileType.Directory]);
      }
      const record = await readRecord({ connection, kind, id }, uri, 'list');
      const files = (inner?.parts(record) ?? kind.parts).map((part): [string, vscode.FileType] => {
        const name = buildFileName(kind, record, part);
        return [inner === undefined ? name : name.slice(inner.name.length + 1), vscode.FileType.File];
      });
      if (inner !== undefined) return files;
      return kind.folder === undefined ? files : [...files, [kind.folder.name, vscode.FileType.Directory]];
    },
    async writeFile(uri: vscode.Uri, content: Uint8Array) {
      const address = resolve(uri);
      if (address.part === undefined) throw FileIsADirectory(uri);
      diagnostics.delete(uri);
      const document = records.getDocument(address);
      try {
        const text = decodeDocument(content, document.isSavePending ? findOpenDocument(uri) : undefined);
        await guard.check(address);
        const service = connections.get(address.connection)?.name ?? '';
        const saved = await withProgress(
          t`Saving "${getFileName(uri)}" on ${service}`,
          () => records.get(address).save(address, text),
          { cancellable: false, inStatusBar: true },
        );
        registry.emitters.save.fire(saved);
        if (saved.storedDifferently.length > 0) prompts.showStoredDifferently(saved);
      } catch (error) {
        document.failSave();
        throw reportFailure(address, error);
      }
    },
  };
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
  if (editor !== undefined && !editor.encoding.startsWith('utf8')) return editor.getText();
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
