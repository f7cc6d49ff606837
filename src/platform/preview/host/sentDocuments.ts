import * as vscode from 'vscode';
import type { Connections } from '../../connections/connections.ts';
import { LiveEmail } from './liveEmail.ts';
import type { Previews } from './activeEditorPreviews.ts';
import { sentScheme } from './localSource.ts';
import { getSentOptions, getSendingService, type Compose } from './sentComposer.ts';
import type { PreviewSource } from './source.ts';

/** Delay after a change before the sent version is composed again. */
const SENT_DOCUMENT_DEBOUNCE_MS = 300;

/** Returns the URI of an email's sent version: `mailing-sent:/Welcome.html?<body URI>`. */
export const getSentUri = ({ title, body }: PreviewSource): vscode.Uri =>
  vscode.Uri.from({ scheme: sentScheme, path: `/${title.replace(/\.html?$/i, '')}.html`, query: body.toString() });

export interface SentDocumentsOptions {
  readonly previews: Previews;
  readonly connections: Connections;
  readonly compose: Compose;
  readonly log: vscode.LogOutputChannel;
  /** The document's content changed. */
  readonly onChange: (uri: vscode.Uri) => void;
}

/** Read-only documents of the sent versions of emails, updated while they are open. */
export class SentDocuments implements vscode.Disposable {
  readonly #options: SentDocumentsOptions;
  readonly #emails = new Map<string, LiveEmail>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  readonly #closeListener: vscode.Disposable;

  constructor(options: SentDocumentsOptions) {
    this.#options = options;
    this.#closeListener = vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme === sentScheme) this.#closeEmail(uri.toString());
    });
  }

  async provide(uri: vscode.Uri): Promise<string> {
    const { previews, connections, compose } = this.#options;
    const source = await previews.resolve(vscode.Uri.parse(uri.query, true));
    if (!source) return 'The document of this email can’t be found.\n';
    const mail = await this.#openEmail(uri, source);
    if (mail.failure !== undefined) return `${mail.failure}\n`;
    return (await compose(mail.email, getSentOptions(getSendingService(source.body, connections)))).html;
  }

  dispose(): void {
    this.#closeListener.dispose();
    for (const key of [...this.#emails.keys()]) this.#closeEmail(key);
  }

  async #openEmail(uri: vscode.Uri, source: PreviewSource): Promise<LiveEmail> {
    const key = uri.toString();
    const existing = this.#emails.get(key);
    if (existing?.isLoaded) return existing;
    const onChange = (): void => {
      clearTimeout(this.#timers.get(key));
      this.#timers.set(
        key,
        setTimeout(() => this.#options.onChange(uri), SENT_DOCUMENT_DEBOUNCE_MS),
      );
    };
    const mail = new LiveEmail(source, this.#options.log, {
      onChange,
      onReplace: onChange,
      onDetailsChange: onChange,
      onFailure: onChange,
    });
    existing?.dispose();
    this.#emails.set(key, mail);
    await mail.open();
    return mail;
  }

  #closeEmail(key: string): void {
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
    this.#emails.get(key)?.dispose();
    this.#emails.delete(key);
  }
}
