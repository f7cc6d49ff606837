import type { AnyRecord, DocumentAddress, Fields } from './model.ts';
import type { BaseStore, EditorState, OpenDocument } from './openDocument.ts';

/** A document that was stored: its record as it was before, and as it is now. */
export interface SavedDocument {
  readonly address: DocumentAddress;
  readonly before: AnyRecord;
  readonly record: AnyRecord;
}

/** What an open record needs of the service and of the window. */
export interface RecordHost {
  read(): Promise<AnyRecord>;
  update(record: AnyRecord, fields: Fields): Promise<void>;
  /** The editor that a document is open in. */
  getEditor(uri: string): EditorState | undefined;
  readonly bases: BaseStore;
  readonly prompts: Prompts;
  /** The content of documents is another one, or there is none any more. */
  notifyChanged(changed: readonly DocumentAddress[], deleted: readonly DocumentAddress[]): void;
  notifySaved(saved: SavedDocument): void;
  notifyRead(record: AnyRecord): void;
  /** Runs a task later. Gives what cancels it. */
  schedule(ms: number, task: () => void): () => void;
}

/** What the user is asked and told. None of these waits for an answer. */
export interface Prompts {
  /** Somebody else wrote `theirs`. */
  showConflict(document: OpenDocument, theirs: string): void;
  /** A document was stored, but not as it was sent. */
  showStoredDifferently(address: DocumentAddress, fields: readonly string[], sent: string, kept: string): void;
  /** The service holds an earlier text of ours again, stored late over `mine`. */
  showLateSave(document: OpenDocument, mine: string, theirs: string): void;
}

/** The newest answer of the service, while it is fresh, and who was given it: nobody is given the same twice for the same. */
export interface CachedRead {
  readonly record: AnyRecord;
  readonly purposes: Set<string>;
  readonly cancelExpiry: () => void;
}
