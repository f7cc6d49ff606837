import * as vscode from 'vscode';
import type { Change } from '../../../email/html/changes.ts';

/** What is told of a document that is followed. */
export interface Follower {
  /** Ranges were replaced, one after the other; `length` is the text's afterwards. */
  changed(changes: readonly Change[], length: number): void;
  /** The text is another one. */
  replaced(text: string): void;
  /** The document can't be read; nothing when it can again. */
  failed(error: unknown): void;
}

/** Follows a document's text: what is in its editor, saved or not; what is stored, where no editor has it open. */
export class FollowedDocument implements vscode.Disposable {
  readonly uri: vscode.Uri;
  readonly #follower: Follower;
  readonly #subscriptions: vscode.Disposable[] = [];
  #document: vscode.TextDocument | undefined;
  /** The last text of a document that VS Code has let go of. */
  #left = '';
  #length = 0;
  #wasDirty = false;
  #known = false;
  #disposed = false;

  constructor(uri: vscode.Uri, follower: Follower) {
    this.uri = uri;
    this.#follower = follower;
    const folder = vscode.Uri.joinPath(uri, '..');
    // Any file of the folder: a pattern of the name itself would read `[` and `{` in it as a pattern.
    const watcher =
      uri.scheme === 'untitled'
        ? undefined
        : vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*'));
    const stored = (changed: vscode.Uri): void => {
      if (this.#isOwn(changed) && !this.#document) void this.open();
    };
    this.#subscriptions.push(
      vscode.workspace.onDidChangeTextDocument((event) => this.#isOwn(event.document.uri) && this.#changed(event)),
      vscode.workspace.onDidOpenTextDocument((document) => this.#isOwn(document.uri) && this.#opened(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.#isOwn(document.uri) && this.#closed(document)),
    );
    if (watcher) this.#subscriptions.push(watcher, watcher.onDidChange(stored), watcher.onDidCreate(stored));
  }

  /** The text as it is now. */
  get text(): string {
    return this.#document?.getText() ?? this.#left;
  }

  /** Whether the document could be read at least once. */
  get isKnown(): boolean {
    return this.#known;
  }

  /** Reads the document, where no editor has it open. */
  async open(): Promise<void> {
    try {
      const document = await vscode.workspace.openTextDocument(this.uri);
      if (!this.#disposed) this.#opened(document);
    } catch (error) {
      if (!this.#disposed) this.#follower.failed(error);
    }
  }

  dispose(): void {
    this.#disposed = true;
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #isOwn(uri: vscode.Uri): boolean {
    return uri.toString() === this.uri.toString();
  }

  #opened(document: vscode.TextDocument): void {
    if (this.#document === document) return;
    this.#document = document;
    this.#known = true;
    this.#wasDirty = document.isDirty;
    this.#length = document.getText().length;
    this.#follower.failed(undefined);
    this.#follower.replaced(document.getText());
  }

  #changed({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (this.#document !== document) return this.#opened(document);
    this.#wasDirty = document.isDirty;
    if (contentChanges.length > 0) {
      const changes = contentChanges.map(({ rangeOffset, rangeLength, text }) => ({
        offset: rangeOffset,
        length: rangeLength,
        text,
      }));
      for (const { length, text } of changes) this.#length += text.length - length;
      this.#follower.changed(changes, this.#length);
    } else if (document.getText().length !== this.#length) {
      // Other line ends come without a range.
      this.#length = document.getText().length;
      this.#follower.replaced(document.getText());
    }
  }

  #closed(document: vscode.TextDocument): void {
    this.#left = document.getText();
    this.#document = undefined;
    // An editor that was closed without saving leaves the stored text; one that was saved leaves what is shown already.
    if (this.#wasDirty) void this.open();
  }
}
