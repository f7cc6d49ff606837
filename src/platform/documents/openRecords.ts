import * as vscode from 'vscode';
import { findOpen, isActive, isUnsaved } from './unsaved.ts';
import {
  InvalidDocument,
  type AnyRecord,
  type DocumentAddress,
  type DocumentConnections,
  type RecordAddress,
} from './model.ts';
import type { Bases, Editor, OpenDocument, Version } from './openDocument.ts';
import { OpenRecord } from './openRecord.ts';
import type { Questions, RecordHost, Saved } from './recordHost.ts';
import type { SaveCause, SaveGuard } from './saveGuard.ts';

/** What the open records need, and whom they tell. */
export interface OpenRecordsParts {
  readonly connections: DocumentConnections;
  readonly state: vscode.Memento;
  readonly questions: Questions;
  readonly guard: SaveGuard;
  /** The document a URI names, or undefined where it names none of ours. */
  find(uri: vscode.Uri): DocumentAddress | undefined;
  changed(changes: readonly vscode.FileChangeEvent[]): void;
  saved(saved: Saved): void;
  seen(address: RecordAddress, record: AnyRecord): void;
  failed(address: DocumentAddress, error: unknown): void;
}

/** The records that are in use, with what VS Code tells of their editors. */
export class OpenRecords implements vscode.Disposable {
  readonly #parts: OpenRecordsParts;
  readonly #records = new Map<string, OpenRecord>();
  readonly #bases: Bases;
  readonly #problems = vscode.languages.createDiagnosticCollection('mailing');
  readonly #subscriptions: readonly vscode.Disposable[];

  constructor(parts: OpenRecordsParts) {
    this.#parts = parts;
    this.#bases = basesIn(parts.state);
    const { workspace, window } = vscode;
    this.#subscriptions = [
      this.#problems,
      workspace.onDidOpenTextDocument((document) => this.#documentOf(document)?.opened()),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) =>
        this.#documentOf(document)?.edited(contentChanges.length > 0),
      ),
      workspace.onWillSaveTextDocument(({ document, reason }) => {
        const address = parts.find(document.uri);
        if (address === undefined) return;
        parts.guard.announce(document.uri.toString(), causeOfSave(document.uri, reason));
        this.of(address).announce(address);
      }),
      workspace.onDidSaveTextDocument((document) => {
        if (this.#documentOf(document)?.saveEnded())
          parts.changed([{ type: vscode.FileChangeType.Changed, uri: document.uri }]);
      }),
      workspace.onDidCloseTextDocument((document) => {
        // A change of language closes and opens a document, edits and all: what it is based on stays then.
        if (!isUnsaved(document)) this.#documentOf(document)?.closed();
      }),
      window.onDidChangeWindowState(({ focused }) => {
        if (focused) for (const record of this.#records.values()) record.lookedAt();
      }),
      window.onDidChangeActiveTextEditor((editor) => this.#lookedAt(editor?.document.uri)),
      window.tabGroups.onDidChangeTabs(({ changed }) => {
        for (const { isActive, input } of changed)
          if (isActive && input instanceof vscode.TabInputCustom) this.#lookedAt(input.uri);
      }),
    ];
    for (const document of workspace.textDocuments) this.#documentOf(document)?.opened();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#parts.guard.dispose();
    for (const record of this.#records.values()) record.dispose();
  }

  /** A record, which is in use from now on. */
  of(address: RecordAddress): OpenRecord {
    const key = keyOf(address);
    const known = this.#records.get(key);
    if (known !== undefined) return known;
    const record = new OpenRecord(address, this.#hostOf(address));
    this.#records.set(key, record);
    return record;
  }

  /** Whether a record is in use: of any other, nothing is shown. */
  isUsed(address: RecordAddress): boolean {
    return this.#records.has(keyOf(address));
  }

  document(address: DocumentAddress): OpenDocument {
    return this.of(address).document(address);
  }

  /** Stores one document. Throws what keeps it from being stored; where its text can't be read, that is shown at its line. */
  async save(address: DocumentAddress, text: string): Promise<void> {
    this.#problems.delete(address.uri);
    try {
      await this.#allow(address);
      await this.of(address).save(address, text);
    } catch (error) {
      const cause = error instanceof InvalidDocument ? this.#atItsLine(address, error) : error;
      this.#parts.failed(address, cause);
      throw cause;
    }
  }

  async #allow(address: DocumentAddress): Promise<void> {
    try {
      await this.#parts.guard.check(address);
    } catch (error) {
      this.document(address).notStored();
      throw error;
    }
  }

  #atItsLine({ uri }: DocumentAddress, { message, line, column }: InvalidDocument): vscode.FileSystemError {
    const problem = new vscode.Diagnostic(
      new vscode.Range(line, column, line, column + 1),
      message,
      vscode.DiagnosticSeverity.Error,
    );
    problem.source = 'Mailing Studio';
    this.#problems.set(uri, [problem]);
    return vscode.FileSystemError.Unavailable(`Line ${line + 1}: ${message} Nothing was sent.`);
  }

  #hostOf(address: RecordAddress): RecordHost {
    const { connection, kind, id } = address;
    const { connections, questions, changed, saved, seen } = this.#parts;
    const all = (type: vscode.FileChangeType, addresses: readonly DocumentAddress[]) =>
      addresses.map(({ uri }) => ({ type, uri }));
    const { Changed, Deleted } = vscode.FileChangeType;
    return {
      read: () => connections.run(connection, (client) => kind.read(client, id, { connection })),
      update: (record: AnyRecord, fields) =>
        connections.run(connection, (client) => kind.update(client, record, fields, { connection })),
      editor: editorOf,
      bases: this.#bases,
      questions,
      changed: (others, deleted) => changed([...all(Changed, others), ...all(Deleted, deleted)]),
      saved,
      seen: (record) => seen(address, record),
      later,
    };
  }

  #documentOf({ uri }: vscode.TextDocument): OpenDocument | undefined {
    const address = this.#parts.find(uri);
    return address && this.document(address);
  }

  #lookedAt(uri: vscode.Uri | undefined): void {
    const address = uri && this.#parts.find(uri);
    if (address !== undefined) this.of(address).lookedAt();
  }
}

/** Runs a task later. Returns what cancels it. */
export function later(ms: number, task: () => void): () => void {
  const timer = setTimeout(task, ms);
  return () => clearTimeout(timer);
}

function causeOfSave(uri: vscode.Uri, reason: vscode.TextDocumentSaveReason): SaveCause {
  if (reason !== vscode.TextDocumentSaveReason.Manual) return 'autoSave';
  return isActive(uri) ? 'activeEditor' : 'other';
}

const keyOf = ({ connection, kind, id }: RecordAddress): string => `${connection}/${kind.collection}/${id}`;

/** An open document as an editor shows it. */
function editorOf(uri: string): Editor | undefined {
  const document = findOpen(uri);
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

const stateKey = 'mailing.documents.bases';
const maxStored = 200;

/** What dirty editors are based on, in the workspace's state. */
function basesIn(state: vscode.Memento): Bases {
  const all = (): Readonly<Record<string, Version>> => state.get<Record<string, Version>>(stateKey, {});
  return {
    get: (uri) => all()[uri],
    set: (uri, base) => {
      const { [uri]: previous, ...others } = all();
      if (previous?.fingerprint === base?.fingerprint) return;
      const entries = Object.entries(others).slice(-maxStored);
      if (base !== undefined) entries.push([uri, base]);
      void state.update(stateKey, Object.fromEntries(entries));
    },
  };
}
