import * as vscode from 'vscode';
import type { ConflictPrompts } from './conflictPrompts.ts';
import type { DocumentAddress, DocumentConnections, RecordAddress } from './model.ts';
import type { BaseStore, EditorState, OpenDocument, Version } from './openDocument.ts';
import { OpenRecord, type ReadResult, type RecordWindow } from './openRecord.ts';
import type { DocumentRegistry } from './registry.ts';
import type { SaveCause, SaveGuard } from './saveGuard.ts';
import { findOpenDocument, isActive, isUnsaved } from './unsaved.ts';

/** The records in use, and the window's editors of their documents. Each record always has one `OpenRecord`. */
export class OpenRecords implements RecordWindow, vscode.Disposable {
  readonly #registry: DocumentRegistry;
  readonly #connections: DocumentConnections;
  readonly #prompts: ConflictPrompts;
  readonly #records = new Map<string, OpenRecord>();
  readonly #subscriptions: vscode.Disposable;
  readonly bases: BaseStore;
  readonly getEditor = getEditor;

  constructor(
    registry: DocumentRegistry,
    connections: DocumentConnections,
    state: vscode.Memento,
    prompts: ConflictPrompts,
    guard: SaveGuard,
  ) {
    const { workspace, window } = vscode;
    this.#registry = registry;
    this.#connections = connections;
    this.#prompts = prompts;
    this.bases = createBaseStore(state);
    this.#subscriptions = vscode.Disposable.from(
      workspace.onDidOpenTextDocument(({ uri }) => this.#find(uri)?.handleOpen()),
      workspace.onDidChangeTextDocument(({ document: { uri }, contentChanges }) =>
        this.#find(uri)?.handleEdit(contentChanges.length > 0),
      ),
      workspace.onWillSaveTextDocument(({ document: { uri }, reason }) => {
        const address = registry.find(uri);
        if (!address) return;
        guard.recordCause(uri.toString(), getSaveCause(uri, reason));
        this.get(address).beginSave(address);
      }),
      workspace.onDidSaveTextDocument(({ uri }) => {
        if (this.#find(uri)?.endSave()) registry.emitters.change.fire([{ type: vscode.FileChangeType.Changed, uri }]);
      }),
      workspace.onDidCloseTextDocument((document) => {
        // VS Code closes and reopens a document when its language changes. Its edits survive, so its base must too.
        if (!isUnsaved(document)) this.#find(document.uri)?.handleClose();
      }),
      window.onDidChangeWindowState(({ focused }) => {
        if (focused) for (const record of this.#records.values()) void record.uncertainWrites.check();
      }),
      window.onDidChangeActiveTextEditor((editor) => this.#recheckUncertainWrites(editor?.document.uri)),
      window.tabGroups.onDidChangeTabs(({ changed }) => {
        for (const tab of changed)
          if (tab.isActive && tab.input instanceof vscode.TabInputCustom) this.#recheckUncertainWrites(tab.input.uri);
      }),
    );
    for (const { uri } of workspace.textDocuments) this.#find(uri)?.handleOpen();
  }

  get(address: RecordAddress): OpenRecord {
    const key = `${address.connection}/${address.kind.collection}/${address.id}`;
    const last = this.#records.get(key);
    if (last && !last.isReplaceable) return last;
    last?.dispose();
    const record = new OpenRecord(address, this.#connections, this);
    this.#records.set(key, record);
    return record;
  }

  getDocument(address: DocumentAddress): OpenDocument {
    return this.get(address).getDocument(address);
  }

  handleRead(address: RecordAddress, { record, changed, deleted }: ReadResult): void {
    const { change, read } = this.#registry.emitters;
    if (record) read.fire({ address, record });
    const { Changed, Deleted } = vscode.FileChangeType;
    const changes = [
      ...changed.map(({ uri }) => ({ type: Changed, uri })),
      ...deleted.map(({ uri }) => ({ type: Deleted, uri })),
    ];
    if (changes.length > 0) change.fire(changes);
  }

  handleLateSave(document: OpenDocument, mine: string, theirs: string): void {
    this.#prompts.showLateSave(document, mine, theirs);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    for (const record of this.#records.values()) record.dispose();
  }

  #find(uri: vscode.Uri) {
    const address = this.#registry.find(uri);
    return address && this.getDocument(address);
  }

  #recheckUncertainWrites(uri: vscode.Uri | undefined) {
    const address = uri && this.#registry.find(uri);
    if (address) void this.get(address).uncertainWrites.check();
  }
}

function getEditor(uri: string): EditorState | undefined {
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

function getSaveCause(uri: vscode.Uri, reason: vscode.TextDocumentSaveReason): SaveCause {
  if (reason !== vscode.TextDocumentSaveReason.Manual) return 'autoSave';
  return isActive(uri) ? 'activeEditor' : 'other';
}

const BASES_STATE_KEY = 'mailing.documents.bases';
const MAX_STORED_BASES = 200;

/** Stores the bases of dirty editors in the workspace state. */
function createBaseStore(state: vscode.Memento): BaseStore {
  const readAll = () => state.get<Record<string, Version>>(BASES_STATE_KEY, {});
  return {
    get: (uri) => readAll()[uri],
    set: (uri, base) => {
      const { [uri]: previous, ...others } = readAll();
      if (previous?.fingerprint === base?.fingerprint) return;
      const entries = Object.entries(others).slice(-MAX_STORED_BASES);
      if (base) entries.push([uri, base]);
      void state.update(BASES_STATE_KEY, Object.fromEntries(entries));
    },
  };
}
