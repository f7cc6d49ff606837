import { hashText, isSameText, type DocumentAddress, type Fields } from './model.ts';

/** One state of a document's content. */
export interface Version {
  readonly fingerprint: string;
  /** When this content was first seen, in ms since the epoch: the document's `mtime`. */
  readonly mtime: number;
  /** Bytes of UTF-8. */
  readonly size: number;
}

/** What an editor shows of a document. */
export interface EditorState {
  readonly text: string;
  /** What VS Code says. */
  readonly isDirty: boolean;
  /** Whether there are edits: VS Code calls a document clean whose user typed on while it was being saved. */
  readonly isUnsaved: boolean;
}

/** What dirty editors are based on, kept beyond this window: one that comes back from a backup still notices that somebody else wrote. */
export interface BaseStore {
  get(uri: string): Version | undefined;
  set(uri: string, base: Version | undefined): void;
}

export interface WriteBase {
  /** An editor writes its text; else somebody writes through the file system. */
  readonly byEditor: boolean;
  /** Fingerprint of the content. `unknown`: nothing tells what an editor's text is based on; undefined: nobody has read the document. */
  readonly hash: string | undefined;
}

/** How far the saving of a document is. Whether it has edits is known to its editor alone. */
type Phase =
  | { readonly kind: 'idle' }
  /** Its editor saves it. `pending`: nothing came of it so far. `rest`: what it goes back to where it is not stored. */
  | {
      readonly kind: 'saving';
      readonly step: 'pending' | 'stored' | 'storedModified';
      readonly rest: SettledPhase;
    }
  /** Somebody else wrote what `theirs` is the fingerprint of. `asked`: the question is on the screen. */
  | { readonly kind: 'inConflict'; readonly theirs: string; readonly answer: 'pending' | 'overwrite' | 'none' }
  | { readonly kind: 'deleted' };
type SettledPhase = Exclude<Phase, { readonly kind: 'saving' }>;

const IDLE: SettledPhase = { kind: 'idle' };
const MAX_HISTORY = 8;

/**
 * One document of an open record: what the service was seen to hold of it, what its edits are based on (the text that its editor last
 * showed without edits: a read by somebody else does not move that), and how far its saving is. Knows nothing of VS Code.
 */
export class OpenDocument {
  address: DocumentAddress;
  readonly #uri: string;
  readonly #getEditor: () => EditorState | undefined;
  readonly #bases: BaseStore;
  #phase: Phase = IDLE;
  /** What the service was seen to hold, oldest first. */
  #history: readonly Version[] = [];
  #base: Version | undefined;
  /** The base before the last change of an editor that counted as clean then. */
  #previousBase: Version | undefined;
  /** Fingerprint of what was last given to any reader, for writers that have no editor. */
  #lastReadHash: string | undefined;
  /** What was sent since it was last seen to be stored: the service may hold any of it. */
  #sentFields: readonly Fields[] = [];

  constructor(address: DocumentAddress, editor: () => EditorState | undefined, bases: BaseStore) {
    this.address = address;
    this.#uri = address.uri.toString();
    this.#getEditor = editor;
    this.#bases = bases;
  }

  get state(): 'clean' | 'dirty' | 'saving' | 'inConflict' | 'deleted' {
    if (this.#phase.kind !== 'idle') return this.#phase.kind;
    return this.#getEditor()?.isUnsaved === true ? 'dirty' : 'clean';
  }

  /** Notes what the service holds now. Its time moves only where its content did. `changed`: it was known to hold something else. */
  recordVersion(text: string): { readonly version: Version; readonly changed: boolean } {
    if (this.#settledPhase.kind === 'deleted') this.#setSettledPhase(IDLE);
    const print = hashText(text);
    const size = Buffer.byteLength(text);
    const last = this.#history.at(-1);
    const known = last ?? this.#bases.get(this.#uri);
    const isKnown = known?.fingerprint === print && known.size === size;
    if (isKnown && known === last) return { version: known, changed: false };
    const version = isKnown ? known : { fingerprint: print, mtime: Math.max(Date.now(), (last?.mtime ?? 0) + 1), size };
    this.#history = [...this.#history, version].slice(-MAX_HISTORY);
    return { version, changed: last !== undefined };
  }

  /** Whether its editor shows what the service was last seen to hold: it has nothing to read then. */
  get isUpToDate(): boolean {
    const editor = this.#getEditor();
    const isShown = editor !== undefined && hashText(editor.text) === this.#history.at(-1)?.fingerprint;
    if (isShown && !editor.isDirty) this.#setBaseIfRead(editor.text);
    return isShown;
  }

  /** A text was given to a reader. */
  recordRead(text: string): void {
    this.#lastReadHash = hashText(text);
    // An editor that shows it already hears of no change.
    const editor = this.#getEditor();
    if (editor !== undefined && isSameText(editor.text, text)) this.#setBaseIfRead(text);
  }

  /** An editor shows the document. A text without edits was read once, if by another run of this extension. */
  handleOpen(): void {
    this.#syncBase();
    const editor = this.#getEditor();
    if (editor !== undefined && !editor.isUnsaved && this.#currentBase === undefined) this.#setUnreadBase(editor.text);
  }

  /**
   * Its editor changed: its text, or only whether it counts as dirty. It counts as dirty a moment after its first edit was told: an edit
   * that makes it say again what it once said is no reading of that.
   */
  handleEdit(hasOtherText: boolean): void {
    const isDirty = this.#getEditor()?.isDirty === true;
    const before = this.#previousBase;
    this.#previousBase = !isDirty && hasOtherText ? this.#currentBase : undefined;
    if (isDirty && !hasOtherText && before !== undefined) this.#base = before;
    if (!isDirty && this.#phase.kind === 'inConflict' && !this.#getEditor()?.isUnsaved) this.#phase = IDLE;
    this.#syncBase();
  }

  /** No editor shows it any more. */
  handleClose(): void {
    this.#phase = IDLE;
    this.#base = undefined;
    this.#previousBase = undefined;
    this.#lastReadHash = undefined;
    this.#bases.set(this.#uri, undefined);
  }

  /** Its editor is about to save it. */
  beginSave(): void {
    this.#phase = { kind: 'saving', step: 'pending', rest: this.#settledPhase };
  }

  /** Whether its editor is saving it, and nothing came of that so far. */
  get isSavePending(): boolean {
    return this.#phase.kind === 'saving' && this.#phase.step === 'pending';
  }

  /** Size and time as an editor sees them that is saving it, so that the content is compared, and not these; undefined where none is. */
  get statDuringSave(): Pick<Version, 'size' | 'mtime'> | undefined {
    if (this.#phase.kind !== 'saving') return undefined;
    const base = this.#currentBase;
    // Older than whatever it knows: then it goes on.
    return this.isSavePending ? { size: base?.size ?? 0, mtime: 0 } : base;
  }

  getWriteBase(text: string): WriteBase {
    const editor = this.#getEditor();
    const byEditor = editor !== undefined && (this.#phase.kind === 'saving' || isSameText(editor.text, text));
    return { byEditor, hash: byEditor ? (this.#currentBase?.fingerprint ?? 'unknown') : this.#lastReadHash };
  }

  /** Fields went out: they are ours where the service holds them. */
  recordSent(fields: Fields): void {
    this.#sentFields = [...this.#sentFields, fields];
  }

  hasSent(isHeld: (fields: Fields) => boolean): boolean {
    return this.#sentFields.some(isHeld);
  }

  /**
   * A text was stored: edits from here on are based on what the service holds now. Where that is another text than was sent, nobody has
   * seen it yet: edits stay based on what was sent, until the editor shows it.
   * @param sent the text that was sent, where the service holds another one
   */
  recordStored(text: string, { byEditor }: WriteBase, sent?: string): void {
    this.#sentFields = [];
    this.#setSettledPhase(IDLE);
    this.updateBase(text, byEditor, sent);
  }

  /** As `stored`, where the saving goes on or has failed for another reason: only what edits are based on is another one. */
  updateBase(text: string, byEditor: boolean, sent?: string): void {
    this.recordRead(text);
    // What somebody else has written is no base of an editor's edits, which may be under way.
    const editor = this.#getEditor();
    if (!byEditor || editor === undefined) return;
    if (this.#phase.kind === 'saving')
      this.#phase = { ...this.#phase, step: sent === undefined ? 'stored' : 'storedModified' };
    if (sent === undefined) this.#setBaseIfRead(text);
    else this.#setUnreadBase(sent);
    // Whoever has typed on has edits, and may not type again before the window ends.
    if (!isSameText(editor.text, sent ?? text)) this.#persistBase();
  }

  /** Its editor says that it has saved it. True where it shows a text now that the service does not hold. */
  endSave(): boolean {
    const isStale = this.#phase.kind === 'saving' && this.#phase.step === 'storedModified';
    this.#phase = this.#settledPhase;
    return isStale;
  }

  /** It was not stored. */
  failSave(): void {
    this.#phase = this.#settledPhase;
  }

  /** Somebody else wrote this. True where the user is to be asked: the question about it is not on the screen. */
  enterConflict(theirs: string): boolean {
    const rest = this.#settledPhase;
    if (rest.kind === 'inConflict' && rest.theirs === theirs && rest.answer === 'pending') return false;
    this.#setSettledPhase({ kind: 'inConflict', theirs, answer: 'pending' });
    return true;
  }

  /** The user has answered the question about this content of the service. */
  resolveConflict(theirs: string, answer: 'overwrite' | 'none'): void {
    const rest = this.#settledPhase;
    if (rest.kind === 'inConflict' && rest.theirs === theirs) this.#setSettledPhase({ ...rest, answer });
  }

  /** Whether the user has chosen to overwrite exactly this content of the service. */
  canOverwrite(theirs: string): boolean {
    const rest = this.#settledPhase;
    return rest.kind === 'inConflict' && rest.theirs === theirs && rest.answer === 'overwrite';
  }

  /** Its record was deleted, or has no such document any more. */
  markDeleted(): void {
    this.#setSettledPhase({ kind: 'deleted' });
  }

  /** What it is apart from being saved. */
  get #settledPhase(): SettledPhase {
    return this.#phase.kind === 'saving' ? this.#phase.rest : this.#phase;
  }

  #setSettledPhase(rest: SettledPhase): void {
    this.#phase = this.#phase.kind === 'saving' ? { ...this.#phase, rest } : rest;
  }

  get #currentBase(): Version | undefined {
    return this.#base ?? this.#bases.get(this.#uri);
  }

  #syncBase(): void {
    const editor = this.#getEditor();
    if (editor === undefined) return;
    // A tab is a moment behind its document: it is asked only where the document may be wrong.
    if (editor.isDirty || (!this.#setBaseIfRead(editor.text) && editor.isUnsaved)) this.#persistBase();
  }

  /**
   * Its editor shows this text unedited: from here on its edits are based on it. A text that the service was not seen to hold changes
   * nothing: it is an edit. True where it is such a text.
   */
  #setBaseIfRead(text: string): boolean {
    const print = hashText(text);
    const known = this.#history.findLast((version) => version.fingerprint === print);
    if (known === undefined) return false;
    this.#base = known;
    this.#bases.set(this.#uri, undefined);
    return true;
  }

  /** Edits are based on a text that the service was not seen to hold: it holds it differently, or a run before this one has read it. */
  #setUnreadBase(text: string): void {
    const latest = this.#history.at(-1)?.mtime ?? Date.now();
    // Older than what the service holds, so that an editor that shows it reads again.
    this.#base = { fingerprint: hashText(text), mtime: latest - 1, size: Buffer.byteLength(text) };
    this.#bases.set(this.#uri, undefined);
  }

  #persistBase(): void {
    if (this.#base !== undefined) this.#bases.set(this.#uri, this.#base);
  }
}
