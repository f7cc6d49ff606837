import * as vscode from 'vscode';
import type { Change } from '../../../email/html/text.ts';

/** Receives the changes of a document. */
export interface LiveDocumentEvents {
  /** Ranges were replaced, one after the other. `length` is the length of the text after them. */
  onChange(changes: readonly Change[], length: number): void;
  /** The whole text was replaced. */
  onReplace(text: string): void;
  /** The document can't be read. `undefined` once it can be read again. */
  onFailure(error: unknown): void;
}

/** Tracks a document's current text: the editor's, saved or not, or the stored text while no editor has it open. */
export class LiveDocument implements vscode.Disposable {
  readonly uri: vscode.Uri;
  readonly #events: LiveDocumentEvents;
  readonly #subscriptions: vscode.Disposable[] = [];
  #document: vscode.TextDocument | undefined;
  /** The last text of a document that VS Code has closed. */
  #closedText = '';
  #length = 0;
  #wasDirty = false;
  #hasBeenRead = false;
  #isDisposed = false;

  constructor(uri: vscode.Uri, events: LiveDocumentEvents) {
    this.uri = uri;
    this.#events = events;
    const folder = vscode.Uri.joinPath(uri, '..');
    // Watches the whole folder: `[` and `{` in the file name would be read as a glob pattern.
    const watcher =
      uri.scheme === 'untitled'
        ? undefined
        : vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*'));
    const reloadIfClosed = (changed: vscode.Uri): void => {
      if (this.#hasUri(changed) && !this.#document) void this.open();
    };
    this.#subscriptions.push(
      vscode.workspace.onDidChangeTextDocument(
        (event) => this.#hasUri(event.document.uri) && this.#handleChange(event),
      ),
      vscode.workspace.onDidOpenTextDocument((document) => this.#hasUri(document.uri) && this.#attach(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.#hasUri(document.uri) && this.#handleClose(document)),
    );
    if (watcher)
      this.#subscriptions.push(watcher, watcher.onDidChange(reloadIfClosed), watcher.onDidCreate(reloadIfClosed));
  }

  get text(): string {
    return this.#document?.getText() ?? this.#closedText;
  }

  get hasBeenRead(): boolean {
    return this.#hasBeenRead;
  }

  /** Opens the document and starts reporting its text. */
  async open(): Promise<void> {
    try {
      const document = await vscode.workspace.openTextDocument(this.uri);
      if (!this.#isDisposed) this.#attach(document);
    } catch (error) {
      if (!this.#isDisposed) this.#events.onFailure(error);
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #hasUri(uri: vscode.Uri): boolean {
    return uri.toString() === this.uri.toString();
  }

  #attach(document: vscode.TextDocument): void {
    if (this.#document === document) return;
    this.#document = document;
    this.#hasBeenRead = true;
    this.#wasDirty = document.isDirty;
    this.#length = document.getText().length;
    this.#events.onFailure(undefined);
    this.#events.onReplace(document.getText());
  }

  #handleChange({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (this.#document !== document) return this.#attach(document);
    this.#wasDirty = document.isDirty;
    if (contentChanges.length > 0) {
      const changes = contentChanges.map(({ rangeOffset, rangeLength, text }) => ({
        offset: rangeOffset,
        length: rangeLength,
        text,
      }));
      for (const { length, text } of changes) this.#length += text.length - length;
      this.#events.onChange(changes, this.#length);
    } else if (document.getText().length !== this.#length) {
      // A change of the line endings comes without content changes.
      this.#length = document.getText().length;
      this.#events.onReplace(document.getText());
    }
  }

  #handleClose(document: vscode.TextDocument): void {
    this.#closedText = document.getText();
    this.#document = undefined;
    // Closing without saving reverts to the stored text. After a save the reported text is up to date.
    if (this.#wasDirty) void this.open();
  }
}
