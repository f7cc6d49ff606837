import type * as vscode from 'vscode';
import type { Change } from '../../../email/html/text.ts';
import type { Envelope } from '../../../email/compose/compose.ts';
import type { Email } from '../../../email/sent/index.ts';
import type { Part } from '../protocol.ts';
import { LiveDocument } from './liveDocument.ts';
import type { PreviewSource } from './source.ts';

/** Receives the changes of an email's documents. */
export interface LiveEmailEvents {
  onChange(part: Part, changes: readonly Change[], length: number): void;
  onReplace(part: Part, text: string): void;
  /** Subject, preheader, sender or headers may have changed. */
  onDetailsChange(): void;
  /** A message about unreadable documents. Absent once all of them can be read. */
  onFailure(message: string | undefined): void;
}

/** The current text of all documents of one email. Reports nothing until each document was read or failed once. */
export class LiveEmail implements vscode.Disposable {
  readonly source: PreviewSource;
  readonly #parts = new Map<Part, LiveDocument>();
  readonly #details: LiveDocument | undefined;
  readonly #failures = new Map<string, string>();
  readonly #log: vscode.LogOutputChannel;
  readonly #events: LiveEmailEvents;
  #isLoaded = false;

  constructor(source: PreviewSource, log: vscode.LogOutputChannel, events: LiveEmailEvents) {
    this.source = source;
    this.#log = log;
    this.#events = events;
    this.#addPart('body', source.body);
    if (source.stylesheet) this.#addPart('stylesheet', source.stylesheet);
    if (source.details) {
      const onChange = (): void => {
        if (this.#isLoaded) events.onDetailsChange();
      };
      const onFailure = (error: unknown): void => this.#handleFailure('details', error);
      this.#details = new LiveDocument(source.details.uri, { onChange, onReplace: onChange, onFailure });
    }
  }

  /** Whether each document was read or failed once. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  get envelope(): Envelope | undefined {
    return this.source.details && this.#details && this.source.details.readEnvelope(this.#details.text);
  }

  /** The fields that the service composes the email from. */
  get email(): Email {
    const { source, envelope } = this;
    const headers = source.details && this.#details ? source.details.readHeaders(this.#details.text) : '';
    return {
      body: this.text('body'),
      stylesheet: this.text('stylesheet'),
      subject: envelope?.subject ?? '',
      preheader: envelope?.preheader ?? '',
      headers,
    };
  }

  /** A message about the documents that could not be read. */
  get failure(): string | undefined {
    const sentences = [...this.#failures].map(([what, message]) => `The ${what} can’t be read: ${message}`);
    return sentences.length > 0 ? sentences.join(' ') : undefined;
  }

  text(part: Part): string {
    return this.#parts.get(part)?.text ?? '';
  }

  uri(part: Part): vscode.Uri | undefined {
    return this.#parts.get(part)?.uri;
  }

  async open(): Promise<void> {
    await Promise.all(this.#documents.map((document) => document.open()));
    this.#isLoaded = true;
  }

  /** Opens documents again that could not be read: the service may have started, or a key may have been added. */
  async reopenUnread(): Promise<void> {
    if (this.#isLoaded)
      await Promise.all(this.#documents.filter((document) => !document.hasBeenRead).map((document) => document.open()));
  }

  dispose(): void {
    this.#isLoaded = false;
    for (const document of this.#documents) document.dispose();
  }

  get #documents(): LiveDocument[] {
    return [...this.#parts.values(), ...(this.#details ? [this.#details] : [])];
  }

  #addPart(part: Part, uri: vscode.Uri): void {
    this.#parts.set(
      part,
      new LiveDocument(uri, {
        onChange: (changes, length) => this.#isLoaded && this.#events.onChange(part, changes, length),
        onReplace: (text) => this.#isLoaded && this.#events.onReplace(part, text),
        onFailure: (error) => this.#handleFailure(part, error),
      }),
    );
  }

  #handleFailure(what: string, error: unknown): void {
    if (error === undefined) this.#failures.delete(what);
    else {
      this.#log.warn(`Preview of ${this.source.body.toString()}: the ${what} can’t be read.`, error);
      this.#failures.set(what, error instanceof Error ? error.message : String(error));
    }
    if (this.#isLoaded) this.#events.onFailure(this.failure);
  }
}
