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

/** What the open records need, and whom they tell. */
export interface OpenRecordsOptions {
  readonly connections: DocumentConnections;
  readonly state: vscode.Memento;
  readonly prompts: Prompts;
  readonly guard: SaveGuard;
  /** The document a URI names, or undefined where it names none of ours. */
  find(uri: vscode.Uri): DocumentAddress | undefined;
  notifyChanged(changes: readonly vscode.FileChangeEvent[]): void;
  notifySaved(saved: SavedDocument): void;
  notifyRead(address: RecordAddress, record: AnyRecord): void;
  notifyFailed(address: DocumentAddress, error: unknown): void;
}

/** The records that are in use, with what VS Code tells of their editors. */
export class OpenRecords implements vscode.Disposable {
  readonly #options: OpenRecordsOptions;
  readonly #records = new Map<string, OpenRecord>();
  readonly #bases: BaseStore;
  readonly #diagnostics = vscode.languages.createDiagnosticCollection('mailing');
  readonly #subscriptions: readonly vscode.Disposable[];

  constructor(parts: OpenRecordsOptions) {
    this.#options = parts;
    this.#bases = createBaseStore(parts.state);
    const { workspace, window } = vscode;
    this.#subscriptions = [
      this.#diagnostics,
      workspace.onDidOpenTextDocument((document) => this.#findDocument(document)?.handleOpen()),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) =>
        this.#findDocument(document)?.handleEdit(contentChanges.length > 0),
      ),
      workspace.onWillSaveTextDocument(({ document, reason }) => {
        const address = parts.find(document.uri);
        if (address === undefined) return;
        parts.guard.recordCause(document.uri.toString(), getSaveCause(document.uri, reason));
        this.get(address).beginSave(address);
      }),
      workspace.onDidSaveTextDocument((document) => {
        if (this.#findDocument(document)?.endSave())
          parts.notifyChanged([{ type: vscode.FileChangeType.Changed, uri: document.uri }]);
      }),
      workspace.onDidCloseTextDocument((document) => {
        // A change of language closes and opens a document, edits and all: what it is based on stays then.
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

  /** A record, which is in use from now on. */
  get(address: RecordAddress): OpenRecord {
    const key = getRecordKey(address);
    const known = this.#records.get(key);
    if (known !== undefined) return known;
    const record = new OpenRecord(address, this.#createHost(address));
    this.#records.set(key, record);
    return record;
  }

  /** Whether a record is in use: of any other, nothing is shown. */
  isUsed(address: RecordAddress): boolean {
    return this.#records.has(getRecordKey(address));
  }

  getDocument(address: DocumentAddress): OpenDocument {
    return this.get(address).getDocument(address);
  }

  /** Stores one document. Throws what keeps it from being stored; where its text can't be read, that is shown at its line. */
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
    const {
      connections,
      prompts: questions,
      notifyChanged: changed,
      notifySaved: saved,
      notifyRead: seen,
    } = this.#options;
    const all = (type: vscode.FileChangeType, addresses: readonly DocumentAddress[]) =>
      addresses.map(({ uri }) => ({ type, uri }));
    const { Changed, Deleted } = vscode.FileChangeType;
    return {
      read: () => connections.run(connection, (client) => kind.read(client, id, { connection })),
      update: (record: AnyRecord, fields) =>
        connections.run(connection, (client) => kind.update(client, record, fields, { connection })),
      getEditor: getEditorState,
      bases: this.#bases,
      prompts: questions,
      notifyChanged: (others, deleted) => changed([...all(Changed, others), ...all(Deleted, deleted)]),
      notifySaved: saved,
      notifyRead: (record) => seen(address, record),
      schedule: schedule,
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

/** Runs a task later. Returns what cancels it. */
export function schedule(ms: number, task: () => void): () => void {
  const timer = setTimeout(task, ms);
  return () => clearTimeout(timer);
}

function getSaveCause(uri: vscode.Uri, reason: vscode.TextDocumentSaveReason): SaveCause {
  if (reason !== vscode.TextDocumentSaveReason.Manual) return 'autoSave';
  return isActive(uri) ? 'activeEditor' : 'other';
}

const getRecordKey = ({ connection, kind, id }: RecordAddress): string => `${connection}/${kind.collection}/${id}`;

/** An open document as an editor shows it. */
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

/** What dirty editors are based on, in the workspace's state. */
function createBaseStore(state: vscode.Memento): BaseStore {
  const all = (): Readonly<Record<string, Version>> => state.get<Record<string, Version>>(BASES_STATE_KEY, {});
  return {
    get: (uri) => all()[uri],
    set: (uri, base) => {
      const { [uri]: previous, ...others } = all();
      if (previous?.fingerprint === base?.fingerprint) return;
      const entries = Object.entries(others).slice(-MAX_STORED_BASES);
      if (base !== undefined) entries.push([uri, base]);
      void state.update(BASES_STATE_KEY, Object.fromEntries(entries));
    },
  };
}
