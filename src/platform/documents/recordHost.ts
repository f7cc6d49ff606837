import type { AnyRecord, DocumentAddress, Fields } from './model.ts';
import type { Bases, Editor, OpenDocument } from './openDocument.ts';

/** A document that was stored: its record as it was before, and as it is now. */
export interface Saved {
  readonly address: DocumentAddress;
  readonly before: AnyRecord;
  readonly record: AnyRecord;
}

/** What an open record needs of the service and of the window. */
export interface RecordHost {
  read(): Promise<AnyRecord>;
  update(record: AnyRecord, fields: Fields): Promise<void>;
  /** The editor that a document is open in. */
  editor(uri: string): Editor | undefined;
  readonly bases: Bases;
  readonly questions: Questions;
  /** The content of documents is another one, or there is none any more. */
  changed(changed: readonly DocumentAddress[], deleted: readonly DocumentAddress[]): void;
  saved(saved: Saved): void;
  seen(record: AnyRecord): void;
  /** Runs a task later. Gives what cancels it. */
  later(ms: number, task: () => void): () => void;
}

/** What the user is asked and told. None of these waits for an answer. */
export interface Questions {
  /** Somebody else wrote `theirs`. */
  inConflict(document: OpenDocument, theirs: string): void;
  /** A document was stored, but not as it was sent. */
  keptDifferently(address: DocumentAddress, fields: readonly string[], sent: string, kept: string): void;
  /** The service holds an earlier text of ours again, stored late over `mine`. */
  storedLate(document: OpenDocument, mine: string, theirs: string): void;
}

/** The newest answer of the service, while it is fresh, and who was given it: nobody is given the same twice for the same. */
export interface Answer {
  readonly record: AnyRecord;
  readonly given: Set<string>;
  readonly forget: () => void;
}
