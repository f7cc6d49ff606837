import * as vscode from 'vscode';
import { isUnsaved } from './unsaved.ts';
import { fingerprint, sameText } from './text.ts';
import type { Version, Versions } from './versions.ts';

/** What a write is based on. */
export interface WriteBase {
  /** An editor writes its text; else somebody writes through the file system. */
  readonly byEditor: boolean;
  /**
   * Fingerprint of the content. `unknown` where nothing tells what an editor's text is based on; undefined where nobody has read the
   * document before.
   */
  readonly fingerprint: string | undefined;
}

/**
 * Keeps, for each open document, what its edits are based on: the text that it last showed without edits. A read by
 * somebody else (a search, another extension, a comparison) does not move it.
 */
export class OpenDocuments implements vscode.Disposable {
  /** An editor shows a text as saved that is not what the service holds. */
  readonly onDidShowStale: vscode.Event<vscode.Uri>;

  readonly #versions: Versions;
  readonly #stale = new vscode.EventEmitter<vscode.Uri>();
  /** What was last given to any reader, for writers that have no editor. */
  readonly #read = new Map<string, string>();
  /** Documents that their editors are saving, and how far they are. */
  readonly #saving = new Map<string, 'announced' | 'stored'>();
  /** Those of them that the service keeps differently. */
  readonly #keptDifferently = new Set<string>();
  readonly #subscriptions: vscode.Disposable[];

  constructor(versions: Versions, scheme: string) {
    this.#versions = versions;
    this.onDidShowStale = this.#stale.event;
    const when = (event: vscode.Event<vscode.TextDocument>, handle: (document: vscode.TextDocument) => void) =>
      event((document) => {
        if (document.uri.scheme === scheme) handle(document);
      });
    this.#subscriptions = [
      this.#stale,
      when(vscode.workspace.onDidOpenTextDocument, (document) => this.#opened(document)),
      when(vscode.workspace.onDidCloseTextDocument, (document) => {
        // A change of language closes and opens a document, edits and all: what it is based on stays then.
        if (isUnsaved(document)) return;
        const key = document.uri.toString();
        this.#versions.forgetBase(key);
        this.#read.delete(key);
        this.#saving.delete(key);
      }),
      when(vscode.workspace.onDidSaveTextDocument, ({ uri }) => {
        this.#saving.delete(uri.toString());
        if (this.#keptDifferently.delete(uri.toString())) this.#stale.fire(uri);
      }),
      vscode.workspace.onWillSaveTextDocument(({ document: { uri } }) => {
        if (uri.scheme === scheme) this.#saving.set(uri.toString(), 'announced');
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.scheme === scheme) this.#note(document);
      }),
    ];
    for (const document of vscode.workspace.textDocuments) if (document.uri.scheme === scheme) this.#opened(document);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** Size and time of a document as an editor is to see them that is saving it; undefined where none is. */
  whileSaved(uri: vscode.Uri): Pick<Version, 'size' | 'mtime'> | undefined {
    const key = uri.toString();
    const progress = this.#saving.get(key);
    const base = this.#versions.base(key);
    // Older than whatever it knows: then it goes on, and the content is compared.
    return progress === 'announced' ? { size: base?.size ?? 0, mtime: 0 } : progress && base;
  }

  baseForWrite(uri: vscode.Uri, text: string): WriteBase {
    const key = uri.toString();
    const document = this.find(uri);
    const byEditor = document !== undefined && (this.#saving.has(key) || sameText(document.getText(), text));
    if (!byEditor) return { byEditor, fingerprint: this.#read.get(key) };
    return { byEditor, fingerprint: this.#versions.base(key)?.fingerprint ?? 'unknown' };
  }

  wasRead(uri: vscode.Uri, text: string): void {
    const key = uri.toString();
    this.#read.set(key, fingerprint(text));
    // An editor that shows it already hears of no change.
    const document = this.find(uri);
    if (document !== undefined && sameText(document.getText(), text)) this.#versions.rebase(key, text);
  }

  /**
   * A text was stored: edits from here on are based on what the service holds now. Where that is another text than was sent, nobody has
   * seen it yet: edits stay based on what was sent, until the editor shows it.
   * @param sent the text that was sent, where the service holds another one
   */
  wasSaved(uri: vscode.Uri, text: string, { byEditor }: WriteBase, sent?: string): void {
    const key = uri.toString();
    this.wasRead(uri, text);
    // What somebody else has written is no base of an editor's edits, which may be under way.
    const document = this.find(uri);
    if (!byEditor || document === undefined) return;
    if (this.#saving.has(key)) this.#saving.set(key, 'stored');
    if (sent === undefined) this.#versions.rebase(key, text);
    else {
      this.#versions.rebaseOnUnseen(key, sent);
      this.#keptDifferently.add(key);
    }
    // Whoever has typed on has edits, and may not type again before the window ends.
    if (!sameText(document.getText(), sent ?? text)) this.#versions.keepBase(key);
  }

  /** A document was not stored. */
  wasNotSaved(uri: vscode.Uri): void {
    this.#saving.delete(uri.toString());
    this.#keptDifferently.delete(uri.toString());
  }

  find(uri: vscode.Uri): vscode.TextDocument | undefined {
    const key = uri.toString();
    return vscode.workspace.textDocuments.find((document) => document.uri.toString() === key);
  }

  #note(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    // A tab is a moment behind its document: it is asked only where the document may be wrong.
    if (document.isDirty || (!this.#versions.rebase(key, document.getText()) && isUnsaved(document))) this.#versions.keepBase(key);
  }

  /** A text that an editor shows without edits was read once, if by another run of this extension. */
  #opened(document: vscode.TextDocument): void {
    this.#note(document);
    const key = document.uri.toString();
    if (!isUnsaved(document) && this.#versions.base(key) === undefined) this.#versions.rebaseOnUnseen(key, document.getText());
  }
}
