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

export type OpenDocument = ReturnType<typeof createOpenDocument>;

/**
 * One document of an open record: the versions read from the service, the base of its edits, and the state of its saves. The base is the
 * text that the editor last showed without edits; reads for other purposes don't change it. Independent of VS Code.
 */
export function createOpenDocument(address: DocumentAddress, window: EditorWindow) {
  const uri = address.uri.toString();
  let result: Result = NONE;
  /** The save in progress. */
  let save: 'pending' | 'stored' | 'storedModified' | undefined;
  /** Versions read from the service, oldest first. */
  let history: readonly Version[] = [];
  let base: Version | undefined;
  /** The base before the last edit, while VS Code still reports the editor as clean. */
  let previousBase: Version | undefined;
  /** Hash of the last text that anything read, for writes without an editor. */
  let lastReadHash: string | undefined;
  /** Fields sent since the last confirmed save. The service may store any of them. */
  let sentFields: readonly Fields[] = [];

  const getEditor = () => window.getEditor(uri);
  const getBase = () => base ?? window.bases.get(uri);

  function getState() {
    if (save !== undefined) return 'saving';
    if (result.kind !== 'none') return result.kind;
    return getEditor()?.isUnsaved === true ? 'dirty' : 'clean';
  }

  /** Records that a text was read, by an editor or otherwise. */
  function recordRead(text: string) {
    lastReadHash = hashText(text);
    // VS Code fires no change event if the editor already shows this text.
    const editor = getEditor();
    if (editor !== undefined && isSameText(editor.text, text)) setBaseIfRead(text);
  }

  /** Updates the base without completing a save. */
  function updateBase(text: string, byEditor: boolean, sent?: string) {
    recordRead(text);
    // A write through the file system is no base of the editor's edits.
    const editor = getEditor();
    if (!byEditor || editor === undefined) return;
    if (save !== undefined) save = sent === undefined ? 'stored' : 'storedModified';
    if (sent === undefined) setBaseIfRead(text);
    else setUnreadBase(sent);
    // The user typed during the save and may not type again before the window closes.
    if (!isSameText(editor.text, sent ?? text)) persistBase();
  }

  function syncBase() {
    const editor = getEditor();
    if (editor === undefined) return;
    // `isUnsaved` checks the tabs, which lag behind the document, so it decides only if the text isn't a recorded version.
    if (editor.isDirty || (!setBaseIfRead(editor.text) && editor.isUnsaved)) persistBase();
  }

  /** Uses a text as base if it was read from the service. Returns false otherwise: then it is an edit. */
  function setBaseIfRead(text: string) {
    const hash = hashText(text);
    const version = history.findLast(({ fingerprint }) => fingerprint === hash);
    if (version === undefined) return false;
    base = version;
    window.bases.set(uri, undefined);
    return true;
  }

  /**
   * Uses a text as base that wasn't read in this session: the sent text that the service stored differently, or a text read by an earlier
   * session.
   */
  function setUnreadBase(text: string) {
    const latest = history.at(-1)?.mtime ?? Date.now();
    // An `mtime` older than the service's text makes an editor reload.
    base = { fingerprint: hashText(text), mtime: latest - 1, size: Buffer.byteLength(text) };
    window.bases.set(uri, undefined);
  }

  function persistBase() {
    if (base !== undefined) window.bases.set(uri, base);
  }

  return {
    address,
    get state() {
      return getState();
    },
    recordRead,
    updateBase,
    /** Records the text on the service. `mtime` changes only with the content. `changed`: an earlier read had another content. */
    recordVersion(text: string) {
      if (result.kind === 'deleted') result = NONE;
      const hash = hashText(text);
      const size = Buffer.byteLength(text);
      const last = history.at(-1);
      const previous = last ?? window.bases.get(uri);
      const isUnchanged = previous?.fingerprint === hash && previous.size === size;
      if (isUnchanged && previous === last) return { version: previous, changed: false };
      const version = isUnchanged
        ? previous
        : { fingerprint: hash, mtime: Math.max(Date.now(), (last?.mtime ?? 0) + 1), size };
      history = [...history, version].slice(-MAX_HISTORY);
      return { version, changed: last !== undefined };
    },
    /** Whether the editor shows the last text read from the service, so that it needs no reload. */
    get isUpToDate() {
      const editor = getEditor();
      const isUpToDate = editor !== undefined && hashText(editor.text) === history.at(-1)?.fingerprint;
      if (isUpToDate && !editor.isDirty) setBaseIfRead(editor.text);
      return isUpToDate;
    },
    /** Handles a newly opened editor. A text without edits must have been read, if only by an earlier session. */
    handleOpen() {
      syncBase();
      const editor = getEditor();
      if (editor !== undefined && !editor.isUnsaved && getBase() === undefined) setUnreadBase(editor.text);
    },
    /**
     * Handles a change of the editor's text or dirty state. VS Code reports the dirty state shortly after the first edit, so an edit that
     * restores an earlier text must not count as a read of that text.
     */
    handleEdit(hasTextChanged: boolean) {
      const isDirty = getEditor()?.isDirty === true;
      const previous = previousBase;
      previousBase = !isDirty && hasTextChanged ? getBase() : undefined;
      if (isDirty && !hasTextChanged && previous !== undefined) base = previous;
      if (!isDirty && getState() === 'inConflict' && !getEditor()?.isUnsaved) result = NONE;
      syncBase();
    },
    handleClose() {
      result = NONE;
      save = undefined;
      base = undefined;
      previousBase = undefined;
      lastReadHash = undefined;
      window.bases.set(uri, undefined);
    },
    beginSave() {
      save = 'pending';
    },
    /** Whether a save has begun without a result so far. */
    get isSavePending() {
      return save === 'pending';
    },
    /**
     * Returns size and time for VS Code's check during a save, or undefined if there is no save. The check must pass, because `save` compares
     * the content itself.
     */
    get statDuringSave() {
      if (save === undefined) return undefined;
      const current = getBase();
      // An `mtime` older than the editor's passes the check.
      return save === 'pending' ? { size: current?.size ?? 0, mtime: 0 } : current;
    },
    getWriteBase(text: string): WriteBase {
      const editor = getEditor();
      const byEditor = editor !== undefined && (save !== undefined || isSameText(editor.text, text));
      return { byEditor, hash: byEditor ? (getBase()?.fingerprint ?? 'unknown') : lastReadHash };
    },
    /** Records sent fields: if the service has them, they are no conflict. */
    recordSent(fields: Fields) {
      sentFields = [...sentFields, fields];
    },
    hasSent(isStored: (fields: Fields) => boolean) {
      return sentFields.some(isStored);
    },
    /**
     * Completes a save. Later edits are based on the stored text. If the service stored a different text, they are based on the sent text
     * until the editor shows the stored one.
     * @param sent the sent text, if the service stored a different one
     */
    recordStored(text: string, { byEditor }: WriteBase, sent?: string) {
      sentFields = [];
      result = NONE;
      updateBase(text, byEditor, sent);
    },
    /** Ends a save that VS Code reported as done. Returns whether the editor shows a text that differs from the stored one. */
    endSave() {
      const isStale = save === 'storedModified';
      save = undefined;
      return isStale;
    },
    failSave() {
      save = undefined;
    },
    /** Enters a conflict with another user's text. Returns whether to show a prompt: false if it is already visible. */
    enterConflict(theirs: string) {
      if (result.kind === 'inConflict' && result.theirs === theirs && result.answer === 'pending') return false;
      result = { kind: 'inConflict', theirs, answer: 'pending' };
      return true;
    },
    /** Records the user's choice for the text with this hash. */
    resolveConflict(theirs: string, answer: 'overwrite' | 'none') {
      if (result.kind === 'inConflict' && result.theirs === theirs) result = { ...result, answer };
    },
    /** Returns whether the user chose to overwrite exactly this text. */
    canOverwrite(theirs: string) {
      return result.kind === 'inConflict' && result.theirs === theirs && result.answer === 'overwrite';
    },
    /** The record was deleted, or no longer has this document. */
    markDeleted() {
      result = { kind: 'deleted' };
    },
  };
}
