import type { AnyRecord, DocumentAddress, Fields } from './model.ts';
import type { BaseStore, EditorState, OpenDocument } from './openDocument.ts';

/** A stored document, with its record before and after. */
export interface SavedDocument {
  readonly address: DocumentAddress;
  readonly before: AnyRecord;
  readonly record: AnyRecord;
}

/** The service and the window, as an open record uses them. */
export interface RecordHost {
  read(): Promise<AnyRecord>;
  update(record: AnyRecord, fields: Fields): Promise<void>;
  getEditor(uri: string): EditorState | undefined;
  readonly bases: BaseStore;
  readonly prompts: Prompts;
  /** Reports documents whose content changed, and deleted documents. */
  notifyChanged(changed: readonly DocumentAddress[], deleted: readonly DocumentAddress[]): void;
  notifySaved(saved: SavedDocument): void;
  notifyRead(record: AnyRecord): void;
  /** Runs a task after a delay. Returns a function that cancels it. */
  schedule(ms: number, task: () => void): () => void;
}

/** Prompts and notifications. None of these methods waits for the user. */
export interface Prompts {
  /** Another user wrote `theirs`. */
  showConflict(document: OpenDocument, theirs: string): void;
  /** The service stored `stored` instead of `sent`. */
  showStoredDifferently(address: DocumentAddress, fields: readonly string[], sent: string, stored: string): void;
  /** A late save has replaced `mine` by the earlier text `theirs`. */
  showLateSave(document: OpenDocument, mine: string, theirs: string): void;
}

/** The last read, while it is fresh. Each purpose may use it once. */
export interface CachedRead {
  readonly record: AnyRecord;
  readonly purposes: Set<string>;
  readonly cancelExpiry: () => void;
}
