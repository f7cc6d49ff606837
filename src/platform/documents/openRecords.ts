import * as vscode from 'vscode';
import { findOpenDocument, isActive, isUnsaved } from './unsaved.ts';
import {
  InvalidDocumentError,
  type AnyRecord,
  type DocumentAddress,
  type DocumentConnections,
  type RecordAddress,
} from './model.ts';
import type { BaseStore, EditorState, OpenDocument, Version } from './openDocument.ts';
import { OpenRecord } from './openRecord.ts';
import type { Prompts, RecordHost, SavedDocument } from './recordHost.ts';
import type { SaveCause, SaveGuard } from './saveGuard.ts';

/** Dependencies and event handlers of the open records. */
export interface OpenRecordsOptions {
  readonly connections: DocumentConnections;
  readonly state: vscode.Memento;
  readonly prompts: Prompts;
  readonly guard: SaveGuard;
  /** Returns the document that a URI names, or undefined for any other URI. */
  find(uri: vscode.Uri): DocumentAddress | undefined;
  notifyChanged(changes: readonly vscode.FileChangeEvent[]): void;
  notifySaved(saved: SavedDocument): void;
  notifyRead(address: RecordAddress, record: AnyRecord): void;
  notifyFailed(address: DocumentAddress, error: unknown): void;
}

/** The records in use. Passes on VS Code's editor events. */
export class OpenRecords implements vscode.Disposable {
  readonly #options: OpenRecordsOptions;
  readonly #records = new Map<string, OpenRecord>();
  readonly #bases: BaseStore;
  readonly #diagnostics = vscode.languages.createDiagnosticCollection('mailing');
  readonly #subscriptions: readonly vscode.Disposable[];

  constructor(options: OpenRecordsOptions) {
    this.#options = options;
    this.#bases = createBaseStore(options.state);
    const { workspace, window } = vscode;
    this.#subscriptions = [
      this.#diagnostics,
      workspace.onDidOpenTextDocument((document) => this.#findDocument(document)?.handleOpen()),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) =>
        this.#findDocument(document)?.handleEdit(contentChanges.length > 0),
      ),
      workspace.onWillSaveTextDocument(({ document, reason }) => {
        const address = options.find(document.uri);
        if (address === undefined) return;
        options.guard.recordCause(document.uri.toString(), getSaveCause(document.uri, reason));
        this.get(address).beginSave(address);
      }),
      workspace.onDidSaveTextDocument((document) => {
        if (this.#findDocument(document)?.endSave())
          options.notifyChanged([{ type: vscode.FileChangeType.Changed, uri: document.uri }]);
      }),
      workspace.onDidCloseTextDocument((document) => {
        // VS Code closes and reopens a document when its language changes. Its edits survive, so its base must too.
        if (!isUnsaved(document)) this.#findDocument(document)?.handleClose();
      }),
      window.onDidChangeWindowState(({ focused }) => {
        if (focused) for (const record of this.#records.values()) record.recheckUncertainWrites();
      }),
      window.onDidChangeActiveTextEditor((editor) => this.#recheckUncertainWrites(editor?.document.uri)),
      window.tabGroups.onDidChangeTabs(({ changed }) => {
        for (const { isActive, input } of changed)
          if (isActive && input instanceof vscode.TabInputCustom) this.#recheckUncertainWrites(input.uri);
      }),
    ];
    for (const document of workspace.textDocuments) this.#findDocument(document)?.handleOpen();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#options.guard.dispose();
    for (const record of this.#records.values()) record.dispose();
  }

  get(address: RecordAddress): OpenRecord {
    const key = getRecordKey(address);
    const existing = this.#records.get(key);
    if (existing !== undefined) return existing;
    const record = new OpenRecord(address, this.#createHost(address));
    this.#records.set(key, record);
    return record;
  }

  /** Returns whether this window uses a record. Nothing needs updating otherwise. */
  isUsed(address: RecordAddress): boolean {
    return this.#records.has(getRecordKey(address));
  }

  getDocument(address: DocumentAddress): OpenDocument {
    return this.get(address).getDocument(address);
  }

  /**
   * Stores one document. Shows a parse error at its line.
   * @throws {vscode.FileSystemError | SaveError | ApiError} if the document wasn't stored
   */
  async save(address: DocumentAddress, text: string): Promise<void> {
    this.#diagnostics.delete(address.uri);
    try {
      await this.#checkGuard(address);
      await this.get(address).save(address, text);
    } catch (error) {
      const cause = error instanceof InvalidDocumentError ? this.#reportInvalid(address, error) : error;
      this.#options.notifyFailed(address, cause);
      throw cause;
    }
  }

  async #checkGuard(address: DocumentAddress): Promise<void> {
    try {
      await this.#options.guard.check(address);
    } catch (error) {
      this.getDocument(address).failSave();
      throw error;
    }
  }

  #reportInvalid({ uri }: DocumentAddress, { message, line, column }: InvalidDocumentError): vscode.FileSystemError {
    const problem = new vscode.Diagnostic(
      new vscode.Range(line, column, line, column + 1),
      message,
      vscode.DiagnosticSeverity.Error,
    );
    problem.source = 'Mailing Studio';
    this.#diagnostics.set(uri, [problem]);
    return vscode.FileSystemError.Unavailable(`Line ${line + 1}: ${message} Nothing was sent.`);
  }

  #createHost(address: RecordAddress): RecordHost {
    const { connection, kind, id } = address;
    const { connections, prompts, notifyChanged, notifySaved, notifyRead } = this.#options;
    const toChanges = (type: vscode.FileChangeType, addresses: readonly DocumentAddress[]) =>
      addresses.map(({ uri }) => ({ type, uri }));
    const { Changed, Deleted } = vscode.FileChangeType;
    return {
      read: () => connections.run(connection, (client) => kind.read(client, id, { connection })),
      update: (record: AnyRecord, fields) =>
        connections.run(connection, (client) => kind.update(client, record, fields, { connection })),
      getEditor: getEditorState,
      bases: this.#bases,
      prompts,
      notifyChanged: (changed, deleted) =>
        notifyChanged([...toChanges(Changed, changed), ...toChanges(Deleted, deleted)]),
      notifySaved,
      notifyRead: (record) => notifyRead(address, record),
      schedule,
    };
  }

  #findDocument({ uri }: vscode.TextDocument): OpenDocument | undefined {
    const address = this.#options.find(uri);
    return address && this.getDocument(address);
  }

  #recheckUncertainWrites(uri: vscode.Uri | undefined): void {
    const address = uri && this.#options.find(uri);
    if (address !== undefined) this.get(address).recheckUncertainWrites();
  }
}

/** Runs a task after a delay. Returns a function that cancels it. */
export function schedule(ms: number, task: () => void): () => void {
  const timer = setTimeout(task, ms);
  return () => clearTimeout(timer);
}

function getSaveCause(uri: vscode.Uri, reason: vscode.TextDocumentSaveReason): SaveCause {
  if (reason !== vscode.TextDocumentSaveReason.Manual) return 'autoSave';
  return isActive(uri) ? 'activeEditor' : 'other';
}

const getRecordKey = ({ connection, kind, id }: RecordAddress): string => `${connection}/${kind.collection}/${id}`;

function getEditorState(uri: string): EditorState | undefined {
  const document = findOpenDocument(uri);
  return (
    document && {
      get text() {
        return document.getText();
      },
      isDirty: document.isDirty,
      get isUnsaved() {
        return isUnsaved(document);
      },
    }
  );
}

const BASES_STATE_KEY = 'mailing.documents.bases';
const MAX_STORED_BASES = 200;

/** Stores the bases of dirty editors in the workspace state. */
function createBaseStore(state: vscode.Memento): BaseStore {
  const readAll = (): Readonly<Record<string, Version>> => state.get<Record<string, Version>>(BASES_STATE_KEY, {});
  return {
    get: (uri) => readAll()[uri],
    set: (uri, base) => {
      const { [uri]: previous, ...others } = readAll();
      if (previous?.fingerprint === base?.fingerprint) return;
      const entries = Object.entries(others).slice(-MAX_STORED_BASES);
      if (base !== undefined) entries.push([uri, base]);
      void state.update(BASES_STATE_KEY, Object.fromEntries(entries));
    },
  };
}
