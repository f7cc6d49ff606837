import { hashText } from '../../sync/fields/fields.ts';
import { isSameText } from './differences.ts';
import type { DocumentAddress, Fields } from './model.ts';

/** One state of a document's content. Persisted in the workspace state. */
export interface Version {
  readonly fingerprint: string;
  /** When this content was first read, in ms since the epoch: the document's `mtime`. */
  readonly mtime: number;
  /** Size of the UTF-8 encoding, in bytes. */
  readonly size: number;
}

/** The state of a document's editor. */
export interface EditorState {
  readonly text: string;
  /** `TextDocument.isDirty`. */
  readonly isDirty: boolean;
  /** Whether there are edits. VS Code reports a document as clean if the user typed while it was being saved. */
  readonly isUnsaved: boolean;
}

/** Persists the versions that edits are based on, so that an editor restored from a backup still detects conflicts. */
export interface BaseStore {
  get(uri: string): Version | undefined;
  set(uri: string, base: Version | undefined): void;
}

/** The editors of a window. */
export interface EditorWindow {
  getEditor(uri: string): EditorState | undefined;
  readonly bases: BaseStore;
}

export interface WriteBase {
  /** True if an editor saves its text, false for a write through the file system. */
  readonly byEditor: boolean;
  /** Hash of the base. 'unknown' if the editor has no recorded base; undefined if nothing has read the document. */
  readonly hash: string | undefined;
}

/** The last result of saving a document. In a conflict, another user wrote the text with the hash `theirs`. 'pending': the prompt is visible. */
type Result =
  | { readonly kind: 'none' | 'deleted' }
  | { readonly kind: 'inConflict'; readonly theirs: string; readonly answer: 'pending' | 'overwrite' | 'none' };

const NONE: Result = { kind: 'none' };
const MAX_HISTORY = 8;

/**
 * One document of an open record: the versions read from the service, the base of its edits, and the state of its saves. The base is always
 * the text that the editor last showed without edits; reads for other purposes don't change it. Independent of VS Code.
 */
export class OpenDocument {
  readonly address: DocumentAddress;
  readonly #uri: string;
  readonly #window: EditorWindow;
  #result: Result = NONE;
  /** The save in progress. */
  #save: 'pending' | 'stored' | 'storedModified' | undefined;
  /** Versions read from the service, oldest first. */
  #history: readonly Version[] = [];
  #base: Version | undefined;
  /** The base before the last edit, while VS Code still reports the editor as clean. */
  #previousBase: Version | undefined;
  /** Hash of the last text that anything read, for writes without an editor. */
  #lastReadHash: string | undefined;
  /** Fields sent since the last confirmed save. The service may store any of them. */
  #sentFields: readonly Fields[] = [];

  constructor(address: DocumentAddress, window: EditorWindow) {
    this.address = address;
    this.#uri = address.uri.toString();
    this.#window = window;
  }

  get state(): Result['kind'] | 'saving' | 'dirty' | 'clean' {
    if (this.#save !== undefined) return 'saving';
    if (this.#result.kind !== 'none') return this.#result.kind;
    return this.#editor?.isUnsaved ? 'dirty' : 'clean';
  }

  /** Records that a text was read, by an editor or otherwise. */
  recordRead(text: string): void {
    this.#lastReadHash = hashText(text);
    // VS Code fires no change event if the editor already shows this text.
    const editor = this.#editor;
    if (editor && isSameText(editor.text, text)) this.#setBaseIfRead(text);
  }

  /** Records the text on the service. `mtime` changes only with the content. `changed`: an earlier read had another content. */
  recordVersion(text: string): { readonly version: Version; readonly changed: boolean } {
    if (this.#result.kind === 'deleted') this.#result = NONE;
    const hash = hashText(text);
    const size = Buffer.byteLength(text);
    const last = this.#history.at(-1);
    const previous = last ?? this.#window.bases.get(this.#uri);
    const isUnchanged = previous?.fingerprint === hash && previous.size === size;
    if (isUnchanged && previous === last) return { version: previous, changed: false };
    const version = isUnchanged
      ? previous
      : { fingerprint: hash, mtime: Math.max(Date.now(), (last?.mtime ?? 0) + 1), size };
    this.#history = [...this.#history, version].slice(-MAX_HISTORY);
    return { version, changed: last !== undefined };
  }

  /** Whether the editor shows the last text read from the service, so that it needs no reload. */
  get isUpToDate(): boolean {
    const editor = this.#editor;
    const isUpToDate = editor !== undefined && hashText(editor.text) === this.#history.at(-1)?.fingerprint;
    if (isUpToDate && !editor.isDirty) this.#setBaseIfRead(editor.text);
    return isUpToDate;
  }

  /** Handles a newly opened editor. A text without edits must have been read, if only by an earlier session. */
  handleOpen(): void {
    this.#syncBase();
    const editor = this.#editor;
    if (editor && !editor.isUnsaved && !this.#currentBase) this.#setUnreadBase(editor.text);
  }

  /**
   * Handles a change of the editor's text or dirty state. VS Code reports the dirty state shortly after the first edit, so an edit that
   * restores an earlier text must not count as a read of that text.
   */
  handleEdit(hasTextChanged: boolean): void {
    const isDirty = this.#editor?.isDirty === true;
    const previous = this.#previousBase;
    this.#previousBase = !isDirty && hasTextChanged ? this.#currentBase : undefined;
    if (isDirty && !hasTextChanged && previous) this.#base = previous;
    if (!isDirty && this.state === 'inConflict' && !this.#editor?.isUnsaved) this.#result = NONE;
    this.#syncBase();
  }

  handleClose(): void {
    this.#result = NONE;
    this.#save = undefined;
    this.#previousBase = undefined;
    this.#lastReadHash = undefined;
    this.#setBase(undefined);
  }

  beginSave(): void {
    this.#save = 'pending';
  }

  /** Whether a save has begun without a result so far. */
  get isSavePending(): boolean {
    return this.#save === 'pending';
  }

  /**
   * Returns size and time for VS Code's check during a save, or undefined if there is no save. The check must pass, because `save` compares
   * the content itself.
   */
  get statDuringSave(): Pick<Version, 'size' | 'mtime'> | undefined {
    if (this.#save === undefined) return undefined;
    const base = this.#currentBase;
    // An `mtime` older than the editor's passes the check.
    return this.isSavePending ? { size: base?.size ?? 0, mtime: 0 } : base;
  }

  getWriteBase(text: string): WriteBase {
    const editor = this.#editor;
    const byEditor = editor !== undefined && (this.#save !== undefined || isSameText(editor.text, text));
    return { byEditor, hash: byEditor ? (this.#currentBase?.fingerprint ?? 'unknown') : this.#lastReadHash };
  }

  /** Records sent fields: if the service has them, they are no conflict. */
  recordSent(fields: Fields): void {
    this.#sentFields = [...this.#sentFields, fields];
  }

  hasSent(isStored: (fields: Fields) => boolean): boolean {
    return this.#sentFields.some(isStored);
  }

  /**
   * Completes a save. Later edits are based on the stored text. If the service stored a different text, they are based on the sent text
   * until the editor shows the stored one.
   * @param sent the sent text, if the service stored a different one
   */
  recordStored(text: string, { byEditor }: WriteBase, sent?: string): void {
    this.#sentFields = [];
    this.#result = NONE;
    this.updateBase(text, byEditor, sent);
  }

  /** Updates the base without completing a save. */
  updateBase(text: string, byEditor: boolean, sent?: string): void {
    this.recordRead(text);
    // A write through the file system is no base of the editor's edits.
    const editor = this.#editor;
    if (!byEditor || !editor) return;
    if (this.#save !== undefined) this.#save = sent === undefined ? 'stored' : 'storedModified';
    if (sent === undefined) this.#setBaseIfRead(text);
    else this.#setUnreadBase(sent);
    // The user typed during the save and may not type again before the window closes.
    if (!isSameText(editor.text, sent ?? text)) this.#persistBase();
  }

  /** Ends a save that VS Code reported as done. Returns whether the editor shows a text that differs from the stored one. */
  endSave(): boolean {
    const isStale = this.#save === 'storedModified';
    this.#save = undefined;
    return isStale;
  }

  failSave(): void {
    this.#save = undefined;
  }

  /** Enters a conflict with another user's text. Returns whether to show a prompt: false if it is already visible. */
  enterConflict(theirs: string): boolean {
    if (this.#getAnswer(theirs) === 'pending') return false;
    this.#result = { kind: 'inConflict', theirs, answer: 'pending' };
    return true;
  }

  /** Records the user's choice for the text with this hash. */
  resolveConflict(theirs: string, answer: 'overwrite' | 'none'): void {
    if (this.#getAnswer(theirs) !== undefined) this.#result = { kind: 'inConflict', theirs, answer };
  }

  /** Returns whether the user chose to overwrite exactly this text. */
  canOverwrite(theirs: string): boolean {
    return this.#getAnswer(theirs) === 'overwrite';
  }

  /** The record was deleted, or no longer has this document. */
  markDeleted(): void {
    this.#result = { kind: 'deleted' };
  }

  get #editor() {
    return this.#window.getEditor(this.#uri);
  }

  get #currentBase() {
    return this.#base ?? this.#window.bases.get(this.#uri);
  }

  /** Returns the user's answer to the conflict with a text; undefined if there is no such conflict. */
  #getAnswer(theirs: string) {
    return this.#result.kind === 'inConflict' && this.#result.theirs === theirs ? this.#result.answer : undefined;
  }

  #syncBase() {
    const editor = this.#editor;
    if (!editor) return;
    // `isUnsaved` checks the tabs, which lag behind the document, so it decides only if the text isn't a recorded version.
    if (editor.isDirty || (!this.#setBaseIfRead(editor.text) && editor.isUnsaved)) this.#persistBase();
  }

  /** Uses a text as base if it was read from the service. Returns false otherwise: then it is an edit. */
  #setBaseIfRead(text: string) {
    const hash = hashText(text);
    const version = this.#history.findLast(({ fingerprint }) => fingerprint === hash);
    if (version) this.#setBase(version);
    return version !== undefined;
  }

  /**
   * Uses a text as base that wasn't read in this session: the sent text that the service stored differently, or a text read by an earlier
   * session.
   */
  #setUnreadBase(text: string) {
    const latest = this.#history.at(-1)?.mtime ?? Date.now();
    // An `mtime` older than the service's text makes an editor reload.
    this.#setBase({ fingerprint: hashText(text), mtime: latest - 1, size: Buffer.byteLength(text) });
  }

  /** Sets the base of an editor without edits, which needs no stored one. */
  #setBase(base: Version | undefined) {
    this.#base = base;
    this.#window.bases.set(this.#uri, undefined);
  }

  #persistBase() {
    if (this.#base) this.#window.bases.set(this.#uri, this.#base);
  }
}
