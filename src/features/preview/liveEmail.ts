import { t } from '@vscode/l10n';
import * as vscode from 'vscode';
import { readEnvelope, readHeaders, readSettings, type Envelope } from '../../email/compose/compose.ts';
import type { Change } from '../../email/html/text.ts';
import type { Email } from '../../email/sent/index.ts';
import type { Row } from '../../service/client/shapes.ts';
import type { Part, ToPage } from './protocol.ts';
import type { PreviewSource } from './source.ts';

/** A change of a document's text. `length` is the length of the text after the changes. */
type DocumentUpdate = Omit<Extract<ToPage, { type: 'change' }>, 'part'>;

export type LiveDocument = ReturnType<typeof createLiveDocument>;

/**
 * Tracks a document's current text: the editor's, saved or not, or the stored text while no editor has it open. `onUpdate` is called without an update
 * if the document can't be read, or can be read again.
 */
export function createLiveDocument(uri: vscode.Uri, onUpdate: (update?: DocumentUpdate) => void) {
  const { workspace } = vscode;
  let current: vscode.TextDocument | undefined;
  /** The last text of a document that VS Code has closed. */
  let closedText: string | undefined;
  let reportedLength = 0;
  let wasDirty = false;
  let failure: string | undefined;
  let isDisposed = false;
  const hasUri = (other: vscode.Uri) => other.toString() === uri.toString();
  const subscriptions: vscode.Disposable[] = [
    workspace.onDidChangeTextDocument((event) => hasUri(event.document.uri) && handleChange(event)),
    workspace.onDidOpenTextDocument((document) => hasUri(document.uri) && attach(document)),
    workspace.onDidCloseTextDocument((document) => hasUri(document.uri) && handleClose(document)),
  ];
  if (uri.scheme !== 'untitled') {
    // Watches the whole folder: `[` and `{` in the file name would be read as a glob pattern.
    const watcher = workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), '*'));
    const reloadIfClosed = (changed: vscode.Uri) => {
      if (hasUri(changed) && !current) void open();
    };
    subscriptions.push(watcher, watcher.onDidChange(reloadIfClosed), watcher.onDidCreate(reloadIfClosed));
  }

  /** Opens the document and starts reporting its text. */
  async function open() {
    try {
      const document = await workspace.openTextDocument(uri);
      if (!isDisposed) attach(document);
    } catch (error) {
      if (isDisposed) return;
      failure = error instanceof Error ? error.message : String(error);
      onUpdate();
    }
  }

  function attach(document: vscode.TextDocument) {
    if (current === document) return;
    current = document;
    wasDirty = document.isDirty;
    failure = undefined;
    onUpdate();
    replace(document.getText());
  }

  function report(changes: readonly Change[]) {
    for (const { length, text } of changes) reportedLength += text.length - length;
    onUpdate({ type: 'change', changes, length: reportedLength });
  }

  const replace = (text: string) => report([{ offset: 0, length: reportedLength, text }]);

  function handleChange({ document, contentChanges }: vscode.TextDocumentChangeEvent) {
    if (current !== document) return attach(document);
    wasDirty = document.isDirty;
    if (contentChanges.length > 0)
      report(
        contentChanges.map(({ rangeOffset, rangeLength, text }) => ({
          offset: rangeOffset,
          length: rangeLength,
          text,
        })),
      );
    // A change of the line endings comes without content changes.
    else if (document.getText().length !== reportedLength) replace(document.getText());
  }

  function handleClose(document: vscode.TextDocument) {
    closedText = document.getText();
    current = undefined;
    // Closing without saving reverts to the stored text. After a save the reported text is up to date.
    if (wasDirty) void open();
  }

  return {
    open,
    /** Returns the text; undefined before it was read. */
    getText: () => current?.getText() ?? closedText,
    /** Returns why the document can't be read. */
    getFailure: () => failure,
    dispose() {
      isDisposed = true;
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

type DocumentName = Part | 'details';

const failureTexts: Readonly<Record<DocumentName, (reason: string) => string>> = {
  body: (reason) => t`Couldn't read the body: ${reason}`,
  stylesheet: (reason) => t`Couldn't read the stylesheet: ${reason}`,
  details: (reason) => t`Couldn't read the details: ${reason}`,
};

/** A change of an email's documents. `details`: subject, preheader, sender or headers may have changed. */
type EmailUpdate = Extract<ToPage, { type: 'change' | 'readFailure' }> | { readonly type: 'details' };

/** The current text of all documents of one email. Reports nothing until each document was read or failed once. */
export class LiveEmail implements vscode.Disposable {
  readonly source: PreviewSource;
  readonly #documents = new Map<DocumentName, LiveDocument>();
  #isLoaded = false;
  #record: Row | undefined;

  constructor(source: PreviewSource, log: vscode.LogOutputChannel, onUpdate: (update: EmailUpdate) => void) {
    this.source = source;
    for (const name of ['body', 'stylesheet', 'details'] as const) {
      const uri = source[name];
      if (!uri) continue;
      const document = createLiveDocument(uri, (update) => {
        const failure = document.getFailure();
        if (!update && failure !== undefined)
          log.warn(`Preview of ${source.body.toString()}: the ${name} can't be read: ${failure}`);
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
    return this.source.details && readEnvelope(this.text('details'), this.#record);
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
    const sentences = [...this.#documents].flatMap(([name, document]) => {
      const failure = document.getFailure();
      return failure === undefined ? [] : [failureTexts[name](failure)];
    });
    return sentences.length > 0 ? sentences.join(' ') : undefined;
  }

  text(name: DocumentName): string {
    return this.#documents.get(name)?.getText() ?? '';
  }

  async open(): Promise<void> {
    await Promise.all(Array.from(this.#documents.values(), (document) => document.open()));
    this.#record = await this.source.readRecord?.();
    this.#isLoaded = true;
  }

  /** Opens documents again that could not be read: the service may have started, or a key may have been added. */
  async reopenUnread(): Promise<void> {
    const unread = [...this.#documents.values()].filter((document) => document.getFailure() !== undefined);
    await Promise.all(unread.map((document) => document.open()));
  }

  dispose(): void {
    this.#isLoaded = false;
    for (const document of this.#documents.values()) document.dispose();
  }
}
