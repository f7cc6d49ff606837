import * as vscode from 'vscode';
import type { Envelope } from '../../../email/compose/compose.ts';
import { readEnvelope, readHeaders } from '../../../email/compose/compose.ts';
import type { Email } from '../../../email/sent/index.ts';
import type { Part, ToPage } from '../protocol.ts';
import type { PreviewSource } from './source.ts';

/** A change of a document's text. `length` is the length of the text after the changes. */
type DocumentUpdate = Omit<Extract<ToPage, { type: 'change' }>, 'part'>;

/** Tracks a document's current text: the editor's, saved or not, or the stored text while no editor has it open. */
export class LiveDocument implements vscode.Disposable {
  readonly uri: vscode.Uri;
  readonly #onUpdate: (update?: DocumentUpdate) => void;
  readonly #subscriptions: vscode.Disposable[];
  #document: vscode.TextDocument | undefined;
  /** The last text of a document that VS Code has closed. */
  #closedText = '';
  #length = 0;
  #wasDirty = false;
  #hasBeenRead = false;
  #failure: string | undefined;
  #isDisposed = false;

  /** `onUpdate` is called without an update if the document can't be read, or can be read again. */
  constructor(uri: vscode.Uri, onUpdate: (update?: DocumentUpdate) => void) {
    this.uri = uri;
    this.#onUpdate = onUpdate;
    this.#subscriptions = [
      vscode.workspace.onDidChangeTextDocument(
        (event) => this.#hasUri(event.document.uri) && this.#handleChange(event),
      ),
      vscode.workspace.onDidOpenTextDocument((document) => this.#hasUri(document.uri) && this.#attach(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.#hasUri(document.uri) && this.#handleClose(document)),
    ];
    if (uri.scheme === 'untitled') return;
    // Watches the whole folder: `[` and `{` in the file name would be read as a glob pattern.
    const watcher = vscode.workspace.createFileSystemWatcher(
      new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), '*'),
    );
    const reloadIfClosed = (changed: vscode.Uri): void => {
      if (this.#hasUri(changed) && !this.#document) void this.open();
    };
    this.#subscriptions.push(watcher, watcher.onDidChange(reloadIfClosed), watcher.onDidCreate(reloadIfClosed));
  }

  get text(): string {
    return this.#document?.getText() ?? this.#closedText;
  }

  get hasBeenRead(): boolean {
    return this.#hasBeenRead;
  }

  /** Why the document can't be read. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Opens the document and starts reporting its text. */
  async open(): Promise<void> {
    try {
      const document = await vscode.workspace.openTextDocument(this.uri);
      if (!this.#isDisposed) this.#attach(document);
    } catch (error) {
      if (this.#isDisposed) return;
      this.#failure = error instanceof Error ? error.message : String(error);
      this.#onUpdate();
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
    this.#failure = undefined;
    this.#onUpdate();
    this.#replace(document.getText());
  }

  #replace(text: string): void {
    const changes = [{ offset: 0, length: this.#length, text }];
    this.#length = text.length;
    this.#onUpdate({ type: 'change', changes, length: text.length });
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
      this.#onUpdate({ type: 'change', changes, length: this.#length });
    } else if (document.getText().length !== this.#length) {
      // A change of the line endings comes without content changes.
      this.#replace(document.getText());
    }
  }

  #handleClose(document: vscode.TextDocument): void {
    this.#closedText = document.getText();
    this.#document = undefined;
    // Closing without saving reverts to the stored text. After a save the reported text is up to date.
    if (this.#wasDirty) void this.open();
  }
}

type DocumentName = Part | 'details';

/** A change of an email's documents. `details`: subject, preheader, sender or headers may have changed. */
type EmailUpdate = Extract<ToPage, { type: 'change' | 'readFailure' }> | { readonly type: 'details' };

/** The current text of all documents of one email. Reports nothing until each document was read or failed once. */
export class LiveEmail implements vscode.Disposable {
  readonly source: PreviewSource;
  readonly #documents = new Map<DocumentName, LiveDocument>();
  #isLoaded = false;

  constructor(source: PreviewSource, log: vscode.LogOutputChannel, onUpdate: (update: EmailUpdate) => void) {
    this.source = source;
    for (const name of ['body', 'stylesheet', 'details'] as const) {
      const uri = source[name];
      if (!uri) continue;
      const document = new LiveDocument(uri, (update) => {
        if (!update && document.failure !== undefined)
          log.warn(`Preview of ${source.body.toString()}: the ${name} can’t be read: ${document.failure}`);
        if (!this.#isLoaded) return;
        if (!update) onUpdate({ type: 'readFailure', message: this.failure });
        else onUpdate(name === 'details' ? { type: 'details' } : { ...update, part: name });
      });
      this.#documents.set(name, document);
    }
  }

  /** Whether each document was read or failed once. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  get envelope(): Envelope | undefined {
    return this.source.details && readEnvelope(this.text('details'));
  }

  /** The fields that the service composes the email from. */
  get email(): Email {
    return {
      body: this.text('body'),
      stylesheet: this.text('stylesheet'),
      subject: this.envelope?.subject ?? '',
      preheader: this.envelope?.preheader ?? '',
      headers: readHeaders(this.text('details')),
    };
  }

  /** A message about the documents that could not be read. */
  get failure(): string | undefined {
    const sentences = [...this.#documents].flatMap(([name, { failure }]) =>
      failure === undefined ? [] : [`Couldn’t read the ${name}: ${failure}`],
    );
    return sentences.length > 0 ? sentences.join(' ') : undefined;
  }

  text(name: DocumentName): string {
    return this.#documents.get(name)?.text ?? '';
  }

  async open(): Promise<void> {
    await Promise.all(Array.from(this.#documents.values(), (document) => document.open()));
    this.#isLoaded = true;
  }

  /** Opens documents again that could not be read: the service may have started, or a key may have been added. */
  async reopenUnread(): Promise<void> {
    const unread = [...this.#documents.values()].filter(({ failure }) => failure !== undefined);
    await Promise.all(unread.map((document) => document.open()));
  }

  dispose(): void {
    this.#isLoaded = false;
    for (const document of this.#documents.values()) document.dispose();
  }
}
