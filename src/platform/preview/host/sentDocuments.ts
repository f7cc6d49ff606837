import * as vscode from 'vscode';
import type { Connections } from '../../connections/connections.ts';
import { FollowedMail } from './followedMail.ts';
import type { Previews } from './previews.ts';
import { sentScheme } from './localSource.ts';
import { optionsFor, sentBy, type Compose } from './sentMail.ts';
import type { PreviewSource } from './source.ts';

/** Milliseconds without a change before what is sent is composed anew. */
const REST = 300;

/** What is sent of an email as a read-only document: `mailing-sent:/Welcome.html?<address of the body>`. */
export const sentUri = ({ title, body }: PreviewSource): vscode.Uri =>
  vscode.Uri.from({ scheme: sentScheme, path: `/${title.replace(/\.html?$/i, '')}.html`, query: body.toString() });

export interface SentDocumentsParts {
  readonly previews: Previews;
  readonly connections: Connections;
  readonly compose: Compose;
  readonly log: vscode.LogOutputChannel;
  /** The document is another one. */
  readonly changed: (uri: vscode.Uri) => void;
}

/** What is sent, as documents. They follow what is typed while they are open. */
export class SentDocuments implements vscode.Disposable {
  readonly #parts: SentDocumentsParts;
  readonly #followed = new Map<string, FollowedMail>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #closing: vscode.Disposable;

  constructor(parts: SentDocumentsParts) {
    this.#parts = parts;
    this.#closing = vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme === sentScheme) this.#forget(uri.toString());
    });
  }

  async provide(uri: vscode.Uri): Promise<string> {
    const { previews, connections, compose } = this.#parts;
    const source = await previews.resolve(vscode.Uri.parse(uri.query, true));
    if (!source) return 'The document of this email can’t be found.\n';
    const mail = await this.#follow(uri, source);
    if (mail.failure !== undefined) return `${mail.failure}\n`;
    return (await compose(mail.email, optionsFor(sentBy(source.body, connections)))).html;
  }

  dispose(): void {
    this.#closing.dispose();
    for (const key of [...this.#followed.keys()]) this.#forget(key);
  }

  async #follow(uri: vscode.Uri, source: PreviewSource): Promise<FollowedMail> {
    const key = uri.toString();
    const known = this.#followed.get(key);
    if (known?.isRead) return known;
    const changed = (): void => {
      clearTimeout(this.#timers.get(key));
      this.#timers.set(
        key,
        setTimeout(() => this.#parts.changed(uri), REST),
      );
    };
    const mail = new FollowedMail(source, this.#parts.log, {
      changed,
      replaced: changed,
      detailsChanged: changed,
      failed: changed,
    });
    known?.dispose();
    this.#followed.set(key, mail);
    await mail.open();
    return mail;
  }

  #forget(key: string): void {
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
    this.#followed.get(key)?.dispose();
    this.#followed.delete(key);
  }
}
