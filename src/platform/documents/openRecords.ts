import * as vscode from 'vscode';
import type { ConflictPrompts } from './conflictPrompts.ts';
import type { DocumentAddress, DocumentConnections, RecordAddress } from './model.ts';
import type { BaseStore, EditorState, Version } from './openDocument.ts';
import { OpenRecord, type RecordWindow } from './openRecord.ts';
import type { DocumentRegistry } from './registry.ts';
import type { SaveCause, SaveGuard } from './saveGuard.ts';
import { findOpenDocument, isActive, isUnsaved } from './unsaved.ts';

/** The records in use, and the window's editors of their documents. */
export function createOpenRecords(
  registry: DocumentRegistry,
  connections: DocumentConnections,
  state: vscode.Memento,
  prompts: ConflictPrompts,
  guard: SaveGuard,
) {
  const records = new Map<string, OpenRecord>();
  const recordWindow: RecordWindow = {
    bases: createBaseStore(state),
    getEditor,
    handleRead: (address, { record, changed, deleted }) => {
      const { change, read } = registry.emitters;
      if (record !== undefined) read.fire({ address, record });
      const { Changed, Deleted } = vscode.FileChangeType;
      const changes = [
        ...changed.map(({ uri }) => ({ type: Changed, uri })),
        ...deleted.map(({ uri }) => ({ type: Deleted, uri })),
      ];
      if (changes.length > 0) change.fire(changes);
    },
    handleLateSave: (...save) => prompts.showLateSave(...save),
  };
  const { workspace, window } = vscode;
  const subscriptions = vscode.Disposable.from(
    workspace.onDidOpenTextDocument(({ uri }) => find(uri)?.handleOpen()),
    workspace.onDidChangeTextDocument(({ document: { uri }, contentChanges }) =>
      find(uri)?.handleEdit(contentChanges.length > 0),
    ),
    workspace.onWillSaveTextDocument(({ document: { uri }, reason }) => {
      const address = registry.find(uri);
      if (address === undefined) return;
      guard.recordCause(uri.toString(), getSaveCause(uri, reason));
      get(address).beginSave(address);
    }),
    workspace.onDidSaveTextDocument(({ uri }) => {
      if (find(uri)?.endSave()) registry.emitters.change.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    }),
    workspace.onDidCloseTextDocument((document) => {
      // VS Code closes and reopens a document when its language changes. Its edits survive, so its base must too.
      if (!isUnsaved(document)) find(document.uri)?.handleClose();
    }),
    window.onDidChangeWindowState(({ focused }) => {
      if (focused) for (const record of records.values()) void record.uncertainWrites.check();
    }),
    window.onDidChangeActiveTextEditor((editor) => recheckUncertainWrites(editor?.document.uri)),
    window.tabGroups.onDidChangeTabs(({ changed }) => {
      for (const tab of changed)
        if (tab.isActive && tab.input instanceof vscode.TabInputCustom) recheckUncertainWrites(tab.input.uri);
    }),
  );
  for (const { uri } of workspace.textDocuments) find(uri)?.handleOpen();

  function get(address: RecordAddress) {
    const key = `${address.connection}/${address.kind.collection}/${address.id}`;
    const last = records.get(key);
    if (last !== undefined && !last.isReplaceable) return last;
    last?.dispose();
    const record = new OpenRecord(address, connections, recordWindow);
    records.set(key, record);
    return record;
  }

  function getDocument(address: DocumentAddress) {
    return get(address).getDocument(address);
  }

  function find(uri: vscode.Uri) {
    const address = registry.find(uri);
    return address && getDocument(address);
  }

  function recheckUncertainWrites(uri: vscode.Uri | undefined) {
    const address = uri && registry.find(uri);
    if (address !== undefined) void get(address).uncertainWrites.check();
  }

  return {
    get,
    getDocument,
    dispose: () => {
      subscriptions.dispose();
      for (const record of records.values()) record.dispose();
    },
  };
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
      if (base !== undefined) entries.push([uri, base]);
      void state.update(BASES_STATE_KEY, Object.fromEntries(entries));
    },
  };
}
