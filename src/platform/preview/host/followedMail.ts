import type * as vscode from 'vscode';
import type { Change } from '../../../email/html/changes.ts';
import type { Envelope } from '../../../email/compose/compose.ts';
import type { Email } from '../../../email/sent/index.ts';
import type { Part } from '../protocol.ts';
import { FollowedDocument } from './followedDocument.ts';
import type { PreviewSource } from './source.ts';

/** What is told of an email whose documents are followed. */
export interface MailFollower {
  changed(part: Part, changes: readonly Change[], length: number): void;
  replaced(part: Part, text: string): void;
  /** Subject, preheader, sender or headers may be others. */
  detailsChanged(): void;
  /** A sentence about documents that can't be read; nothing when all is well again. */
  failed(message: string | undefined): void;
}

/** The documents of one email, followed together. Nothing is told before each was read once, or could not be. */
export class FollowedMail implements vscode.Disposable {
  readonly source: PreviewSource;
  readonly #parts = new Map<Part, FollowedDocument>();
  readonly #details: FollowedDocument | undefined;
  readonly #failures = new Map<string, string>();
  readonly #log: vscode.LogOutputChannel;
  readonly #follower: MailFollower;
  #isRead = false;

  constructor(source: PreviewSource, log: vscode.LogOutputChannel, follower: MailFollower) {
    this.source = source;
    this.#log = log;
    this.#follower = follower;
    this.#follow('body', source.body);
    if (source.stylesheet) this.#follow('stylesheet', source.stylesheet);
    if (source.details) {
      const changed = (): void => {
        if (this.#isRead) follower.detailsChanged();
      };
      const failed = (error: unknown): void => this.#failed('details', error);
      this.#details = new FollowedDocument(source.details.uri, { changed, replaced: changed, failed });
    }
  }

  /** Whether every document was read once, or could not be. */
  get isRead(): boolean {
    return this.#isRead;
  }

  get envelope(): Envelope | undefined {
    return this.source.details && this.#details && this.source.details.read(this.#details.text);
  }

  /** The fields that the service makes an email of. */
  get email(): Email {
    const { source, envelope } = this;
    const headers = source.details && this.#details ? source.details.headers(this.#details.text) : '';
    return {
      body: this.text('body'),
      stylesheet: this.text('stylesheet'),
      subject: envelope?.subject ?? '',
      preheader: envelope?.preheader ?? '',
      headers,
    };
  }

  /** What could not be read, in words. */
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
    this.#isRead = true;
  }

  /** What could not be read may be there by now: a service that was started, a key that was given. */
  async readMissing(): Promise<void> {
    if (this.#isRead)
      await Promise.all(this.#documents.filter((document) => !document.isKnown).map((document) => document.open()));
  }

  dispose(): void {
    this.#isRead = false;
    for (const document of this.#documents) document.dispose();
  }

  get #documents(): FollowedDocument[] {
    return [...this.#parts.values(), ...(this.#details ? [this.#details] : [])];
  }

  #follow(part: Part, uri: vscode.Uri): void {
    this.#parts.set(
      part,
      new FollowedDocument(uri, {
        changed: (changes, length) => this.#isRead && this.#follower.changed(part, changes, length),
        replaced: (text) => this.#isRead && this.#follower.replaced(part, text),
        failed: (error) => this.#failed(part, error),
      }),
    );
  }

  #failed(what: string, error: unknown): void {
    if (error === undefined) this.#failures.delete(what);
    else {
      this.#log.warn(`Preview of ${this.source.body.toString()}: the ${what} can’t be read.`, error);
      this.#failures.set(what, error instanceof Error ? error.message : String(error));
    }
    if (this.#isRead) this.#follower.failed(this.failure);
  }
}
