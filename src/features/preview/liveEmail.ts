import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { readEnvelope, readHeaders, readSettings, type Envelope } from '../../email/compose/compose.ts';
import { findChange, type Change } from '../../email/html/text.ts';
import type { Email } from '../../email/sent/index.ts';
import type { Row } from '../../service/client/shapes.ts';
import type { Part, ToPage } from './protocol.ts';
import type { EmbeddedBody, PreviewSource } from './source.ts';

/** A change of a document's text. `length` is the length of the text after the changes. */
type DocumentUpdate = Omit<Extract<ToPage, { type: 'change' }>, 'part'>;

/**
 * Follows a document's current text: the editor's, saved or not, or the stored text while no editor has it open. The reported changes always add up to
 * the text.
 */
export class LiveDocument implements vscode.Disposable {
  readonly #uri: vscode.Uri;
  readonly #onUpdate: (update?: DocumentUpdate) => void;
  readonly #subscriptions: vscode.Disposable[];
  /** The last document. VS Code may have closed it. */
  #document: vscode.TextDocument | undefined;
  #reportedLength = 0;
  #wasDirty = false;
  #failure: string | undefined;
  #isDisposed = false;

  /** `onUpdate` is called without an update if the document can't be read, or can be read again. */
  constructor(uri: vscode.Uri, onUpdate: (update?: DocumentUpdate) => void) {
    const { workspace } = vscode;
    const hasUri = (other: vscode.Uri) => other.toString() === uri.toString();
    this.#uri = uri;
    this.#onUpdate = onUpdate;
    this.#subscriptions = [
      workspace.onDidChangeTextDocument((event) => hasUri(event.document.uri) && this.#handleChange(event)),
      workspace.onDidOpenTextDocument((document) => hasUri(document.uri) && this.#attach(document)),
      // Closing without saving reverts to the stored text. After a save the reported text is up to date.
      workspace.onDidCloseTextDocument((document) => hasUri(document.uri) && this.#wasDirty && this.open()),
    ];
    if (uri.scheme === 'untitled') return;
    // Watches the whole folder: `[` and `{` in the file name would be read as a glob pattern.
    const watcher = workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), '*'));
    const reloadIfClosed = (changed: vscode.Uri) => {
      if (hasUri(changed) && this.#document?.isClosed !== false) void this.open();
    };
    this.#subscriptions.push(watcher, watcher.onDidChange(reloadIfClosed), watcher.onDidCreate(reloadIfClosed));
  }

  /** The text; undefined before it was read. */
  get text(): string | undefined {
    return this.#document?.getText();
  }

  /** Why the document can't be read. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Opens the document and starts reporting its text. */
  async open(): Promise<void> {
    try {
      const document = await vscode.workspace.openTextDocument(this.#uri);
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

  #attach(document: vscode.TextDocument) {
    if (this.#document === document) return;
    this.#document = document;
    this.#wasDirty = document.isDirty;
    this.#failure = undefined;
    this.#onUpdate();
    this.#replace(document);
  }

  #replace(document: vscode.TextDocument) {
    this.#report([{ offset: 0, length: this.#reportedLength, text: document.getText() }]);
  }

  #report(changes: readonly Change[]) {
    for (const { length, text } of changes) this.#reportedLength += text.length - length;
    this.#onUpdate({ type: 'change', changes, length: this.#reportedLength });
  }

  #handleChange({ document, contentChanges }: vscode.TextDocumentChangeEvent) {
    if (this.#document !== document) return this.#attach(document);
    this.#wasDirty = document.isDirty;
    if (contentChanges.length > 0)
      this.#report(
        contentChanges.map(({ rangeOffset, rangeLength, text }) => ({
          offset: rangeOffset,
          length: rangeLength,
          text,
        })),
      );
    // A change of the line endings comes without content changes.
    else if (document.getText().length !== this.#reportedLength) this.#replace(document);
  }
}

type DocumentName = Part | 'details';

const failureTexts: Readonly<Record<DocumentName, (reason: string) => string>> = {
  body: (reason) => t`Couldn't read the body: ${reason}`,
  stylesheet: (reason) => t`Couldn't read the stylesheet: ${reason}`,
  details: (reason) => t`Couldn't read the details: ${reason}`,
};

/** A change of an email's documents. `details`: subject, preheader, sender or headers may have changed. */
type EmailUpdate = Extract<ToPage, { type: 'change' | 'readFailure' }> | { readonly type: 'details' };

/** Returns where a text has what another one has at an offset; undefined if they differ there. */
function moveOffset(from: string, to: string, offset: number) {
  const change = findChange(from, to);
  if (offset <= change.offset) return offset;
  return offset < change.offset + change.length ? undefined : offset + to.length - from.length;
}

/** The current text of all documents of one email. Reports nothing until each document was read or failed once. */
export class LiveEmail implements vscode.Disposable {
  readonly source: PreviewSource;
  readonly #documents = new Map<DocumentName, LiveDocument>();
  readonly #onUpdate: (update: EmailUpdate) => void;
  #embedded: EmbeddedBody | undefined;
  #embedding: Promise<void> | undefined;
  #isLoaded = false;
  #record: Row | undefined;

  constructor(source: PreviewSource, log: vscode.LogOutputChannel, onUpdate: (update: EmailUpdate) => void) {
    this.source = source;
    this.#onUpdate = onUpdate;
    for (const name of ['body', 'stylesheet', 'details'] as const) {
      const uri = source[name];
      if (!uri) continue;
      const document = new LiveDocument(uri, (update) => {
        const { failure } = document;
        if (!update && failure !== undefined)
          log.warn(`Preview of ${source.body.toString()}: the ${name} can't be read: ${failure}`);
        if (update && name === 'body' && source.embed) this.#embedding = this.#embed(source.embed);
        else if (!this.#isLoaded) return;
        else if (!update) onUpdate({ type: 'readFailure', message: this.failure });
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
    const { details, message } = this.source;
    return message?.envelope ?? (details && readEnvelope(this.text('details'), this.#record));
  }

  /** The fields of the envelope that the details have. */
  get editable(): Partial<Envelope> {
    const text = this.text('details');
    return Object.fromEntries(Object.entries(this.envelope ?? {}).filter(([name]) => text.includes(`"${name}"`)));
  }

  /** The fields that the service composes the email from. */
  get email(): Email {
    const { subject = '', preheader = '' } = this.envelope ?? {};
    const details = this.text('details');
    const [headers, settings] = [readHeaders(details), readSettings(details)];
    return { body: this.text('body'), stylesheet: this.text('stylesheet'), subject, preheader, headers, settings };
  }

  /** A message about the documents that could not be read. */
  get failure(): string | undefined {
    const sentences = Array.from(
      this.#documents,
      ([name, { failure }]) => failure && failureTexts[name](failure),
    ).filter(Boolean);
    return sentences.length > 0 ? sentences.join(' ') : undefined;
  }

  text(name: DocumentName): string {
    return name === 'body' && this.#embedded ? this.#embedded.text : this.#read(name);
  }

  /** Returns the offset in the body for one in its document; undefined if the body differs there. */
  toShownOffset(offset: number): number | undefined {
    if (!this.#embedded) return offset;
    const { text, start, end } = this.#embedded;
    const moved = moveOffset(this.#read('body'), text.slice(start, end), offset);
    return moved === undefined ? undefined : start + moved;
  }

  /** Returns the offset in the body's document for one in the body; undefined if that isn't from there. */
  toOwnOffset(offset: number): number | undefined {
    if (!this.#embedded) return offset;
    const { text, start, end } = this.#embedded;
    const isInside = start <= offset && offset <= end;
    return isInside ? moveOffset(text.slice(start, end), this.#read('body'), offset - start) : undefined;
  }

  async open(): Promise<void> {
    await Promise.all(Array.from(this.#documents.values(), (document) => document.open()));
    this.#record = await this.source.readRecord?.();
    await this.#embedding;
    this.#isLoaded = true;
  }

  /** Opens documents again that could not be read: the service may have started, or a key may have been added. */
  async reopenUnread(): Promise<void> {
    const unread = [...this.#documents.values()].filter((document) => document.failure !== undefined);
    await Promise.all(unread.map((document) => document.open()));
  }

  dispose(): void {
    this.#isLoaded = false;
    for (const document of this.#documents.values()) document.dispose();
  }

  #read(name: DocumentName) {
    return this.#documents.get(name)?.text ?? '';
  }

  async #embed(embed: NonNullable<PreviewSource['embed']>) {
    const own = this.#read('body');
    const embedded = await embed(own).catch(() => undefined);
    // A newer text is being embedded.
    if (this.#embedded && own !== this.#read('body')) return;
    const before = this.text('body');
    const { text } = (this.#embedded = embedded ?? { text: own, start: 0, end: own.length });
    const changes = [findChange(before, text)];
    if (this.#isLoaded) this.#onUpdate({ type: 'change', part: 'body', changes, length: text.length });
  }
}
